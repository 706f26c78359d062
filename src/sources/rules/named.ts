import { withoutRuleExtension } from "../../base/slug.ts";
import type { NamedItem, NamedPlace } from "../../moments/ports/source.ts";
import { findProject } from "../../moments/project/project.ts";
import { loadConfig } from "../../store/config.ts";
import { readCatalog } from "./catalog/catalog.ts";
import type { CatalogRule } from "./catalog/catalog-rule.ts";
import { PATIENT_LIMITS } from "./files/limits.ts";

/** The rules of this project, by all the names that users have for them. */
export async function namedRules({
  cwd,
  env,
  home,
  now,
  sources,
}: NamedPlace): Promise<readonly NamedItem[]> {
  const { config } = loadConfig(home.config, await sources(), env);
  const catalog = await readCatalog({
    root: findProject(cwd).root,
    home: home.root,
    env,
    settings: config.sources["rules"] ?? {},
    host: "cli",
    readOnly: true,
    now: now(),
    limits: PATIENT_LIMITS,
  });
  return catalog.rules.map((rule) => ({
    key: rule.file.key,
    name: rule.name,
    isCalled: (said) => isCalled(said, rule),
  }));
}

/**
 * Whether the user may mean this rule: by its name, its file's name with or without the extension, its key or its path.
 */
export function isCalled(wanted: string, { name, file }: Pick<CatalogRule, "name" | "file">): boolean {
  return [name, file.name, file.key, file.path].some(
    (one) => one === wanted || withoutRuleExtension(one) === wanted,
  );
}
