/** A parsed rule. Everything here is plain JSON, because it is cached between processes. */

import type { Check } from "./checks/check.ts";

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

export type Condition =
  /** One file must satisfy all three: an include (any file if there is none), no exclude, and every text. */
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
