import type { CatalogRule } from "../../../sources/rules/catalog-rule.ts";
import { leftOut } from "../rules/left-out.ts";
import { type Check, ok, warn } from "./check.ts";
import { rulesHere } from "./rules-here.ts";

/** The rules of the folder that doctor is called in, as they are now; what failed in the past is another check. */
export const checkRules: Check = async (world, home) => {
  if (home === undefined) return [];
  const { config, catalog } = await rulesHere(world, home);
  const { rejects, pending } = catalog;
  const isAlwaysOn = (rule: CatalogRule) => rule.when.kind === "always";
  const noRoom = leftOut(catalog.rules, isAlwaysOn, config);
  const more = Math.max(0, rejects.length - MAX_SHOWN) + Math.max(0, noRoom.length - MAX_SHOWN);
  const findings = [
    ...rejects.slice(0, MAX_SHOWN).map(({ message, code }) => warn("rules", message, hintFor(code))),
    ...noRoom.slice(0, MAX_SHOWN).map(({ message, hint }) => warn("rules", message, hint)),
    ...(more > 0
      ? [warn("rules", `${more} more rules are inactive`, "continuo rules check lists them")]
      : []),
    ...(pending.length > 0
      ? [
          warn(
            "rules",
            `${pending.length} rule files could not be read in time, such as ${pending[0]?.path}`,
            "run it again on a machine with less to do",
          ),
        ]
      : []),
  ];
  return findings.length > 0 ? findings : [ok("rules", `${catalog.rules.length} understood here`)];
};

const MAX_SHOWN = 20;

function hintFor(code: string): string {
  return code === "rules-cut"
    ? "hooks use the rest; remove what does not belong there, or split it up: docs/rules.md has the limits"
    : "it is inactive until it is mended: continuo rules check";
}
