/** The vocabulary of CONTEXT.md as types. Hosts and sources meet only here. */

import type { FileAccess } from "./working-set.ts";

/** One conversation in one host. A child belongs to a subagent of `parent`. */
export interface Session {
  /** The name of the host (`hosts/names.ts`), or `mcp` for any other MCP client, or `cli`. */
  readonly host: string;
  readonly id: string;
  readonly parent?: string;
}

/** What a directory belongs to. `id` is the identity; `label` is only for people. */
export interface Project {
  readonly id: string;
  readonly root: string;
  readonly label: string;
}

/** Where a session stopped. */
export interface LastRequest {
  /** What the user last asked for. */
  readonly text: string;
  /** Whether the agent answered it. */
  readonly answered: boolean;
  readonly at?: string;
}

interface MomentBase {
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
interface InEpoch extends MomentBase {
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

export interface StartMoment extends MomentBase {
  readonly name: "start";
  readonly prompt?: string;
}
export interface ResumeMoment extends MomentBase {
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
export interface CompactingMoment extends MomentBase {
  readonly name: "compacting";
  readonly trigger: "manual" | "auto";
  /**
   * The epoch ends here, and unless a moment of its own begins the next, a prompt or tool call does. For hosts that give
   * no summary once they have compacted, which would show whether that moment came.
   */
  readonly endsEpoch?: boolean;
}
export interface CompactedMoment extends MomentBase {
  readonly name: "compacted";
  /** The epoch whose texts the conversation was seen to hold no longer, where that is how the compaction is known. */
  readonly goneEpoch?: number;
}
export interface IdleMoment extends MomentBase {
  readonly name: "idle";
}
export interface EndMoment extends MomentBase {
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
