import type { FileAccess } from "../working-set.ts";

/**
 * One step of a conversation, the same whichever host kept it.
 *
 * Ids are stable: reading a history again, from any offset, gives the same ids, and a turn that comes with an id that was
 * there before replaces it. Copies of a session (forks) keep the ids where the host keeps them.
 */
export interface Turn {
  readonly id: string;
  /**
   * `user`: a prompt, see `marks` for those that no person typed. `tool`: what a tool answered. `summary`: what the host
   * put in place of older turns. `other`: what the host or a hook told the model, or an error.
   */
  readonly role: Role;
  /** What was said, without injected blocks; for a tool, its answer. */
  readonly text: string;
  /** What was taken out of the text because we or the host had put it there. */
  readonly injected?: string;
  readonly thinking?: string;
  readonly calls: readonly Call[];
  /** For a tool's turn: the calls that it answers. */
  readonly answers: readonly Answer[];
  /** Milliseconds since 1970. */
  readonly at?: number;
  readonly model?: string;
  readonly usage?: Usage;
  /** Turns of one group are pieces of one answer of the model: each has the usage of all, which counts once. */
  readonly group?: string;
  /** The turn, or the host's entry, that this one follows. */
  readonly parent?: string;
  /** Where reading can begin again to get this turn and all that follow: a byte, or the host's own measure. */
  readonly offset: number;
  readonly marks: Marks;
}

/** Where a host gives no id, it is the place in the file, which says nothing about turns of other files. */
export const isPlace = (id: string): boolean => id.startsWith("@");

export type Role = "user" | "assistant" | "tool" | "summary" | "other";

export type Mark =
  /** The text came from a hook, a plugin or the host, not from a person or the model. */
  | "injected"
  /** In the user's role, but nobody typed it: notifications, echoes of commands. */
  | "machineMade"
  | "thinking"
  /** Some of it is Continuo's. */
  | "ours"
  /** A subagent's: its prompts were written by the agent that started it. */
  | "sidechain"
  /** It stands for the turns before it. */
  | "compaction"
  /** The session went another way from an earlier point; this is no longer what the model sees. */
  | "otherBranch"
  /** Came with a fork from the session that it was made of. */
  | "copied"
  | "error";

export type Marks = { readonly [M in Mark]?: true };

export interface Call {
  readonly id?: string;
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly files: readonly FileAccess[];
}

export interface Answer {
  readonly call: string;
  readonly name?: string;
  readonly failed?: true;
}

export interface Usage {
  /** Without what came from, or went into, the provider's cache. */
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}
