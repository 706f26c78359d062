import type { HostName } from "../../moments/types.ts";
import type { Values } from "../../store/settings.ts";
import { admit } from "./admit.ts";
import { type Entry, type KnownRule, loadRules } from "./cache.ts";
import { discoverRules, type RuleFile } from "./discover.ts";
import { ruleFolders } from "./folders.ts";
import { HOOK_LIMITS, type RuleLimits } from "./limits.ts";
import { readBody } from "./load.ts";
import type { Guard, Lint, Rule, When } from "./rule.ts";

/** A rule that may apply. */
export class CatalogRule implements Rule {
  readonly name: string;
  readonly priority: number;
  readonly when: When;
  readonly guards: readonly Guard[];
  readonly file: RuleFile;
  readonly lints: readonly Lint[];
  readonly content: string;
  readonly tokens: number;
  /** The rule has no text. */
  readonly isEmpty: boolean;
  /** Its text is at hand and need not be read from its file. */
  readonly isAtHand: boolean;
  #body: string | undefined;

  constructor(file: RuleFile, rule: KnownRule, entry: Entry, lints: readonly Lint[]) {
    this.name = rule.name;
    this.priority = rule.priority;
    this.when = rule.when;
    this.guards = rule.guards;
    this.file = file;
    this.lints = lints;
    this.content = entry.content;
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

export interface Catalog {
  readonly rules: readonly CatalogRule[];
  readonly rejects: readonly Reject[];
  /** Files that are not understood yet, because there were too many new ones for one call; the next calls go on. */
  readonly pending: readonly RuleFile[];
  /** Found a second time: shadowed by a project's rule of that name, or the same rule in another folder. */
  readonly repeated: readonly { readonly file: RuleFile; readonly by: RuleFile }[];
}

export interface CatalogPlace {
  readonly root: string;
  readonly home: string;
  readonly env: NodeJS.ProcessEnv;
  readonly settings: Values;
  readonly host: HostName;
  readonly readOnly: boolean;
  readonly now: number;
  /** How much may be looked at; without it, what a hook has time for. */
  readonly limits?: RuleLimits;
  readonly clock?: () => number;
}

/** All rules of a project and its user, each once. */
export async function readCatalog(place: CatalogPlace): Promise<Catalog> {
  const { limits = HOOK_LIMITS, clock = Date.now } = place;
  const folders = ruleFolders(place.root, place.home, place.env, place.settings, place.host);
  const found = discoverRules(folders, limits, clock);
  const { order, untold } = admit(found.files, limits);
  const { entries, pending } = await loadRules(order, place, limits, clock);
  const rejects: Reject[] = [...found.untold, ...untold];
  const rules: CatalogRule[] = [];
  const repeated: { file: RuleFile; by: RuleFile }[] = [];
  const byName = new Map<string, RuleFile>();
  const byContent = new Map<string, RuleFile>();
  for (const file of found.files) {
    const entry = entries[file.path];
    if (entry === undefined) continue;
    const one = entry.parsed;
    if (one.kind === "refused") {
      rejects.push({ path: file.path, code: one.code, message: one.message, file });
      continue;
    }
    const by =
      byContent.get(entry.content) ?? (file.scope === "global" ? byName.get(nameOf(file)) : undefined);
    if (by !== undefined) {
      repeated.push({ file, by });
      continue;
    }
    byContent.set(entry.content, file);
    if (file.scope === "project") byName.set(nameOf(file), file);
    rules.push(new CatalogRule(file, one.rule, entry, one.lints));
  }
  return { rules, rejects, repeated, pending };
}

/** A project's rule shadows a global one of the same path, whichever of the two own folders each lies in. */
function nameOf(file: RuleFile): string {
  const kin = file.dialect === "opencode" ? "continuo" : file.dialect;
  return `${kin}/${file.name}`;
}
