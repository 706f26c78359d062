/** The vocabulary of CONTEXT.md as types. Hosts and sources meet only here. */

import type { Edit, FileAccess } from "./tool-use.ts";

/** One conversation in one host. A child belongs to a subagent of `parent`. */
export interface Session {
  /** The name of the host (`hosts/names.ts`), or `mcp` for any other MCP client, or `cli`. */
  readonly host: string;
  readonly id: string;
  readonly parent?: string;
}

/** The project of a directory. `id` is the identity; `label` is only for people. */
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
  /** The kind of agent that runs, if the host has several. */
  readonly agent?: string;
  readonly transcript?: string;
  /** The same for all hook entries that the host runs for one event; only if it runs several of Continuo's. */
  readonly occurrence?: string;
  /** The last request before this moment, if the host provides it without a transcript. */
  readonly stopped?: LastRequest;
  /** For hosts that may drop an answer, and have a transcript that shows what the model got. */
  readonly shows?: Shows;
  /** What the host's transcript has of the session since this time, if moments may not have reached Continuo. */
  readonly readPast?: (since: number) => Past;
  /** The same, without files that Continuo knows already. Set by the engine. */
  readonly missed?: Past;
}

/**
 * Whether the host's transcript shows that the model got a text that was handed over at that time; undefined while that
 * cannot be said. `over`: what has certainly ended since: requests that were answered, the turn, or the host's process.
 */
export type Shows = (given: {
  readonly text: string;
  readonly since: number;
  readonly over: "request" | "turn" | "process";
}) => boolean | undefined;

/** A part of a session, as its transcript shows it. */
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
  /** What it runs in a shell, as one text. */
  readonly command?: string;
  /** The host says that it failed or was refused. Absent before the call, and where the host does not say. */
  readonly hasFailed?: boolean;
}

/** What a person typed. */
interface Typed {
  readonly prompt: string;
  /** The files that it mentions as the host's users do (`@src/cart.ts`), found by the host's adapter. */
  readonly mentioned?: readonly FileAccess[];
}

export interface StartMoment extends MomentBase, Partial<Typed> {
  readonly name: "start";
}
export interface ResumeMoment extends MomentBase {
  readonly name: "resume";
  /** The host kept everything that was delivered in its history: a replay would be there twice. */
  readonly kept?: boolean;
  /** The host has the snapshot where it was, before everything that was added since: what was corrected stays so. */
  readonly isInPlace?: boolean;
}
export interface PromptMoment extends InEpoch, Typed {
  readonly name: "prompt";
  /** The first prompt since the session was resumed: sources deliver here what they have about the resume. */
  readonly afterResume?: boolean;
}
export interface ToolMoment extends InEpoch {
  readonly name: "tool";
  readonly tool: ToolCall;
  /** A call from before Continuo followed the session: its files are remembered, and nothing is delivered yet. */
  readonly isPast?: boolean;
}
export interface CompactingMoment extends MomentBase {
  readonly name: "compacting";
  readonly trigger: "manual" | "auto";
  /**
   * The epoch ends here. If no `compacted` moment begins the next one, a prompt or tool call does. For hosts that provide
   * no summary after a compaction, which would show whether the `compacted` moment was missed.
   */
  readonly endsEpoch?: boolean;
  /** What is returned is shown in the conversation too, so it leaves out what the new snapshot has anyway. */
  readonly isBrief?: boolean;
  /** The summariser's request has none of Continuo's texts: it need not be asked to leave them out. */
  readonly isWithoutBlocks?: boolean;
}
export interface CompactedMoment extends MomentBase {
  readonly name: "compacted";
  /** The epoch whose texts are gone from the conversation, if that is how the compaction was noticed. */
  readonly goneEpoch?: number;
  /**
   * The host has the snapshot at the front of every request, where a change loses the prompt cache: the snapshot keeps
   * what it had, and everything else becomes `snapshot.tail`, which the host puts behind the summary.
   */
  readonly keepsSnapshot?: boolean;
}
export interface IdleMoment extends MomentBase {
  readonly name: "idle";
  /** What the agent said last, if the host hands it over; clipped. */
  readonly answer?: string;
  /**
   * The stop may not be refused: the agent went on because the last one was, and no two are refused in a row. Set by the
   * engine where the host does not say it, and where the host cannot refuse a stop at all.
   */
  readonly isAfterRefusal?: boolean;
  /** The host will say when the session ends. What can wait until then need not be done at the first stop as well. */
  readonly endFollows?: boolean;
  /** The session has just begun, as far as is known: it may be one prompt that is answered and over. Set by the engine. */
  readonly isYoung?: boolean;
}
export interface EndMoment extends MomentBase {
  readonly name: "end";
  readonly why: string;
}

/** A start that will come: what is known of it when a session of the same project goes idle or ends. */
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
