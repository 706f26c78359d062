import { ContinuoError, describeError } from "../../../base/errors.ts";
import { count } from "../../../base/when.ts";
import { type Finding, hasEntries, type Installer, partsOf } from "../../../hosts/port/installer.ts";
import { missingGuardHook } from "../../../hosts/shared/install/rewire-hooks.ts";
import { readSettingsFile, withoutMark } from "../../../hosts/shared/install/settings-file.ts";
import { isChange } from "../../../hosts/shared/install/wire.ts";
import { shortPath } from "../../../moments/project/known-project.ts";
import { allAgents, lookAt, whereIs, withoutReassurance } from "../../../setup/agents.ts";
import { askVersion, skippedProgram } from "../../../setup/host-program.ts";
import { asOne, currentWiring } from "../../../setup/inspect.ts";
import { type Planned, planSetUp } from "../../../setup/plan.ts";
import { abandonedCopies, removeAbandonedCopies } from "../../../store/abandoned.ts";
import type { Home } from "../../../store/home.ts";
import type { World } from "../../command.ts";
import { type Fix, fail, fixable, type NamedFinding, ok, warn } from "./check.ts";
import { prove } from "./prove.ts";

/** One line for each agent: what its settings say, and whether running it works. One more if none is set up. */
export async function* checkHosts(world: World, home: Home | undefined): AsyncGenerator<NamedFinding> {
  const installers = await allAgents(world);
  const agents: Agent[] = [];
  // In sequence, so that measured times do not distort each other.
  for (const installer of installers) agents.push(await checkHost(installer, world, home));
  const connected = agents.filter(({ state }) => state === "connected").length;
  if (connected === 0) yield nothingSetUp(agents);
  yield* agents.map(({ finding }) => finding);
  yield* copiesLeft(installers, world.env);
  if (connected > 0) yield ok("agents", `${connected} set up`, { agents: connected });
}

/**
 * Copies left by a process that was killed while writing. They may contain anything in the settings, even passwords.
 */
function* copiesLeft(installers: readonly Installer[], env: NodeJS.ProcessEnv): Generator<NamedFinding> {
  const files = installers.flatMap((installer) => partsOf(installer).map((part) => part.settingsFile(env)));
  for (const file of new Set(files)) {
    const copies = abandonedCopies(file);
    const what = `${count(copies.length, "unfinished copy", "unfinished copies")} of ${shortPath(file, env)}`;
    const run = () => {
      removeAbandonedCopies(file);
      return `removed ${what}`;
    };
    if (copies.length > 0)
      yield fixable("warn", "settings", `a killed process of Continuo left ${what}: ${copies[0]}`, run);
  }
}

interface Agent {
  readonly label: string;
  readonly host: string;
  /** `broken`: its settings cannot be used, so the state is unknown. */
  readonly state: "connected" | "found" | "absent" | "broken";
  readonly finding: NamedFinding;
}

/** Without an agent Continuo does nothing, so this is never "no problems". */
function nothingSetUp(agents: readonly Agent[]): NamedFinding {
  const found = agents.filter(({ state }) => state === "found");
  const [only] = found;
  const say = (detail: string, mend: string) => warn("agents", `No agent is set up${detail}`, mend);
  if (only !== undefined) {
    const names = found.map(({ label }) => label).join(", ");
    const command = found.length === 1 ? `continuo install ${only.host}` : "continuo install";
    return say(`. Found on this machine: ${names}`, `run: ${command}`);
  }
  const unused = agents.find(({ finding }) => finding.detail.startsWith(FOUND_ONLY));
  if (unused !== undefined) return say(`. ${unused.label} was ${unused.finding.detail}`, unused.finding.mend);
  return say(
    ", and none was found on the PATH or in the usual folders",
    "install one, such as Claude Code, then run: continuo install",
  );
}

async function checkHost(installer: Installer, world: World, home: Home | undefined): Promise<Agent> {
  const { label, host } = installer;
  const agent = (state: Agent["state"], finding: NamedFinding): Agent => ({ label, host, state, finding });
  try {
    const { program, isFound } = whereIs(installer, world);
    const where = program === undefined ? "" : ` (${shortPath(program, world.env)})`;
    if (!isFound) {
      const skipped = skippedProgram(installer.versionCommand, world.env, world.cwd);
      if (skipped === undefined) return agent("absent", ok(label, NOT_FOUND));
      const where = `${FOUND_ONLY} ${skipped.where}: ${shortPath(skipped.path, world.env)}`;
      return agent("absent", { ...ok(label, where), mend: `run: continuo install ${host}` });
    }
    world.progress?.(`Checking ${label} …`);
    const { wiring, parts, present, half, isSetUp } = await lookAt(installer, world, home);
    const isHalf = !isSetUp && hasEntries(present.adds);
    if (half !== undefined) {
      const fix = finish(installer, world, half.planned);
      return agent("connected", { what: label, ...half.finding, fix });
    }
    const findings: Finding[] = [];
    for (const { seen, probes } of parts) {
      findings.push(...seen);
      if (seen.some(({ status }) => status === "fail")) continue;
      for (const probe of probes) findings.push(await prove(probe, world.env));
    }
    if (!isSetUp && !isHalf && !findings.some(({ status }) => status === "fail")) {
      // That is the user's choice, and a problem only if no agent is set up.
      return agent("found", {
        ...ok(label, `found${where}${NOT_SET_UP}`),
        mend: `run: continuo install ${host}`,
      });
    }
    const hooks = withoutMark(readSettingsFile(installer.settingsFile(world.env)) ?? "");
    const version = () => askVersion(installer.versionCommand, world.env, world.cwd);
    findings.push(...((await installer.inspectVersion?.(hooks, wiring, version)) ?? []));
    // For example hooks that the host does not run until the user trusts them: otherwise nothing works, without any
    // message.
    const toDo = (installer.besides?.(world.env, false) ?? []).map(
      ({ what, how }): Finding => ({ status: "warn", detail: what, mend: how }),
    );
    const all = { what: label, ...asOne([...findings, ...toDo]) };
    if (all.status === "ok") return agent("connected", all);
    // Missing parts were omitted or removed on purpose, so they are not fixed without asking.
    if (!isSetUp) return agent(isHalf ? "connected" : "broken", all);
    const fix = setUpAgain(installer, world, home, findings);
    return agent("connected", fix === undefined ? all : { ...all, fix });
  } catch (error) {
    const { message, hint } = describeError(error);
    return agent("broken", fail(label, message, withoutReassurance(hint ?? AGAIN)));
  }
}

const AGAIN = "correct that, then run: continuo doctor";
export const FOUND_ONLY = "found only";
export const NOT_FOUND = "not found on this machine";
export const NOT_SET_UP = ", not set up";

/**
 * Repeats the setup of an agent that is already set up, like `continuo install`. undefined if that would not help: its
 * findings then say what does. Connecting another agent is the user's decision.
 */
function setUpAgain(
  installer: Installer,
  world: World,
  home: Home | undefined,
  findings: readonly Finding[],
): Fix | undefined {
  const command = `continuo install ${installer.host}`;
  const isInstallation = ({ mend }: Finding) =>
    mend.endsWith(command) || mend.startsWith("run continuo install");
  const wrong = findings.filter(({ status }) => status !== "ok");
  if (home === undefined || wrong.length === 0 || !wrong.every(isInstallation)) return undefined;
  return { run: () => install(installer, world, home) };
}

/** Completes an interrupted setup or removal. */
function finish(installer: Installer, world: World, planned: Planned): Fix {
  return {
    run() {
      refuseCache(installer, world);
      return `finished (${apply(planned, world)})`;
    },
  };
}

async function install(installer: Installer, world: World, home: Home): Promise<string> {
  const now = await currentWiring(installer, world, home);
  if (missingGuardHook(installer, world.env, home, now) === "removed")
    throw left(installer, "you removed its hook before tool calls, so it is not added again");
  refuseCache(installer, world);
  // What the user omitted stays omitted: the MCP server, the status line.
  const planned = await planSetUp(world, installer, home, { mcp: now.mcp !== undefined });
  const files = apply(planned, world);
  if (files === "") throw left(installer, "its settings are as an installation writes them");
  return `set up again (${files}). To undo: continuo uninstall ${installer.host}`;
}

function refuseCache(installer: Installer, { packageRoot }: World): void {
  if (/[\\/]_npx[\\/]/.test(packageRoot))
    throw left(installer, "this copy of Continuo is in the npx cache, which npm may empty");
}

/** Returns the files and their backups. */
function apply(planned: Planned, world: World): string {
  const backups = planned.apply(world.now());
  const files = planned.changes.filter(isChange).map(({ file }) => {
    const backup = backups.get(file);
    const kept = backup === undefined ? "" : `, backup ${shortPath(backup, world.env)}`;
    return `${shortPath(file, world.env)}${kept}`;
  });
  return files.join("; ");
}

function left({ host }: Installer, why: string): ContinuoError {
  return new ContinuoError("not-fixed", why, { hint: `to set it up all the same: continuo install ${host}` });
}
