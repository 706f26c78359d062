import { existsSync } from "node:fs";
import { ContinuoError, describeError } from "../base/errors.ts";
import { nearest } from "../base/text.ts";
import {
  type EntryCounts,
  type Finding,
  hasEntries,
  type Installer,
  partsOf,
} from "../hosts/port/installer.ts";
import { naming } from "../hosts/shared/install/jsonc.ts";
import { readSettingsFile, withoutMark } from "../hosts/shared/install/settings-file.ts";
import type { Change } from "../hosts/shared/install/wire.ts";
import { findHome, type Home } from "../store/home.ts";
import { halfDone } from "./half-done.ts";
import { askVersion, programOf, whyNoVersion } from "./host-program.ts";
import { currentWiring, inspectParts, isHere } from "./inspect.ts";
import { planSetUp, type SetUpWorld } from "./plan.ts";
import type { ServingWorld } from "./registries.ts";

type AgentWorld = SetUpWorld & Pick<ServingWorld, "installers" | "mcpClients">;

/** What Continuo knows about one agent on this machine. */
export interface AgentState {
  readonly installer: Installer;
  /** Whether its program or its folder is on this machine. */
  readonly isFound: boolean;
  /** Undefined if unknown; `noVersion` then gives the reason in a few words. */
  readonly version?: string;
  readonly noVersion?: string;
  readonly state: "connected" | "not connected" | "needs attention";
  /** What is wrong, and how to fix it; empty if nothing needs attention. */
  readonly problem: string;
  readonly fix: string;
  /** The entries that Continuo has in its settings or, if it is not connected, would add. */
  readonly adds: Required<EntryCounts>;
  /** The settings files with these entries. */
  readonly files: readonly string[];
}

/**
 * Every agent that Continuo can be connected to: first those that call hooks or load a plugin, then other MCP clients.
 */
export async function allAgents(
  world: Pick<ServingWorld, "installers" | "mcpClients">,
): Promise<Installer[]> {
  return [...(await world.installers()), ...(await world.mcpClients())];
}

export async function findAgents(
  world: Pick<ServingWorld, "installers" | "mcpClients">,
  names: readonly string[],
): Promise<Installer[]> {
  const all = await allAgents(world);
  return [...new Set(names)].map((name) => {
    const found = all.find(({ host }) => host === name);
    if (found !== undefined) return found;
    const known = all.map(({ host }) => host);
    const near = nearest(name, known);
    throw new ContinuoError("usage", `there is no agent "${name}"`, {
      hint: near === undefined ? `agents: ${known.join(", ")}` : `did you mean "${near}"?`,
    });
  });
}

/** The states of all agents, determined in parallel, because each program takes its time to print its version. */
export async function agentStates(world: AgentWorld): Promise<AgentState[]> {
  return Promise.all((await allAgents(world)).map((installer) => agentState(world, installer)));
}

async function agentState(world: AgentWorld, installer: Installer): Promise<AgentState> {
  const { env, cwd } = world;
  const base = { installer, problem: "", fix: "", files: [] as string[] };
  try {
    const { program, isFound } = whereIs(installer, world);
    const version = program && (await askVersion(installer.versionCommand, env, cwd));
    const noVersion = () => whyNoVersion(installer.versionCommand, env, cwd);
    const about = { ...base, isFound, ...(version === undefined ? { noVersion: noVersion() } : { version }) };
    const home = findHome(env);
    const { present, parts, half } = await lookAt(installer, world, home);
    const findings = parts.flatMap(({ seen }) => seen);
    const bad = half?.finding ?? worst(findings);
    const isInstalled = hasEntries(present.adds);
    if (isInstalled || bad?.status === "fail") {
      const isFine = bad === undefined;
      const [problem, fix] = isFine ? ["", ""] : [bad.detail, bad.mend];
      return { ...about, ...present, state: isFine ? "connected" : "needs attention", problem, fix };
    }
    // For example Continuo's plugin in Claude Code, which Continuo did not write into any settings.
    if (findings[0]?.status === "ok") return { ...about, ...present, state: "connected" };
    if (!isFound) return { ...about, ...present, state: "not connected" };
    const { changes } = await planSetUp(world, installer, home);
    return { ...about, ...addedBy(installer, env, changes), state: "not connected" };
  } catch (error) {
    const { message, hint = "" } = describeError(error);
    return {
      ...base,
      isFound: true,
      adds: NONE,
      state: "needs attention",
      problem: message,
      fix: withoutReassurance(hint),
    };
  }
}

/** An agent's program, and whether the program or the agent's folder exists on this machine. */
export function whereIs(installer: Installer, { env, cwd }: Pick<ServingWorld, "env" | "cwd">) {
  const program = programOf(installer.versionCommand, env, cwd);
  return { program, isFound: program !== undefined || isHere(installer, env) };
}

/** What an agent's settings say about Continuo. Only reads files; runs nothing of Continuo's. */
export async function lookAt(installer: Installer, world: SetUpWorld, home: Home | undefined) {
  const wiring = await currentWiring(installer, world, home);
  const parts = [...inspectParts(installer, world.env, wiring)];
  const present = inSettings(installer, world.env);
  const main = parts[0]?.seen[0];
  const half = home && (await halfDone(world, installer, home, { ...present, main }));
  /** The settings file has the wanted entries, or something else provides them, such as a plugin. */
  const isSetUp = main?.status === "ok" || (parts[0]?.probes ?? []).length > 0;
  return { wiring, parts, present, half, isSetUp };
}

const NONE: Required<EntryCounts> = {
  hooks: 0,
  events: 0,
  servers: 0,
  plugins: 0,
  statusLines: 0,
  permissions: 0,
};

function worst(findings: readonly Finding[]): Finding | undefined {
  return findings.find(({ status }) => status === "fail") ?? findings.find(({ status }) => status === "warn");
}

export interface Added {
  readonly adds: Required<EntryCounts>;
  readonly files: readonly string[];
}

/** Continuo's entries in an agent's settings. */
export function inSettings(installer: Installer, env: NodeJS.ProcessEnv): Added {
  return counted(installer, env, (file) => (existsSync(file) ? readSettingsFile(file) : undefined));
}

/** Continuo's entries in an agent's settings once these changes are made. */
export function addedBy(installer: Installer, env: NodeJS.ProcessEnv, changes: readonly Change[]): Added {
  return counted(installer, env, (path) => changes.find(({ file }) => file === path)?.after);
}

function counted(
  installer: Installer,
  env: NodeJS.ProcessEnv,
  textOf: (file: string) => string | undefined,
): Added {
  const adds = { ...NONE };
  const files = new Set<string>();
  for (const part of partsOf(installer)) {
    const file = part.settingsFile(env);
    const found = naming(file, () => part.count(withoutMark(textOf(file) ?? "")));
    for (const [kind, many] of Object.entries(found) as [keyof EntryCounts, number][]) adds[kind] += many;
    if (hasEntries(found)) files.add(file);
  }
  return { adds, files: [...files] };
}

/** A hint without "nothing was changed", for commands that would not have changed anything. */
export function withoutReassurance(hint: string): string {
  return hint.replace(/; nothing was (?:changed|touched)$/, "");
}
