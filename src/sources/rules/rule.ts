/** What a rule is once its file was understood. Plain JSON throughout: it is cached between processes. */

/** Whose folder a rule was found in: it decides what its frontmatter's keys mean. */
export type Dialect = "opencode" | "continuo" | "cursor" | "copilot" | "claude" | "windsurf" | "cline";

export interface Rule {
  readonly name: string;
  readonly priority: number;
  readonly body: string;
  readonly when: When;
  readonly guards: readonly Guard[];
}

export type When =
  | { readonly kind: "always" }
  /** Understood, but its author left it to a human or to the model to ask for it. */
  | { readonly kind: "manual"; readonly reason: string }
  | { readonly kind: "conditions"; readonly match: "any" | "all"; readonly conditions: readonly Condition[] };

export type Condition =
  /** One observed file must satisfy all three: an include (any file when there is none), no exclude, every text. */
  | {
      readonly on: "files";
      readonly include: readonly Pattern[];
      readonly exclude: readonly Pattern[];
      readonly contains: readonly string[];
    }
  | { readonly on: "keywords"; readonly words: readonly string[] }
  | {
      readonly on: "tools" | "model" | "agent" | "command" | "project" | "os";
      readonly names: readonly string[];
    }
  | { readonly on: "branch"; readonly patterns: readonly Pattern[] }
  | { readonly on: "ci"; readonly value: boolean };

/** A glob as its author wrote it, ready to be tested without a glob library. */
export interface Pattern {
  readonly text: string;
  /** Source of a regular expression over a path relative to the project, with forward slashes. */
  readonly regex: string;
  /** What every matching path begins with. */
  readonly start: string;
  /** Up to this length a path is tested by JavaScript's own engine, which is then certain to be quick. */
  readonly quick: number;
  /**
   * What every matching path has, so that a path is tested only against patterns that could match: `.ts` (its last
   * extension), `=Makefile` (its base name), or `*` (nothing can be said).
   */
  readonly bucket: string;
}

/** A deterministic check before a tool call; evaluated only in projects that the user trusts. */
export interface Guard {
  readonly action: "deny" | "ask" | "warn";
  /** Tool names, or `*`. */
  readonly tools: readonly string[];
  /** Source of a regular expression over the JSON of the tool's arguments; every call when absent. */
  readonly pattern?: string;
  readonly message: string;
}

/** Something about a rule file that its author should know; `check` tells it. */
export interface Lint {
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
}

export type Parsed =
  | { readonly kind: "rule"; readonly rule: Rule; readonly lints: readonly Lint[]; readonly cost?: number }
  /** What its author meant cannot be known, so it does not apply at all. */
  | {
      readonly kind: "refused";
      readonly code: string;
      readonly message: string;
      /** What its patterns cost to understand, or to refuse, in characters of compiled patterns. */
      readonly cost?: number;
    };
