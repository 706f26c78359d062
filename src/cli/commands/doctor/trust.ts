import { readTrust } from "../../../store/trust.ts";
import { guardsOf, haveChanged } from "../rules/guards-shown.ts";
import { type Check, fail, ok, warn } from "./check.ts";
import { rulesHere } from "./rules-here.ts";

/** Whether it is known whose guards may stop tool calls, and whether they are still those that were shown. */
export const checkTrust: Check = async (world, home) => {
  if (home === undefined) return [];
  const trust = readTrust(home);
  if (trust.damage !== undefined) return [fail("trust", trust.damage.message, trust.damage.hint)];
  const count = trust.projects.length;
  if (count === 0) return [];
  const { project, catalog } = await rulesHere(world, home);
  if (haveChanged(trust, project.id, guardsOf(catalog.rules)))
    return [
      warn(
        "trust",
        `the guards of ${project.root} have changed since you trusted it`,
        "continuo rules trust shows them; continuo rules untrust turns them off",
      ),
    ];
  return [ok("trust", `guards of ${count} ${count === 1 ? "project" : "projects"} may stop tool calls`)];
};
