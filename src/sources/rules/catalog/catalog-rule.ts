import type { RuleFile } from "../files/discover.ts";
import { readBody } from "../files/load.ts";
import type { Guard, Lint, Rule, When } from "../rule.ts";
import type { Entry, KnownRule } from "./cache.ts";

/** A rule that may apply. */
export class CatalogRule implements Rule {
  readonly name: string;
  readonly priority: number;
  readonly when: When;
  readonly guards: readonly Guard[];
  readonly file: RuleFile;
  readonly lints: readonly Lint[];
  readonly content: string;
  /** Fingerprint of its text. */
  readonly hash: string;
  readonly tokens: number;
  /** The rule has no text. */
  readonly isEmpty: boolean;
  /** Its text is at hand and need not be read from its file. */
  readonly isAtHand: boolean;
  #body: string | undefined;

  constructor(
    file: RuleFile,
    rule: KnownRule,
    entry: Pick<Entry, "content" | "hash" | "tokens">,
    lints: readonly Lint[],
  ) {
    this.name = rule.name;
    this.priority = rule.priority;
    this.when = rule.when;
    this.guards = rule.guards;
    this.file = file;
    this.lints = lints;
    this.content = entry.content;
    this.hash = entry.hash;
    this.tokens = entry.tokens;
    this.isEmpty = rule.isEmpty;
    this.isAtHand = rule.isEmpty || rule.body !== undefined;
    this.#body = rule.isEmpty ? "" : rule.body;
  }

  /** Its text. A long one is read from its file when it is asked for: most rules apply to few moments. */
  get body(): string {
    this.#body ??= readBody(this.file.path);
    return this.#body;
  }
}

/** A file that cannot apply, and why. */
export interface Reject {
  readonly path: string;
  readonly code: string;
  readonly message: string;
  readonly file?: RuleFile;
}
