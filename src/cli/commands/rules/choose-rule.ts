import { ContinuoError } from "../../../base/errors.ts";
import { oneLine } from "../../../base/for-terminal.ts";
import { nearest } from "../../../base/text.ts";
import { shortPath } from "../../../moments/project/known-project.ts";
import type { Project } from "../../../moments/types.ts";
import type { Catalog, CatalogRule, Reject } from "../../../sources/rules/catalog/catalog-rule.ts";
import type { Input } from "../../command.ts";
import { PLAIN } from "../../terminal/screen.ts";
import { wrapOn } from "../../terminal/wrap.ts";

/** Whether people may mean this rule: by its name, its file's name with or without the extension, its key or its path. */
export function isCalled(wanted: string, { name, file }: Pick<CatalogRule, "name" | "file">): boolean {
  return [name, file.name, file.key, file.path].some((one) => one === wanted || stem(one) === wanted);
}

/** Refused files that people may mean. */
export function refusedAs(wanted: string, { rejects }: Pick<Catalog, "rejects">): readonly Reject[] {
  return rejects.filter(({ path }) => path.endsWith(`/${wanted}`) || stem(path).endsWith(`/${wanted}`));
}

export function unknownRule(wanted: string, names: readonly string[]): ContinuoError {
  const near = nearest(wanted, names) ?? containing(wanted, names);
  return new ContinuoError("no-such-rule", `unknown rule "${wanted}"`, {
    hint:
      near === undefined
        ? names.length === 0
          ? 'there are no rules yet; add one: continuo rules add "…"'
          : `rules of this project: ${oneLine(names.join(", "))}`
        : `did you mean "${oneLine(near)}"?`,
  });
}

/** Instead of an empty list. */
export function noRulesText({ root }: Project, { env, screen = PLAIN }: Input): string {
  const where = oneLine(shortPath(root, env));
  const text = `There are no rules for ${where} yet. Add one: continuo rules add "Run the tests before you say done."`;
  return wrapOn(text, screen);
}

/** The only name with this in it: people type the beginning of a long one. */
export function containing(wanted: string, names: readonly string[]): string | undefined {
  const found = [...new Set(names)].filter((name) => name.toLowerCase().includes(wanted.toLowerCase()));
  return found.length === 1 ? found[0] : undefined;
}

/** Without the extension, which people may leave out. */
export function stem(name: string): string {
  return name.replace(/\.(instructions\.)?(mdc?|txt)$/i, "");
}
