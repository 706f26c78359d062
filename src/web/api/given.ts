import type { Broken } from "../../moments/state/ledger.ts";
import type { Mute } from "../../store/mutes.ts";

/** What Continuo added to a session, what it cost, and what is muted. All times are ISO texts. */

/** What an entry did to the cached prefix of the conversation. */
export type CacheEffect =
  /** The session began: its first request has no cached prefix yet. */
  | "new-prefix"
  /** Added at the end: everything before it stays cached. */
  | "appended"
  /** The same bytes as before: the prefix stays cached. */
  | "replayed"
  /** The host compacted and began a new prefix. */
  | "new-epoch"
  /** Not part of the conversation: only the host's summariser or the user read it. */
  | "none";

export interface GivenItem {
  readonly source: string;
  readonly key: string;
  readonly title: string;
  readonly reason: string;
  readonly tokens: number;
  /** The file that it comes from, if any. */
  readonly path?: string;
  /** The note's address. */
  readonly note?: string;
  /** Whether this item can be muted by itself; otherwise only its source. */
  readonly canMute: boolean;
  /** Whether it says that the item no longer holds, because its file was deleted or the user muted it. */
  readonly withdraws?: boolean;
}

export interface GivenEntry {
  /** Stable: its index among the session's entries. */
  readonly id: number;
  readonly at: string;
  readonly epoch: number;
  readonly kind:
    | "snapshot"
    | "addition"
    | "replayed"
    | "handover"
    | "compaction"
    | "guard"
    | "broken"
    | "ended";
  /** Start, prompt, tool and so on; absent in entries of older versions. */
  readonly moment?: string;
  readonly tool?: string;
  /** The beginning of the prompt, or the tool and its first file. */
  readonly about?: string;
  readonly tokens: number;
  readonly cache: CacheEffect;
  readonly items: readonly GivenItem[];
  /** Items that had no room. */
  readonly dropped: readonly GivenItem[];
  /** Set if the agent's transcript does not show it, so the model did not get it here. */
  readonly isMissing?: true;
  /** Whether the exact text is available. */
  readonly hasText: boolean;
  readonly compaction?: Compaction;
  /** A guard's verdict, in ledgers of older versions. */
  readonly guard?: { readonly action: string; readonly why: string };
  readonly broken?: BrokenRule;
  readonly why?: string;
}

/** A rule was broken, or a call that would have broken it was blocked. */
export interface BrokenRule
  extends Pick<Broken, "rule" | "name" | "on" | "reaction" | "path" | "line" | "text" | "more"> {
  /** For a reminder: the agent did not get it yet. */
  readonly isUntold?: true;
  readonly isAfterCompaction?: true;
  readonly isAfterReminder?: true;
}

/** What a compaction lost, and what was restored. */
export interface Compaction {
  readonly trigger?: string;
  readonly active: readonly GivenItem[];
  /** Absent if the host does not show its summary. */
  readonly summary?: {
    readonly characters: number;
    readonly keptFiles: readonly string[];
    readonly lostFiles: readonly string[];
    /** Titles of items that the summary repeats. */
    readonly restated: readonly string[];
  };
  readonly restored: readonly GivenItem[];
  readonly waiting: readonly GivenItem[];
  readonly noRoom: readonly GivenItem[];
  readonly muted: readonly GivenItem[];
  readonly lost: readonly GivenItem[];
}

/** Tokens of the model's input, according to the host's transcript. */
export interface MeasuredCache {
  readonly input: number;
  /** How many of these were read from the provider's cache. */
  readonly cached: number;
  readonly requests: number;
  /** Set if not everything could be read in time. */
  readonly isPartial?: true;
}

export interface GivenTimeline {
  /** The project's identity; absent if nothing was delivered yet. */
  readonly project?: string;
  /** Oldest first. */
  readonly entries: readonly GivenEntry[];
  readonly total: number;
  /** Whether there are earlier entries. */
  readonly hasEarlier: boolean;
  readonly sums: {
    readonly tokens: number;
    readonly deliveries: number;
    readonly compactions: number;
    /** The number of moments, and how long the host waited for them. */
    readonly moments: number;
    readonly ms: number;
  };
  /** Parts that wait for an output with room. */
  readonly waiting: readonly GivenItem[];
  /** What was known at the requested time. */
  readonly known?: Known;
  readonly mutes: readonly Mute[];
}

/** What the model had received from Continuo by one time. */
export interface Known {
  readonly at: string;
  /** The last entry at or before that time; absent if there is none. */
  readonly entry?: number;
  readonly items: readonly (GivenItem & { readonly entry: number })[];
}

export interface GivenText {
  readonly at: string;
  readonly what: string;
  /** Absent if it is not stored any more; `why` gives the reason. */
  readonly text?: string;
  readonly why?: string;
}

export interface GivenDay {
  /** The local date: 2026-11-16. */
  readonly day: string;
  readonly sessions: number;
  readonly tokens: number;
  readonly snapshots: number;
  readonly additions: number;
  readonly replays: number;
  readonly compactions: number;
  readonly moments: number;
  readonly ms: number;
  readonly modelCalls: number;
  /** Only for sessions whose host records it; absent if none does. */
  readonly cache?: MeasuredCache;
}

export interface GivenDays {
  /** Oldest first, including days without entries. */
  readonly days: readonly GivenDay[];
  /** How many sessions' transcripts were read for the cache, and how many sessions received something. */
  readonly measured: { readonly sessions: number; readonly of: number };
}
