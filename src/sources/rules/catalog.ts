import type { HostName } from "../../moments/types.ts";
import type { Values } from "../../store/settings.ts";
import { loadRules } from "./cache.ts";
import { discoverRules, type RuleFile } from "./discover.ts";
import { ruleFolders } from "./folders.ts";
import type { Lint, Rule } from "./rule.ts";

/** A rule that may apply. */
export interface CatalogRule extends Rule {
  readonly file: RuleFile;
  readonly lints: readonly Lint[];
  readonly content: string;
  readonly tokens: number;
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
}

/** All rules of a project and its user, each once. */
export async function readCatalog(place: CatalogPlace): Promise<Catalog> {
  const rejects: Reject[] = [];
  const folders = ruleFolders(place.root, place.home, place.env, place.settings, place.host);
  const files = discoverRules(folders, (path, code) =>
    rejects.push({ path, code: "rule-unreadable", message: `${path} cannot be read (${code})` }),
  );
  const entries = await loadRules(files, place);
  const rules: CatalogRule[] = [];
  const repeated: { file: RuleFile; by: RuleFile }[] = [];
  const byName = new Map<string, RuleFile>();
  const byContent = new Map<string, RuleFile>();
  files.forEach((file, i) => {
    const entry = entries[i];
    if (entry === undefined) return;
    const one = entry.parsed;
    if (one.kind === "refused") {
      rejects.push({ path: file.path, code: one.code, message: one.message, file });
      return;
    }
    const by =
      byContent.get(entry.content) ?? (file.scope === "global" ? byName.get(nameOf(file)) : undefined);
    if (by !== undefined) {
      repeated.push({ file, by });
      return;
    }
    byContent.set(entry.content, file);
    if (file.scope === "project") byName.set(nameOf(file), file);
    rules.push({ ...one.rule, file, lints: one.lints, content: entry.content, tokens: entry.tokens });
  });
  return { rules, rejects, repeated };
}

/** A project's rule shadows a global one of the same path, whichever of the two own folders each lies in. */
function nameOf(file: RuleFile): string {
  const kin = file.dialect === "opencode" ? "continuo" : file.dialect;
  return `${kin}/${file.name}`;
}
