import type { Values } from "../../../base/settings.ts";
import { admit } from "../files/admit.ts";
import { discoverRules, type RuleFile } from "../files/discover.ts";
import { ruleFolders } from "../files/folders.ts";
import { HOOK_LIMITS, type RuleLimits } from "../files/limits.ts";
import { loadRules } from "./cache.ts";
import { CatalogRule, type Reject } from "./catalog-rule.ts";
import type { Wanted } from "./could-apply.ts";
import { alwaysOf } from "./digest.ts";
import { glance, isLarge, keepDigest } from "./large-set.ts";

export interface Catalog {
  readonly rules: readonly CatalogRule[];
  readonly rejects: readonly Reject[];
  /** Files that are not understood yet, because there were too many new ones for one call; the next calls go on. */
  readonly pending: readonly RuleFile[];
  /** Found a second time: shadowed by a project's rule of that name, or the same rule in another folder. */
  readonly repeated: readonly { readonly file: RuleFile; readonly by: RuleFile }[];
  /** Hash of all rules with a condition on files, where `rules` holds only those that could apply. */
  readonly tested?: string | null;
  /** Hash of the rules of a large set that are always on; `rules` may lack them if the session was given these. */
  readonly always?: string;
}

export interface CatalogPlace {
  readonly root: string;
  readonly home: string;
  readonly env: NodeJS.ProcessEnv;
  readonly settings: Values;
  readonly host: string;
  readonly readOnly: boolean;
  readonly now: number;
  /** How much may be looked at; without it, what a hook has time for. */
  readonly limits?: RuleLimits;
  /** Which rules are asked for. With it, the catalog of a large set may leave out rules that cannot apply. */
  readonly wanted?: Wanted;
  readonly clock?: () => number;
}

/** All rules of a project and its user, each once. */
export async function readCatalog(place: CatalogPlace): Promise<Catalog> {
  const { limits = HOOK_LIMITS, clock = Date.now } = place;
  const folders = ruleFolders(place.root, place.home, place.env, place.settings, place.host);
  const kept = place.wanted && glance(place, folders, limits, place.wanted);
  if (kept !== undefined) return kept;
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
  if (place.wanted !== undefined && pending.length === 0)
    keepDigest(place, folders, limits, found, { files: found.files, rules, entries, rejects });
  return { rules, rejects, repeated, pending, ...(isLarge(found) && { always: alwaysOf(rules) }) };
}

/** A project's rule shadows a global one of the same path, whichever of the two own folders each lies in. */
function nameOf(file: RuleFile): string {
  const kin = file.dialect === "opencode" ? "continuo" : file.dialect;
  return `${kin}/${file.name}`;
}
