import type { Pattern } from "../rule.ts";

/** A rule's own check. Everything here is plain JSON, because it is cached between processes. */
export type Check = EditCheck | CommandCheck | DoneCheck | AnswerCheck | RunCheck | CallCheck;

/**
 * `remind`: the model is told once per place. `ask`: the person decides before the call. `deny`: the call, or the stop, is
 * refused. `report`: only recorded.
 */
export type Reaction = "remind" | "ask" | "deny" | "report";

interface CheckBase {
  /** Unique within its rule and the same as long as its text is the same. */
  readonly id: string;
  readonly reaction: Reaction;
  /** What the author says about a breach; otherwise the rule's name is enough. */
  readonly message?: string;
}

/** Lines that an edit adds. One of `never` and `must` is set. */
export interface EditCheck extends CheckBase {
  readonly on: "edits";
  /** No added line may match this regular expression. */
  readonly never?: string;
  /** At least one added line must match it. */
  readonly must?: string;
  /** A line that matches this is left alone. */
  readonly except?: string;
  readonly files: FilePatterns;
  /** Only files that the edit creates. */
  readonly isNewOnly?: boolean;
}

/** Commands in a shell. Each simple command of a line is looked at on its own. */
export interface CommandCheck extends CheckBase {
  readonly on: "commands";
  /** The commands that it is about. */
  readonly match: string;
  readonly except?: string;
  /** They are fine if a command that matches this has succeeded since the last edit. Without it they are never fine. */
  readonly ran?: string;
  /** Only edits of these files make an earlier run too old. */
  readonly files: FilePatterns;
}

/** Before the agent says that it is done: a command that must have succeeded since the last edit of these files. */
export interface DoneCheck extends CheckBase {
  readonly on: "done";
  readonly ran: string;
  readonly files: FilePatterns;
}

/** The agent's final answer. One of `never` and `must` is set. */
export interface AnswerCheck extends CheckBase {
  readonly on: "answer";
  readonly never?: string;
  readonly must?: string;
}

/** A command on the changed files when the agent goes idle. Only in trusted projects. */
export interface RunCheck extends CheckBase {
  readonly on: "run";
  /** A program and its arguments, without a shell; the changed files are appended. */
  readonly command: readonly string[];
  readonly files: FilePatterns;
  readonly timeoutMs: number;
}

/** Any tool call, by its name and its arguments as JSON: the rule's `guard`. */
export interface CallCheck extends CheckBase {
  readonly on: "calls";
  /** Tool names, or `*`. */
  readonly tools: readonly string[];
  /** Searched in the JSON of the tool's arguments. If absent, every call matches. */
  readonly pattern?: string;
}

/** No include: every file. */
export interface FilePatterns {
  readonly include: readonly Pattern[];
  readonly exclude: readonly Pattern[];
}
