import { findProject } from "../../../moments/project/project.ts";
import type { Project } from "../../../moments/types.ts";
import { readCatalog } from "../../../sources/rules/catalog/catalog.ts";
import type { Catalog, CatalogRule } from "../../../sources/rules/catalog/catalog-rule.ts";
import { shownCommand } from "../../../sources/rules/checks/describe.ts";
import { leftOutChecks } from "../../../sources/rules/checks/left-out.ts";
import { PATIENT_LIMITS } from "../../../sources/rules/files/limits.ts";
import { leftOut } from "../../../sources/rules/no-room.ts";
import { runsOf, waitingRuns } from "../../../sources/rules/run/runs.ts";
import { checksToTrust, haveChanged } from "../../../sources/rules/trusted-checks.ts";
import { type Config, loadConfig } from "../../../store/config.ts";
import type { Home } from "../../../store/home.ts";
import { readTrust } from "../../../store/trust.ts";
import type { World } from "../../command.ts";
import { counted } from "../../terminal/table.ts";
import { type Check, fail, ok, warn } from "./check.ts";

/** The rules of the current folder as they are now. `checkFailures` reports past failures. */
export const checkRules: Check = async (world, home) => {
  if (home === undefined) return [];
  const { config, catalog } = await rulesHere(world, home);
  const { rejects, pending } = catalog;
  const isAlwaysOn = (rule: CatalogRule) => rule.when.kind === "always";
  const noRoom = leftOut(catalog.rules, isAlwaysOn, config);
  const mistakes = catalog.rules.flatMap(({ file, lints }) =>
    leftOutChecks(lints).map(({ message, hint }) => ({ message: `${file.path}: ${message}`, hint })),
  );
  const more = Math.max(0, rejects.length - MAX_SHOWN) + Math.max(0, noRoom.length - MAX_SHOWN);
  const findings = [
    ...rejects.slice(0, MAX_SHOWN).map(({ message, code }) => warn("rules", message, hintFor(code))),
    ...noRoom.slice(0, MAX_SHOWN).map(({ message, hint }) => warn("rules", message, hint)),
    ...mistakes
      .slice(0, MAX_SHOWN)
      .map(({ message, hint }) => warn("rules", message, hint ?? "run: continuo rules check")),
    ...(mistakes.length > MAX_SHOWN
      ? [
          warn(
            "rules",
            `${counted(mistakes.length - MAX_SHOWN, "more check is", "more checks are")} left out`,
            "to list them: continuo rules check",
          ),
        ]
      : []),
    ...(more > 0
      ? [
          warn(
            "rules",
            `${counted(more, "more rule is", "more rules are")} inactive`,
            "to list them: continuo rules check",
          ),
        ]
      : []),
    ...(pending.length > 0
      ? [
          warn(
            "rules",
            `${counted(pending.length, "rule file")} could not be read in time, such as ${pending[0]?.path}`,
            "when the machine is less busy, run: continuo doctor",
          ),
        ]
      : []),
  ];
  return findings.length > 0
    ? findings
    : [ok("rules", `${catalog.rules.length} loaded`, { rules: catalog.rules.length })];
};

const MAX_SHOWN = 20;

function hintFor(code: string): string {
  return code === "rules-cut"
    ? "hooks use the other rules; remove files that are not rules, or split it: docs/rules.md has the limits"
    : "it is inactive until it is fixed: continuo rules check";
}

/** Writes nothing. */
export async function rulesHere(
  world: World,
  home: Home,
): Promise<{ project: Project; config: Config; catalog: Catalog }> {
  const project = findProject(world.cwd);
  const { config } = loadConfig(home.config, await world.sources(), world.env);
  const catalog = await readCatalog({
    root: project.root,
    home: home.root,
    env: world.env,
    settings: config.sources["rules"] ?? {},
    host: "cli",
    readOnly: true,
    now: world.now(),
    limits: PATIENT_LIMITS,
  });
  return { project, config, catalog };
}

/** Whether trust.json can be read, and whether the checks here are still those that the user saw. */
export const checkTrust: Check = async (world, home) => {
  if (home === undefined) return [];
  const trust = readTrust(home);
  if (trust.damage !== undefined) return [fail("trust", trust.damage.message, trust.damage.hint)];
  const count = trust.projects.length;
  if (count === 0) return [];
  const { project, catalog } = await rulesHere(world, home);
  const [waiting, ...more] = waitingRuns(trust, project.id, runsOf(catalog.rules));
  const others = more.length === 0 ? "" : ` and ${more.length} more`;
  const runs =
    waiting === undefined
      ? []
      : [
          warn(
            "trust",
            `rules of ${project.root} want to run ${shownCommand(waiting.check.command)}${others}, which you have not accepted`,
            "to see and accept them: continuo rules trust",
          ),
        ];
  if (haveChanged(trust, project.id, checksToTrust(catalog.rules)))
    return [
      ...runs,
      warn(
        "trust",
        `the checks of ${project.root} have changed since you trusted them`,
        "after continuo rules untrust they only remind; to see and accept them: continuo rules trust",
      ),
    ];
  return [...runs, ok("trust", `checks of ${counted(count, "project")} may stop tool calls`)];
};
