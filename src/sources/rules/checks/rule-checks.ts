import { isRecord } from "../../../base/json.ts";
import type { CatalogRule } from "../catalog/catalog-rule.ts";
import type { Check } from "../rule.ts";
import type { Breach } from "./breach.ts";
import { type CheckSet, compileChecks } from "./check-set.ts";
import { type CommandsSoFar, NOTHING_SO_FAR } from "./commands-so-far.ts";
import type { CheckMemo } from "./memo.ts";

/** The checks of these rules. The user's own come first: if there is not enough time, a project's are skipped. */
export function checkSetOf(rules: readonly CatalogRule[]): CheckSet {
  const own = rules.filter(({ file }) => file.scope === "global");
  const others = rules.filter(({ file }) => file.scope !== "global");
  return compileChecks(
    [...own, ...others].map(({ file, name, checks }) => ({
      key: file.key,
      name,
      checks,
      isUsers: file.scope === "global",
    })),
  );
}

/** The check of a breach. */
export function checkFinder(rules: readonly CatalogRule[]): (breach: Breach) => Check | undefined {
  return ({ rule, check }) =>
    rules.find(({ file }) => file.key === rule)?.checks.find(({ id }) => id === check);
}

/** The text of a breach's rule, which may have to be read. Empty if the file was deleted. */
export function textFinder(rules: readonly CatalogRule[], { rule }: Breach): () => string {
  return () => {
    try {
      return rules.find(({ file }) => file.key === rule)?.body ?? "";
    } catch {
      return ""; // without it the refusal still names the rule
    }
  };
}

/** Which commands ran since which edits, from the memo. */
export function soFarOf({ soFar }: CheckMemo): CommandsSoFar {
  if (!isRecord(soFar)) return NOTHING_SO_FAR;
  const refs = (key: string) =>
    Array.isArray(soFar[key]) ? soFar[key].filter((one) => typeof one === "string") : [];
  return {
    ran: refs("ran"),
    hidden: refs("hidden"),
    edited: refs("edited"),
    editedNow: refs("editedNow"),
  };
}
