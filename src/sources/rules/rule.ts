/** A parsed rule. Everything here is plain JSON, because it is cached between processes. */

/** The tool whose folder a rule was found in. It decides what a rule without a condition means. */
export type Dialect = "opencode" | "continuo" | "cursor" | "copilot" | "claude" | "windsurf" | "cline";

export interface Rule {
  readonly name: string;
  readonly priority: number;
  readonly body: string;
  readonly when: When;
  readonly checks: readonly Check[];
}

export type When =
  | { readonly kind: "always" }
  /**
   * Applies only on request of a person or of the model. With a description the model is told of it, in one line, and reads
   * the file when the description fits its task.
   */
  | { readonly kind: "manual"; readonly reason: string; readonly description?: string }
  | { readonly kind: "conditions"; readonly match: "any" | "all"; readonly conditions: readonly Condition[] };

/**
 * Conditions that are lists of names. For another one: its name here, its judgement in `evaluate.ts`, and what it is compared
 * with in `session.ts`. Everything else goes by this list.
 */
export const NAME_KEYS = ["tools", "model", "agent", "command", "project", "os"] as const;

export type Condition =
  /** One file must satisfy all three: an include (any file if there is none), no exclude, and every text. */
  | {
      readonly on: "files";
      readonly include: readonly Pattern[];
      readonly exclude: readonly Pattern[];
      readonly contains: readonly string[];
    }
  | { readonly on: "keywords"; readonly words: readonly string[] }
  | { readonly on: (typeof NAME_KEYS)[number]; readonly names: readonly string[] }
  | { readonly on: "branch"; readonly patterns: readonly Pattern[] }
  | { readonly on: "ci"; readonly value: boolean };

/** A compiled glob, which is tested without a glob library. */
export interface Pattern {
  /** As its author wrote it. */
  readonly text: string;
  /** Source of a regular expression over a path relative to the project, with forward slashes. */
  readonly regex: string;
  /** The prefix of every matching path. */
  readonly start: string;
  /** Up to this length a path is tested by JavaScript's engine, which is then certain to be fast. */
  readonly quick: number;
  /**
   * What all matching paths have in common, so that a path is tested only against patterns that could match: `.ts` (the
   * last extension), `=Makefile` (the base name) or `*` (nothing).
   */
  readonly bucket: string;
}

/** A hint for the author of a rule file, shown by `continuo rules check`. */
export interface Lint {
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
}

export type Parsed =
  | { readonly kind: "rule"; readonly rule: Rule; readonly lints: readonly Lint[]; readonly cost?: number }
  /** It is not clear what the author meant, so the rule never applies. */
  | {
      readonly kind: "refused";
      readonly code: string;
      readonly message: string;
      /** The cost of parsing or refusing its patterns, in characters of compiled patterns. */
      readonly cost?: number;
    };

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
