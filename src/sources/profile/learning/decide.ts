import { LEARNING_KEYS, PROPOSAL_KEYS, STATE_KEYS, setKey } from "../file/schema.ts";
import type { Step } from "../file/sidecar.ts";
import { normalise, visible } from "../text.ts";
import {
  CATEGORIES,
  CATEGORY_OF,
  type Category,
  type ExtractionStats,
  type Learning,
  type LearningType,
  type Proposal,
  type SeedConfig,
  type Tally,
} from "../types.ts";

/** The seed after a decision, and the step that records it for undo. All functions here are pure. */
export interface Decided {
  readonly config: SeedConfig;
  readonly step: Step;
}

interface AcceptOptions {
  readonly now: string;
  /** The user's own wording, if they changed it before accepting. */
  readonly content?: string;
  readonly tags?: readonly string[];
}

export function accept(config: SeedConfig, proposal: Proposal, options: AcceptOptions): Decided {
  const learning: Learning = {
    id: proposal.id,
    // Only what the user saw is learned: other programs would pass hidden characters to the model.
    content: options.content ?? visible(proposal.content),
    source: proposal.source,
    extractedAt: proposal.extractedAt,
    confirmedAt: options.now,
    confirmed: true,
    tags: [...(options.tags ?? [])],
  };
  const learned = addLearning(config, CATEGORY_OF[proposal.type], learning);
  return {
    config: withStats(withStatus(learned, proposal, "accepted", options.now), proposal, "accepted", 1),
    step: { do: "accept", proposal, learning },
  };
}

export function reject(config: SeedConfig, proposal: Proposal, now: string): Decided {
  return {
    config: withStats(withStatus(config, proposal, "rejected", now), proposal, "rejected", 1),
    step: { do: "reject", proposal, value: normalise(proposal.content) },
  };
}

/** Revokes a rejection: the proposal is pending again. */
export function allow(config: SeedConfig, proposal: Proposal, rejectedAt: string): Decided {
  const { decidedAt: _, ...rest } = proposal;
  const pending: Proposal = { ...rest, status: "pending" };
  return {
    config: withStats(pendingAgain(config, pending), pending, "rejected", -1),
    step: { do: "allow", proposal: pending, value: normalise(pending.content), rejectedAt },
  };
}

export function learn(config: SeedConfig, type: LearningType, learning: Learning): Decided {
  const category = CATEGORY_OF[type];
  return {
    config: addLearning(config, category, learning),
    step: { do: "learn", category, learning, value: normalise(learning.content) },
  };
}

export function forget(config: SeedConfig, category: Category, learning: Learning): Decided {
  return {
    config: removeLearning(config, category, learning.id),
    step: { do: "forget", category, learning, value: normalise(learning.content) },
  };
}

/** Removes the older of two contradicting learnings, so that no program shows both. The step links them. */
export function supersede(config: SeedConfig, category: Category, learning: Learning, by: string): Decided {
  return {
    config: removeLearning(config, category, learning.id),
    step: { do: "supersede", category, learning, by },
  };
}

/** The user confirmed that it still applies. */
export function refresh(config: SeedConfig, category: Category, learning: Learning, now: string): Decided {
  const fresh = setKey({ ...learning, confirmed: true }, "confirmedAt", now, LEARNING_KEYS);
  const all = config.learned[category].map((one) => (one.id === learning.id ? fresh : one));
  return { config: withLearnings(config, category, all), step: { do: "refresh", category, learning } };
}

/** Undoes one step. Changes in between are kept. */
export function undoStep(config: SeedConfig, step: Step): SeedConfig {
  switch (step.do) {
    case "accept":
      return withStats(
        pendingAgain(
          removeLearning(config, CATEGORY_OF[step.proposal.type], step.proposal.id),
          step.proposal,
        ),
        step.proposal,
        "accepted",
        -1,
      );
    case "reject":
      return withStats(pendingAgain(config, step.proposal), step.proposal, "rejected", -1);
    case "allow":
      return withStats(
        withStatus(config, step.proposal, "rejected", step.rejectedAt),
        step.proposal,
        "rejected",
        1,
      );
    case "learn":
      return removeLearning(config, step.category, step.learning.id);
    case "forget":
    case "supersede":
      return addLearning(config, step.category, step.learning);
    case "refresh":
      return withLearnings(
        config,
        step.category,
        config.learned[step.category].map((one) => (one.id === step.learning.id ? step.learning : one)),
      );
  }
}

export function findLearning(
  config: SeedConfig,
  id: string,
): { readonly category: Category; readonly learning: Learning } | undefined {
  for (const category of CATEGORIES) {
    const learning = config.learned[category].find((one) => one.id === id);
    if (learning !== undefined) return { category, learning };
  }
  return undefined;
}

function withStatus(
  config: SeedConfig,
  proposal: Proposal,
  status: Proposal["status"],
  now: string,
): SeedConfig {
  const after = setKey({ ...proposal, status }, "decidedAt", now, PROPOSAL_KEYS);
  return withProposals(
    config,
    config.state.proposals.map((one) => (one.id === proposal.id ? after : one)),
  );
}

function pendingAgain(config: SeedConfig, proposal: Proposal): SeedConfig {
  const isThere = config.state.proposals.some((one) => one.id === proposal.id);
  const proposals = isThere
    ? config.state.proposals.map((one) => (one.id === proposal.id ? proposal : one))
    : [...config.state.proposals, proposal];
  return withProposals(config, proposals);
}

export function withProposals(config: SeedConfig, proposals: readonly Proposal[]): SeedConfig {
  return { ...config, state: { ...config.state, proposals } };
}

function addLearning(config: SeedConfig, category: Category, learning: Learning): SeedConfig {
  const others = config.learned[category].filter((one) => one.id !== learning.id);
  return withLearnings(config, category, [...others, learning]);
}

function removeLearning(config: SeedConfig, category: Category, id: string): SeedConfig {
  return withLearnings(
    config,
    category,
    config.learned[category].filter((one) => one.id !== id),
  );
}

function withLearnings(config: SeedConfig, category: Category, learnings: readonly Learning[]): SeedConfig {
  return { ...config, learned: { ...config.learned, [category]: learnings } };
}

const NONE: Tally = { accepted: 0, rejected: 0 };
const NO_STATS: ExtractionStats = {
  ...NONE,
  byType: { pattern: NONE, insight: NONE, self_knowledge: NONE },
  confidenceSum: NONE,
  confidenceCount: NONE,
};

function withStats(config: SeedConfig, proposal: Proposal, what: keyof Tally, by: 1 | -1): SeedConfig {
  const stats = config.state.extractionStats ?? NO_STATS;
  const add = (tally: Tally, amount: number): Tally => ({
    ...tally,
    [what]: Math.max(0, Math.round((tally[what] + amount * by) * 1e9) / 1e9),
  });
  const { confidence } = proposal;
  const after: ExtractionStats = {
    ...stats,
    ...add({ accepted: stats.accepted, rejected: stats.rejected }, 1),
    byType: { ...stats.byType, [proposal.type]: add(stats.byType[proposal.type], 1) },
    confidenceSum: add(stats.confidenceSum, confidence ?? 0),
    confidenceCount: add(stats.confidenceCount, confidence === undefined ? 0 : 1),
  };
  return { ...config, state: setKey(config.state, "extractionStats", after, STATE_KEYS) };
}
