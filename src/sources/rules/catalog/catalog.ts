import type { Values } from "../../../base/settings.ts";
import type { SourceContext } from "../../../moments/ports/source.ts";
import type { Moment } from "../../../moments/types.ts";
import { discoverRules } from "../files/discover.ts";
import { type RuleFile, ruleFolders } from "../files/folders.ts";
import { HOOK_LIMITS, loadOrder, type RuleLimits } from "../files/limits.ts";
import { loadRules } from "./cache.ts";
import { type Catalog, CatalogRule, type Reject } from "./catalog-rule.ts";
import { alwaysOf } from "./digest.ts";
import { isLarge, readLargeSet, type Wanted, writeDigest } from "./large-set.ts";

export interface CatalogPlace {
  readonly root: string;
  readonly home: string;
  readonly env: NodeJS.ProcessEnv;
  readonly settings: Values;
  readonly host: string;
  readonly readOnly: boolean;
  readonly now: number;
  /** How much is read (default: as much as a hook has time for). */
  readonly limits?: RuleLimits;
  /** Which rules are needed. If set, the catalog of a large set may omit rules that cannot apply. */
  readonly wanted?: Wanted;
  /** Only the user's own rules. */
  readonly isUsersOnly?: boolean;
  readonly clock?: () => number;
}

/** The places of the rules for a moment. */
export function placeOf(moment: Moment, { home, env, settings, readOnly }: SourceContext): CatalogPlace {
  const { project, session, at: now } = moment;
  return { root: project.root, home, env, settings, host: session.host, readOnly, now };
}

/** All rules of a project and its user, without duplicates. */
export async function readCatalog(given: CatalogPlace): Promise<Catalog> {
  const { limits = HOOK_LIMITS, clock = Date.now } = given;
  const all = ruleFolders(given.root, given.home, given.env, given.settings, given.host);
  const folders = given.isUsersOnly === true ? all.filter(({ scope }) => scope === "global") : all;
  // The user's own rules are the same for every project, and have their own cache.
  const place = given.isUsersOnly === true ? { ...given, root: "" } : given;
  const kept = place.wanted && readLargeSet(place, folders, limits, place.wanted);
  if (kept !== undefined) return kept;
  const found = discoverRules(folders, limits, clock);
  const { order, skipped } = loadOrder(found.files, limits);
  const { entries, pending } = await loadRules(order, place, limits, clock);
  const rejects: Reject[] = [...found.skipped, ...skipped];
  const rules: CatalogRule[] = [];
  const repeated: { file: RuleFile; by: RuleFile }[] = [];
  const replaced: CatalogRule[] = [];
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
      if (file.scope === "global" && by.scope === "project" && one.rule.checks.length > 0)
        replaced.push(new CatalogRule(file, one.rule, entry, one.lints));
      continue;
    }
    byContent.set(entry.content, file);
    if (file.scope === "project") byName.set(nameOf(file), file);
    rules.push(new CatalogRule(file, one.rule, entry, one.lints));
  }
  if (place.wanted !== undefined && pending.length === 0)
    writeDigest(place, folders, limits, found, { files: found.files, rules, replaced, entries, rejects });
  return { rules, rejects, repeated, replaced, pending, ...(isLarge(found) && { always: alwaysOf(rules) }) };
}

/** A project's rule replaces a global one with the same path. The folders of Continuo and OpenCode count as one. */
function nameOf(file: RuleFile): string {
  const dialect = file.dialect === "opencode" ? "continuo" : file.dialect;
  return `${dialect}/${file.name}`;
}
