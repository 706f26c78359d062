import { ContinuoError } from "../../../base/errors.ts";
import { oneLine } from "../../../base/for-terminal.ts";
import { nearest } from "../../../base/text.ts";
import type { Catalog, CatalogRule, Reject } from "../../../sources/rules/catalog/catalog-rule.ts";

/** Whether people may mean this rule: by its name, its file's name with or without the extension, its key or its path. */
export function isCalled(wanted: string, { name, file }: Pick<CatalogRule, "name" | "file">): boolean {
  return [name, file.name, file.key, file.path].some((one) => one === wanted || stem(one) === wanted);
}

/** Refused files that people may mean. */
export function refusedAs(wanted: string, { rejects }: Pick<Catalog, "rejects">): readonly Reject[] {
  return rejects.filter(({ path }) => path.endsWith(`/${wanted}`) || stem(path).endsWith(`/${wanted}`));
}

export function unknownRule(wanted: string, names: readonly string[]): ContinuoError {
  const near = nearest(wanted, names);
  return new ContinuoError("no-such-rule", `unknown rule "${wanted}"`, {
    hint:
      near === undefined
        ? `rules of this project: ${oneLine(names.join(", ")) || "none"}`
        : `did you mean "${oneLine(near)}"?`,
  });
}

/** Without the extension, which people may leave out. */
export function stem(name: string): string {
  return name.replace(/\.(instructions\.)?(mdc?|txt)$/i, "");
}
