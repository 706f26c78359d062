/** The seed as in `seed.json`. Unknown keys may occur at any level and are kept. */

export interface SeedConfig {
  readonly version: string;
  readonly identity: IdentityLayer;
  readonly learned: LearnedLayer;
  readonly state: StateLayer;
}

/** Who the user is, and their assistant's name. */
export interface IdentityLayer {
  readonly principalName: string;
  readonly aiName: string;
  readonly catchphrase: string;
  readonly voiceId: string;
  readonly preferences: Preferences;
}

interface Preferences {
  readonly responseStyle: ResponseStyle;
  readonly timezone: string;
  readonly locale: string;
}

export const RESPONSE_STYLES = ["concise", "detailed", "adaptive"] as const;
export type ResponseStyle = (typeof RESPONSE_STYLES)[number];

export interface LearnedLayer {
  readonly patterns: readonly Learning[];
  readonly insights: readonly Learning[];
  readonly selfKnowledge: readonly Learning[];
}

/** The names of the arrays in `learned`. */
export type Category = keyof LearnedLayer;

export interface Learning {
  readonly id: string;
  readonly content: string;
  readonly source: string;
  readonly extractedAt: string;
  readonly confirmedAt?: string;
  readonly confirmed: boolean;
  readonly tags: readonly string[];
}

export interface StateLayer {
  readonly lastSessionId?: string;
  readonly lastSessionAt?: string;
  readonly proposals: readonly Proposal[];
  readonly activeProjects: readonly string[];
  readonly checkpointRef?: string;
  readonly extractionStats?: ExtractionStats;
}

/** The types of proposals. The lists to which accepted ones move have other names. */
export const LEARNING_TYPES = ["pattern", "insight", "self_knowledge"] as const;
export type LearningType = (typeof LEARNING_TYPES)[number];

export const CATEGORY_OF: Readonly<Record<LearningType, Category>> = {
  pattern: "patterns",
  insight: "insights",
  self_knowledge: "selfKnowledge",
};

export const TYPE_OF: Readonly<Record<Category, LearningType>> = {
  patterns: "pattern",
  insights: "insight",
  selfKnowledge: "self_knowledge",
};

export const CATEGORIES: readonly Category[] = ["patterns", "insights", "selfKnowledge"];

export const PROPOSAL_STATES = ["pending", "accepted", "rejected"] as const;
export const METHODS = ["acr", "regex"] as const;

export interface Proposal {
  readonly id: string;
  readonly type: LearningType;
  readonly content: string;
  readonly source: string;
  readonly extractedAt: string;
  readonly status: (typeof PROPOSAL_STATES)[number];
  readonly method?: (typeof METHODS)[number];
  readonly confidence?: number;
  readonly decidedAt?: string;
}

export interface Tally {
  readonly accepted: number;
  readonly rejected: number;
}

export interface ExtractionStats extends Tally {
  readonly byType: Readonly<Record<LearningType, Tally>>;
  readonly confidenceSum: Tally;
  readonly confidenceCount: Tally;
}
