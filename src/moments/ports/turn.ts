import type { Edit, FileAccess } from "../tool-use.ts";

/**
 * One step of a conversation, in the same form for every host.
 *
 * Ids are stable: reading a history again, from any offset, gives the same ids, and a turn with a known id replaces the
 * earlier one. Copies of a session (forks) keep the ids if the host keeps them.
 */
export interface Turn {
  readonly id: string;
  /**
   * `user`: a prompt; `marks` shows which ones were not typed. `tool`: a tool's answer. `summary`: the host's
   * replacement for older turns. `other`: a message from the host or a hook to the model, or an error.
   */
  readonly role: Role;
  /** The text without injected blocks; for a tool, its answer. */
  readonly text: string;
  /** What was removed from the text because Continuo or the host had injected it. */
  readonly injected?: string;
  readonly thinking?: string;
  /** Images that were typed, pasted or returned; without their data. */
  readonly images?: readonly Image[];
  readonly calls: readonly Call[];
  /** For a tool's turn: the calls that it answers. */
  readonly answers: readonly Answer[];
  /** Milliseconds since 1970. */
  readonly at?: number;
  readonly model?: string;
  readonly usage?: Usage;
  /**
   * Turns of one group are pieces of one model answer. Each has the usage of the whole answer, which counts only once.
   */
  readonly group?: string;
  /** The turn, or the host's entry, that this one follows. */
  readonly parent?: string;
  /** Where to resume reading to get this turn and all that follow: a byte offset, or the host's own measure. */
  readonly offset: number;
  readonly marks: Marks;
}

/**
 * Whether the id is only a position in the file, because the host gives none. Such ids cannot be compared across files.
 */
export const isPlace = (id: string): boolean => id.startsWith("@");

export type Role = "user" | "assistant" | "tool" | "summary" | "other";

export type Mark =
  /** The text came from a hook, a plugin or the host, not from the user or the model. */
  | "injected"
  /** Has the user's role, but nobody typed it: notifications, echoes of commands. */
  | "machineMade"
  | "thinking"
  /** Part of the text is Continuo's. */
  | "ours"
  /** Belongs to a subagent: its prompts were written by the agent that started it. */
  | "sidechain"
  /** Replaces the turns before it. */
  | "compaction"
  /** On an abandoned branch: the session continued from an earlier point, and the model no longer sees this turn. */
  | "otherBranch"
  /** Copied by a fork from the original session. */
  | "copied"
  | "error";

export type Marks = { readonly [M in Mark]?: true };

export interface Call {
  readonly id?: string;
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly files: readonly FileAccess[];
  /** As in `ToolCall`. */
  readonly edits?: () => readonly Edit[];
  readonly command?: string;
}

export interface Answer {
  readonly call: string;
  readonly name?: string;
  readonly failed?: true;
  /** Set if it failed because the user did not allow it. */
  readonly rejected?: true;
  /** The previous content of the file that the call wrote, if the host stores it; null if there was no file. */
  readonly before?: string | null;
}

export interface Image {
  /** Its media type, or "image" if the host does not say. */
  readonly kind: string;
  /** 0 if the transcript only refers to it. */
  readonly bytes: number;
  readonly name?: string;
}

export interface Usage {
  /** Excludes tokens read from or written to the provider's cache. */
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}
