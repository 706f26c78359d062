/** The vocabulary of CONTEXT.md as types. Hosts and sources meet only here. */

import type { FileAccess } from "./working-set.ts";

export type HostName = "claude-code" | "opencode" | "pi" | "copilot" | "codex" | "gemini" | "mcp" | "cli";

export type SourceName = "memory" | "rules" | "seed" | "context" | "sessions";

/** One conversation in one host. A child belongs to a subagent of `parent`. */
export interface Session {
  readonly host: HostName;
  readonly id: string;
  readonly parent?: string;
}

/** What a directory belongs to. `id` is the identity; `label` is only for people. */
export interface Project {
  readonly id: string;
  readonly root: string;
  readonly label: string;
}

/**
 * How a piece of text may act on the model. Only `instructions` may be obeyed; `reference` is quoted data;
 * a `proposal` is waiting for a human and has no effect yet.
 */
export type Nature = "instructions" | "reference" | "proposal";

/** The smallest thing that is delivered or dropped, always whole. */
export interface Item {
  /** Stable across sessions; with the text's hash it decides whether an item was delivered already. */
  readonly key: string;
  readonly name: string;
  readonly text: string;
  /** What the text costs, if the source knows: it is then not counted again. */
  readonly tokens?: number;
  /** The text's fingerprint, if the source knows it: a text that was delivered already is then not even read. */
  readonly hash?: string;
  /** Why it is here, for the ledger and for `continuo start`; not shown to the model. */
  readonly reason: string;
  /** Higher survives longer when the budget is short. */
  readonly priority: number;
  /** The user wrote it for all projects: no text of a repository may take its room. */
  readonly isUsers?: boolean;
}

export interface Section {
  readonly source: SourceName;
  readonly title: string;
  readonly nature: Nature;
  /** Position among sections: higher comes first. */
  readonly priority: number;
  /** Essential items may use all of `rulesLimit`; others only what the snapshot aims at. */
  readonly essential: boolean;
  readonly items: readonly Item[];
}

/** Where a session stopped. */
export interface LastRequest {
  /** What the user last asked for. */
  readonly text: string;
  /** Whether the agent answered it. */
  readonly answered: boolean;
  readonly at?: string;
}

interface Happening {
  readonly session: Session;
  readonly project: Project;
  readonly cwd: string;
  /** Milliseconds since 1970, from the adapter's clock. */
  readonly at: number;
  readonly model?: string;
  /** The kind of agent that runs, where a host has several. */
  readonly agent?: string;
  readonly transcript?: string;
  /** The same for all hook entries that the host runs for one event; only where it runs several of ours. */
  readonly occurrence?: string;
  /** What was asked last before this moment, where the host tells it without a transcript. */
  readonly stopped?: LastRequest;
}

/** What a text is delivered with during an epoch. */
interface InEpoch extends Happening {
  /**
   * Does the host's conversation still hold what begins with this text and was delivered at that time? For hosts that
   * say nothing about a compaction, but show their conversation.
   */
  readonly stillHolds?: (opening: string, since: number) => boolean;
}

export interface ToolCall {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** The files that the call itself names, as the host's adapter knows its tools; never from prose or output. */
  readonly files: readonly FileAccess[];
}

export interface StartMoment extends Happening {
  readonly name: "start";
  readonly prompt?: string;
}
export interface ResumeMoment extends Happening {
  readonly name: "resume";
  /** The host kept all that it was told in its history: nothing is told now, or it would be there twice. */
  readonly kept?: boolean;
}
export interface PromptMoment extends InEpoch {
  readonly name: "prompt";
  readonly prompt: string;
  /** It is the first one since the session was resumed: what a source has to say about that belongs here. */
  readonly afterResume?: boolean;
}
export interface ToolMoment extends InEpoch {
  readonly name: "tool";
  readonly tool: ToolCall;
}
export interface CompactingMoment extends Happening {
  readonly name: "compacting";
  readonly trigger: "manual" | "auto";
  /**
   * The epoch ends here, and unless a moment of its own begins the next, a prompt or tool call does. For hosts that give
   * no summary once they have compacted, which would show whether that moment came.
   */
  readonly endsEpoch?: boolean;
}
export interface CompactedMoment extends Happening {
  readonly name: "compacted";
  /** The epoch whose texts the conversation was seen to hold no longer, where that is how the compaction is known. */
  readonly goneEpoch?: number;
}
export interface IdleMoment extends Happening {
  readonly name: "idle";
}
export interface EndMoment extends Happening {
  readonly name: "end";
  readonly why: string;
}

export type Moment =
  | StartMoment
  | ResumeMoment
  | PromptMoment
  | ToolMoment
  | CompactingMoment
  | CompactedMoment
  | IdleMoment
  | EndMoment;

export type MomentName = Moment["name"];
export type MomentOf<N extends MomentName> = Extract<Moment, { name: N }>;
