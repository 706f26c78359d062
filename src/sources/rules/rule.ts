/** A parsed rule. Everything here is plain JSON, because it is cached between processes. */

/** The tool in whose folder a rule was found. It decides when a rule without a condition applies. */
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
   * Applies only on request by the user or the model. With a description, the model sees it in one line, and reads the
   * file when the description fits its task.
   */
  | { readonly kind: "manual"; readonly reason: string; readonly description?: string }
  | { readonly kind: "conditions"; readonly match: "any" | "all"; readonly conditions: readonly Condition[] };

/**
 * Conditions that are lists of names. To add one: put its name here, its evaluation in `evaluate.ts`, and what it is
 * compared with in `session.ts`. Everything else uses this list.
 */
export const NAME_KEYS = ["tools", "model", "agent", "command", "project", "os"] as const;

export type Condition =
  /** One file must satisfy all three: match an include (if there are any), match no exclude, and contain every text. */
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
  /** Up to this length a path is tested by JavaScript's engine, which is then guaranteed to be fast. */
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
 * `remind`: the model is told once per place. `ask`: the user decides before the call. `deny`: the call, or the stop,
 * is refused. `report`: only recorded.
 */
export type Reaction = "remind" | "ask" | "deny" | "report";

interface CheckBase {
  /** Unique within its rule; the same as long as its text is the same. */
  readonly id: string;
  readonly reaction: Reaction;
  /** The author's explanation of a breach; without one, the rule's name is shown. */
  readonly message?: string;
}

/** Checks lines that an edit adds. Either `never` or `must` is set. */
export interface EditCheck extends CheckBase {
  readonly on: "edits";
  /** No added line may match this regular expression. */
  readonly never?: string;
  /** At least one added line must match it. */
  readonly must?: string;
  /** Lines that match this are ignored. */
  readonly except?: string;
  readonly files: FilePatterns;
  /** Only files that the edit creates. */
  readonly isNewOnly?: boolean;
}

/** Checks shell commands. Each simple command of a command line is checked separately. */
export interface CommandCheck extends CheckBase {
  readonly on: "commands";
  /** A pattern for the commands that the check is about. */
  readonly match: string;
  readonly except?: string;
  /** Allowed if a command that matches this has succeeded since the last edit. Without this they are never allowed. */
  readonly ran?: string;
  /** Only edits of these files make an earlier run outdated. */
  readonly files: FilePatterns;
}

/** Before the agent says that it is done, a command must have succeeded since the last edit of these files. */
export interface DoneCheck extends CheckBase {
  readonly on: "done";
  readonly ran: string;
  readonly files: FilePatterns;
}

/** Checks the agent's final answer. Either `never` or `must` is set. */
export interface AnswerCheck extends CheckBase {
  readonly on: "answer";
  readonly never?: string;
  readonly must?: string;
}

/** Runs a command on the changed files when the agent goes idle. Only in trusted projects. */
export interface RunCheck extends CheckBase {
  readonly on: "run";
  /** A program and its arguments, without a shell; the changed files are appended. */
  readonly command: readonly string[];
  readonly files: FilePatterns;
  readonly timeoutMs: number;
}

/** Checks any tool call by its name and its arguments as JSON: the rule's `guard`. */
export interface CallCheck extends CheckBase {
  readonly on: "calls";
  /** Tool names, or `*`. */
  readonly tools: readonly string[];
  /** Searched in the JSON of the tool's arguments. Without it, every call matches. */
  readonly pattern?: string;
}

/** Without includes every file matches. */
export interface FilePatterns {
  readonly include: readonly Pattern[];
  readonly exclude: readonly Pattern[];
}
