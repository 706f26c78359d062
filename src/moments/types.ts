/** The vocabulary of CONTEXT.md as types. Hosts and sources meet only here. */

import type { Edit, FileAccess } from "./tool-use.ts";

/** One conversation in one host. A child belongs to a subagent of `parent`. */
export interface Session {
  /** The name of the host (`base/host-names.ts`), or `mcp` for any other MCP client, or `cli`. */
  readonly host: string;
  readonly id: string;
  readonly parent?: string;
}

/** The project of a directory. `id` identifies it; `label` is only for display. */
export interface Project {
  readonly id: string;
  readonly root: string;
  readonly label: string;
}

/** Where a session stopped. */
export interface LastRequest {
  /** The user's last request. */
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
  /** The kind of agent, if the host has several. */
  readonly agent?: string;
  readonly transcript?: string;
  /** Identical for all hook entries that the host runs for one event; only set if it runs several of Continuo's. */
  readonly occurrence?: string;
  /** The last request before this moment, if the host provides it without a transcript. */
  readonly stopped?: LastRequest;
  /** For hosts that may drop an answer, and have a transcript that shows what the model got. */
  readonly shows?: Shows;
  /**
   * The session since this time according to the host's transcript, for a host whose moments may not have reached
   * Continuo.
   */
  readonly readPast?: (since: number) => Past;
  /** The same, without files that Continuo knows already. Set by the engine. */
  readonly missed?: Past;
}

/**
 * Whether the host's transcript shows that the model got a text delivered at that time; undefined while that is
 * unknown. `over`: what has certainly ended since then: answered requests, the turn, or the host's process.
 */
export type Shows = (given: {
  readonly text: string;
  readonly since: number;
  readonly over: "request" | "turn" | "process";
}) => boolean | undefined;

/** A part of a session, according to its transcript. */
export interface Past {
  readonly calls: readonly PastCall[];
  /** What the user typed. */
  readonly prompts: readonly string[];
  /** The files that those prompts mention. */
  readonly mentioned?: readonly PastFiles[];
}

export interface PastFiles {
  readonly files: readonly FileAccess[];
  /** When the model made the call, or the user typed the prompt. */
  readonly at: number;
}

export interface PastCall extends PastFiles {
  readonly name: string;
}

/** A moment inside an epoch. */
interface InEpoch extends MomentBase {
  /**
   * Whether the host's conversation still contains a text with this opening that was delivered at that time. For hosts
   * that do not announce a compaction, but show their conversation.
   */
  readonly stillHolds?: (opening: string, since: number) => boolean;
}

export interface ToolCall {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** The files that the call names in its arguments, found by the host's adapter; never from prose or output. */
  readonly files: readonly FileAccess[];
  /** What it adds to files; found on the first call. */
  readonly edits?: () => readonly Edit[];
  /** The shell command that the call runs, as one text. */
  readonly command?: string;
  /**
   * Whether the host reports that the call failed or was refused. Absent before the call, and for hosts that do not
   * report it.
   */
  readonly hasFailed?: boolean;
}

/** What the user typed. */
interface Typed {
  readonly prompt: string;
  /** Files that it mentions in the host's syntax (`@src/cart.ts`), found by the host's adapter. */
  readonly mentioned?: readonly FileAccess[];
}

export interface StartMoment extends MomentBase, Partial<Typed> {
  readonly name: "start";
}
export interface ResumeMoment extends MomentBase {
  readonly name: "resume";
  /** The host's history contains everything that was delivered, so a replay would repeat it. */
  readonly kept?: boolean;
  /** The host shows the snapshot where it was, before everything added since, so later corrections still apply. */
  readonly isInPlace?: boolean;
}
export interface PromptMoment extends InEpoch, Typed {
  readonly name: "prompt";
  /** The first prompt after a resume: sources deliver here what they have about the resume. */
  readonly afterResume?: boolean;
}
export interface ToolMoment extends InEpoch {
  readonly name: "tool";
  readonly tool: ToolCall;
  /** A call from before Continuo followed the session: its files are remembered, but nothing is delivered yet. */
  readonly isPast?: boolean;
}
export interface CompactingMoment extends MomentBase {
  readonly name: "compacting";
  readonly trigger: "manual" | "auto";
  /**
   * The epoch ends here. If no `compacted` moment begins the next one, a prompt or tool call does. For hosts that
   * provide no summary after a compaction, which would show that the `compacted` moment was missed.
   */
  readonly endsEpoch?: boolean;
  /** The answer is shown in the conversation too, so it omits what the new snapshot contains anyway. */
  readonly isBrief?: boolean;
  /** The summariser's request contains none of Continuo's texts, so it need not be asked to leave them out. */
  readonly isWithoutBlocks?: boolean;
}
export interface CompactedMoment extends MomentBase {
  readonly name: "compacted";
  /** The epoch whose texts have disappeared from the conversation, if that is how the compaction was noticed. */
  readonly goneEpoch?: number;
  /**
   * The host puts the snapshot at the front of every request, where a change invalidates the prompt cache. So the
   * snapshot keeps its items, and everything else becomes `snapshot.tail`, which the host puts after the summary.
   */
  readonly keepsSnapshot?: boolean;
}
export interface IdleMoment extends MomentBase {
  readonly name: "idle";
  /** The agent's last message, if the host passes it; clipped. */
  readonly answer?: string;
  /**
   * The stop must not be refused: the agent went on because the last stop was refused, and no two are refused in a row.
   * Set by the engine if the host does not say it, and for hosts that cannot refuse a stop at all.
   */
  readonly isAfterRefusal?: boolean;
  /**
   * The host will report the end of the session, so work that can wait until then need not be done at the first stop
   * too.
   */
  readonly endFollows?: boolean;
  /** The session seems to have just begun, and may consist of one prompt. Set by the engine. */
  readonly isYoung?: boolean;
}
export interface EndMoment extends MomentBase {
  readonly name: "end";
  readonly why: string;
}

/** What is known about the next start when a session of the same project goes idle or ends. */
export type ExpectedStart = Pick<StartMoment, "project" | "cwd" | "at">;

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
