import { count } from "../../../base/when.ts";
import { findProject } from "../../../moments/project/project.ts";
import type { Project } from "../../../moments/types.ts";
import { readCatalog } from "../../../sources/rules/catalog/catalog.ts";
import type { Catalog } from "../../../sources/rules/catalog/catalog-rule.ts";
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
import { fail, type NamedFinding, ok, warn } from "./check.ts";

/** The current folder's rules as they are now. `checkFailures` reports past failures. */
export async function* checkRules(world: World, home: Home): AsyncGenerator<NamedFinding> {
  const { config, catalog } = await rulesHere(world, home);
  const { rules, rejects, pending } = catalog;
  const noRoom = leftOut(rules, ({ when }) => when.kind === "always", config);
  const mistakes = rules.flatMap(({ file, lints }) =>
    leftOutChecks(lints).map(({ message, hint }) => ({ message: `${file.path}: ${message}`, hint })),
  );
  const inactive = beyond(rejects) + beyond(noRoom);
  if (rejects.length + noRoom.length + mistakes.length + pending.length === 0)
    yield ok("rules", `${rules.length} loaded`, { rules: rules.length });
  for (const { message, code } of rejects.slice(0, MAX_SHOWN)) yield warn("rules", message, hintFor(code));
  for (const { message, hint } of [...noRoom.slice(0, MAX_SHOWN), ...mistakes.slice(0, MAX_SHOWN)])
    yield warn("rules", message, hint ?? "run: continuo rules check");
  if (beyond(mistakes) > 0)
    yield warn("rules", `${count(beyond(mistakes), "more check is", "more checks are")} left out`, LIST_THEM);
  if (inactive > 0)
    yield warn("rules", `${count(inactive, "more rule is", "more rules are")} inactive`, LIST_THEM);
  if (pending.length > 0)
    yield warn(
      "rules",
      `${count(pending.length, "rule file")} could not be read in time, such as ${pending[0]?.path}`,
      "when the machine is less busy, run: continuo doctor",
    );
}

const LIST_THEM = "to list them: continuo rules check";
const beyond = (all: readonly unknown[]): number => Math.max(0, all.length - MAX_SHOWN);
const MAX_SHOWN = 20;

function hintFor(code: string): string {
  return code === "rules-cut"
    ? "hooks use the other rules; remove files that are not rules, or split it: docs/rules.md has the limits"
    : "it is inactive until it is fixed: continuo rules check";
}

/** Writes nothing. */
async function rulesHere(
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
export async function* checkTrust(world: World, home: Home): AsyncGenerator<NamedFinding> {
  const trust = readTrust(home);
  if (trust.damage !== undefined) return yield fail("trust", trust.damage.message, trust.damage.hint);
  if (trust.projects.length === 0) return;
  const { project, catalog } = await rulesHere(world, home);
  const [waiting, ...more] = waitingRuns(trust, project.id, runsOf(catalog.rules));
  const others = more.length === 0 ? "" : ` and ${more.length} more`;
  if (waiting !== undefined)
    yield warn(
      "trust",
      `rules of ${project.root} want to run ${shownCommand(waiting.check.command)}${others}, which you have not accepted`,
      "to see and accept them: continuo rules trust",
    );
  if (haveChanged(trust, project.id, checksToTrust(catalog.rules)))
    yield warn(
      "trust",
      `the checks of ${project.root} have changed since you trusted them`,
      "after continuo rules untrust they only remind; to see and accept them: continuo rules trust",
    );
  else yield ok("trust", `checks of ${count(trust.projects.length, "project")} may stop tool calls`);
}
