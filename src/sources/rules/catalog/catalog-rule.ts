import type { RuleFile } from "../files/folders.ts";
import { readBody } from "../files/load.ts";
import type { Check, Lint, Parsed, Rule, When } from "../rule.ts";

/** What the cache stores for one rule file. */
export interface CacheEntry {
  readonly stamp: string;
  readonly parsed: CachedParse;
  /** Hash of the rule's text, conditions and checks: equal for the same rule in two places. */
  readonly content: string;
  /** Hash of its text alone. */
  readonly hash: string;
  readonly tokens: number;
  /** Length of its conditions and checks as JSON. */
  readonly size: number;
  /** It was read so soon after a change that another change might go unnoticed. */
  readonly isYoung?: true;
}

type CachedParse =
  | { readonly kind: "rule"; readonly rule: CachedRule; readonly lints: readonly Lint[] }
  | Extract<Parsed, { kind: "refused" }>;

interface CachedRule extends Omit<Rule, "body"> {
  /** Absent if the text is too long to be cached. */
  readonly body?: string;
  readonly isEmpty: boolean;
}

/** A rule in the catalog. */
export class CatalogRule implements Rule {
  readonly name: string;
  readonly priority: number;
  readonly when: When;
  readonly checks: readonly Check[];
  readonly file: RuleFile;
  readonly lints: readonly Lint[];
  readonly content: string;
  /** Hash of its text. */
  readonly hash: string;
  readonly tokens: number;
  /** Whether it has no text. */
  readonly isEmpty: boolean;
  /** Whether its text is in memory and need not be read from its file. */
  readonly isAtHand: boolean;
  #body: string | undefined;

  constructor(
    file: RuleFile,
    rule: CachedRule,
    entry: Pick<CacheEntry, "content" | "hash" | "tokens">,
    lints: readonly Lint[],
  ) {
    this.name = rule.name;
    this.priority = rule.priority;
    this.when = rule.when;
    this.checks = rule.checks;
    this.file = file;
    this.lints = lints;
    this.content = entry.content;
    this.hash = entry.hash;
    this.tokens = entry.tokens;
    this.isEmpty = rule.isEmpty;
    this.isAtHand = rule.isEmpty || rule.body !== undefined;
    this.#body = rule.isEmpty ? "" : rule.body;
  }

  /** Its text. A long text is read from the file only when needed, because most rules rarely apply. */
  get body(): string {
    this.#body ??= readBody(this.file.path);
    return this.#body;
  }
}

/** A file that is not used as a rule, and why. */
export interface Reject {
  readonly path: string;
  readonly code: string;
  readonly message: string;
  readonly file?: RuleFile;
}

export interface Catalog {
  readonly rules: readonly CatalogRule[];
  readonly rejects: readonly Reject[];
  /** Files that are not parsed yet, because one call could not parse all new ones. The next calls continue. */
  readonly pending: readonly RuleFile[];
  /** Duplicates: the same rule in another folder, or a global rule that a project's rule of the same name replaces. */
  readonly repeated: readonly { readonly file: RuleFile; readonly by: RuleFile }[];
  /**
   * The user's own rules with checks that a project's rule replaces, by its path or its content. In a project that the
   * user does not trust, their checks apply nevertheless.
   */
  readonly replaced: readonly CatalogRule[];
  /** Hash of all rules with a condition on files. Set if `rules` contains only those that could apply. */
  readonly tested?: string | null;
  /** For large sets, at a tool call: all rules with checks, most of which are not in `rules`. */
  readonly checked?: readonly CatalogRule[];
  /** For large sets: hash of the rules that are always on. `rules` may omit them if the session already has them. */
  readonly always?: string;
}
