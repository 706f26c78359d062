import { describeError } from "../../../base/errors.ts";
import { type Finding, hasEntries, type Installer, partsOf } from "../../../hosts/port/installer.ts";
import { readSettingsFile, withoutMark } from "../../../hosts/shared/install/settings-file.ts";
import { shortPath } from "../../../moments/project/known-project.ts";
import { abandonedCopies, removeAbandonedCopies } from "../../../store/abandoned.ts";
import type { Home } from "../../../store/home.ts";
import type { World } from "../../command.ts";
import { counted } from "../../terminal/table.ts";
import { allAgents, inSettings } from "../install/agents.ts";
import { halfDone } from "../install/half-done.ts";
import { askVersion, programOf, skippedProgram } from "../install/host-program.ts";
import { currentWiring, inspectParts, isHere } from "../install/inspect.ts";
import { withoutReassurance } from "../install/words.ts";
import { type Check, fail, fixable, type NamedFinding, ok, warn } from "./check.ts";
import { finish, setUpAgain } from "./fix-host.ts";
import { prove } from "./prove.ts";

/** One line for each agent: what its settings say, and whether that works when it is run. One more if none is set up. */
export const checkHosts: Check = async (world, home) => {
  const agents: Agent[] = [];
  // One after the other, so that the measured times are not distorted by each other.
  for (const installer of await allAgents(world)) agents.push(await checkHost(installer, world, home));
  const connected = agents.filter(({ state }) => state === "connected").length;
  const findings = [
    ...agents.map(({ finding }) => finding),
    ...copiesLeft(await allAgents(world), world.env),
  ];
  if (connected === 0) return [nothingSetUp(agents), ...findings];
  return [...findings, ok("agents", `${connected} set up`, { agents: connected })];
};

/** Of a process that was killed while it wrote. A copy may hold whatever the settings hold, also passwords. */
function copiesLeft(installers: readonly Installer[], env: NodeJS.ProcessEnv): NamedFinding[] {
  const files = installers.flatMap((installer) => partsOf(installer).map((part) => part.settingsFile(env)));
  return [...new Set(files)].flatMap((file) => {
    const copies = abandonedCopies(file);
    if (copies.length === 0) return [];
    const what = `${counted(copies.length, "unfinished copy", "unfinished copies")} of ${shortPath(file, env)}`;
    const run = () => {
      removeAbandonedCopies(file);
      return `removed ${what}`;
    };
    return [fixable("warn", "settings", `a killed process of Continuo left ${what}: ${copies[0]}`, run)];
  });
}

interface Agent {
  readonly label: string;
  readonly host: string;
  /** `broken`: its settings cannot be used, so nobody knows. */
  readonly state: "connected" | "found" | "absent" | "broken";
  readonly finding: NamedFinding;
}

/** Without an agent Continuo does nothing, so this is never "no problems". */
function nothingSetUp(agents: readonly Agent[]): NamedFinding {
  const found = agents.filter(({ state }) => state === "found");
  const [only] = found;
  const unused = agents.find(({ finding }) => finding.detail.startsWith(FOUND_ONLY));
  if (only === undefined && unused !== undefined)
    return warn(
      "agents",
      `No agent is set up. ${unused.label} was ${unused.finding.detail}`,
      unused.finding.mend,
    );
  if (only === undefined)
    return warn(
      "agents",
      "No agent is set up, and none was found on the PATH or in the usual folders",
      "install one, such as Claude Code, then run: continuo install",
    );
  const names = found.map(({ label }) => label).join(", ");
  const command = found.length === 1 ? `continuo install ${only.host}` : "continuo install";
  return warn("agents", `No agent is set up. Found on this machine: ${names}`, `run: ${command}`);
}

async function checkHost(installer: Installer, world: World, home: Home | undefined): Promise<Agent> {
  const { label, host } = installer;
  const agent = (state: Agent["state"], finding: NamedFinding): Agent => ({ label, host, state, finding });
  try {
    const program = programOf(installer.versionCommand, world.env, world.cwd);
    const where = program === undefined ? "" : ` (${shortPath(program, world.env)})`;
    const isFound = program !== undefined || isHere(installer, world.env);
    if (!isFound) {
      const skipped = skippedProgram(installer.versionCommand, world.env, world.cwd);
      if (skipped === undefined) return agent("absent", ok(label, NOT_FOUND));
      const where = `${FOUND_ONLY} ${skipped.where}: ${shortPath(skipped.path, world.env)}`;
      return agent("absent", { ...ok(label, where), mend: `run: continuo install ${host}` });
    }
    world.progress?.(`Checking ${label} …`);
    const wiring = await currentWiring(installer, world, home);
    const parts = [...inspectParts(installer, world.env, wiring)];
    const [main] = parts;
    const isSetUp = main !== undefined && (main.probes.length > 0 || main.seen[0]?.status === "ok");
    const findings: Finding[] = [];
    for (const { seen, probes } of parts) {
      findings.push(...seen);
      if (seen.some(({ status }) => status === "fail")) continue;
      for (const probe of probes) findings.push(await prove(probe, world.env));
    }
    const { adds } = inSettings(installer, world.env);
    const isHalf = !isSetUp && hasEntries(adds);
    const half = home && (await halfDone(world, installer, home, { adds, main: main?.seen[0] }));
    if (half !== undefined)
      return agent("connected", {
        what: label,
        ...half.finding,
        fix: finish(installer, world, half.planned),
      });
    if (!isSetUp && !isHalf && !findings.some(({ status }) => status === "fail")) {
      // That is the user's choice: only if no agent is set up, something is missing.
      return agent("found", {
        ...ok(label, `found${where}${NOT_SET_UP}`),
        mend: `run: continuo install ${host}`,
      });
    }
    const hooks = withoutMark(readSettingsFile(installer.settingsFile(world.env)) ?? "");
    const version = () => askVersion(installer.versionCommand, world.env, world.cwd);
    findings.push(...((await installer.inspectVersion?.(hooks, wiring, version)) ?? []));
    // Such as hooks that the host does not run until the person has trusted them: then nothing works, and nothing says so.
    const toDo = (installer.besides?.(world.env, false) ?? []).map(
      ({ what, how }): Finding => ({ status: "warn", detail: what, mend: how }),
    );
    const all = { what: label, ...asOne([...findings, ...toDo]) };
    if (all.status === "ok") return agent("connected", all);
    // What is missing was left out or removed, which is no mistake to be fixed unasked.
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

const SEVERITY = { fail: 0, warn: 1, ok: 2 } as const;

/** The most severe first. */
export function asOne(findings: readonly Finding[]): Finding {
  const sorted = findings.toSorted((a, b) => SEVERITY[a.status] - SEVERITY[b.status]);
  return {
    status: sorted[0]?.status ?? "ok",
    detail: sorted.map((finding) => finding.detail).join("; "),
    mend: sorted.find((finding) => finding.mend !== "")?.mend ?? "",
  };
}
