import { ContinuoError } from "../../../base/errors.ts";
import { oneLine } from "../../../base/for-terminal.ts";
import { withoutRuleExtension } from "../../../base/slug.ts";
import { nearest } from "../../../base/text.ts";
import { shortPath } from "../../../moments/project/known-project.ts";
import type { Catalog, Reject } from "../catalog/catalog-rule.ts";

/** Refused files that the user may mean. */
export function refusedAs(wanted: string, { rejects }: Pick<Catalog, "rejects">): readonly Reject[] {
  return rejects.filter(
    ({ path }) => path.endsWith(`/${wanted}`) || withoutRuleExtension(path).endsWith(`/${wanted}`),
  );
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

/** Shown instead of an empty list. */
export function noRulesText(root: string, env: NodeJS.ProcessEnv): string {
  const where = oneLine(shortPath(root, env));
  return `There are no rules for ${where} yet. Add one: continuo rules add "Run the tests before you say done."`;
}

/** The only name that contains this text, because users type only part of a long name. */
export function containing(wanted: string, names: readonly string[]): string | undefined {
  const found = [...new Set(names)].filter((name) => name.toLowerCase().includes(wanted.toLowerCase()));
  return found.length === 1 ? found[0] : undefined;
}
