import { existsSync } from "node:fs";
import { forgetWithoutServer } from "../hosts/claude-code/resident/server-absence.ts";
import type { Installer, Wiring } from "../hosts/port/installer.ts";
import { naming } from "../hosts/shared/install/jsonc.ts";
import { noteFinished, noteGuards } from "../hosts/shared/install/receipt.ts";
import { readSettingsFile, withoutMark } from "../hosts/shared/install/settings-file.ts";
import {
  applyInstall,
  applyUninstall,
  attempt,
  type Change,
  isChange,
  planInstall,
  planUninstall,
} from "../hosts/shared/install/wire.ts";
import { whyGuards, wiringFor } from "../hosts/shared/install/wiring.ts";
import { removeAbandonedCopies } from "../store/abandoned.ts";
import type { Home } from "../store/home.ts";
import { askVersion } from "./host-program.ts";
import type { ServingWorld } from "./registries.ts";

/** What setting up or removing a host needs to know. The page's server has this too. */
export type SetUpWorld = Pick<ServingWorld, "sources" | "packageRoot" | "env" | "cwd">;

/** The planned edits of a host's settings: first shown, then applied exactly as shown. */
export interface Planned {
  /** One per settings file, including files without changes. */
  readonly changes: readonly Change[];
  /** Returns the paths of the backups by file. Throws if a file has changed since the edits were planned. */
  apply(now: number): ReadonlyMap<string, string>;
}

export interface PlannedSetUp extends Planned {
  readonly wiring: Wiring;
}

export interface SetUpOptions {
  readonly mcp?: boolean;
  readonly statusLine?: boolean;
  /** Let the model call read-only tools without asking. */
  readonly allowTools?: boolean;
}

/** The command that does this setup. */
export function installCommand(
  hosts: string,
  { mcp = true, statusLine = false, allowTools = false }: SetUpOptions,
): string {
  const options = [mcp || "--no-mcp", !allowTools || "--allow-tools", !statusLine || "--statusline"];
  return ["continuo install", hosts, ...options.filter((one) => one !== true)].join(" ");
}

export async function planSetUp(
  world: SetUpWorld,
  installer: Installer,
  home: Home,
  { mcp = true, statusLine = false, allowTools = false }: SetUpOptions = {},
): Promise<PlannedSetUp> {
  const version = await askVersion(installer.versionCommand, world.env, world.cwd);
  const wiring = {
    ...(await wiringOf(world, home, version)),
    statusLine,
    allowTools: allowTools && mcp,
    ...(mcp ? serverOf(installer, world.env) : {}),
  };
  return planWith(world, installer, home, wiring, mcp);
}

/** The same edits with permissions for the read-only tools. Without the MCP server there are no tools. */
export function planWithTools(
  world: SetUpWorld,
  installer: Installer,
  home: Home,
  { wiring }: PlannedSetUp,
  { mcp = true }: SetUpOptions,
): PlannedSetUp {
  return planWith(world, installer, home, { ...wiring, allowTools: mcp }, mcp);
}

function planWith(
  { env }: SetUpWorld,
  installer: Installer,
  home: Home,
  wiring: Wiring,
  mcp: boolean,
): PlannedSetUp {
  const changes = planInstall(installer, env, wiring, { mcp });
  return {
    changes,
    wiring,
    apply(now) {
      asTheUserWants(home, installer);
      for (const { file } of changes) removeAbandonedCopies(file);
      if (changes.some(isChange)) return applyInstall(changes, installer, home, wiring, now);
      noteGuards(home, installer.host, wiring.guards);
      noteFinished(home, installer.host);
      return new Map();
    },
  };
}

export function planRemoval(world: Pick<SetUpWorld, "env">, installer: Installer, home: Home): Planned {
  const changes = planUninstall(installer, world.env, home);
  return {
    changes,
    apply() {
      attempt(() => asTheUserWants(home, installer));
      for (const { file } of changes) removeAbandonedCopies(file);
      // Even if there is nothing to remove: a setup that was killed before its first edit must not be completed later.
      applyUninstall(changes, installer, home);
      return new Map();
    },
  };
}

/** Forgets that Continuo itself changed the hooks: the user has now set them, so no later session changes them back. */
function asTheUserWants(home: Home, { host }: Installer): void {
  forgetWithoutServer(home, host);
}

/** The wiring for a host: it will run Continuo with the runtime that runs this command. */
export async function wiringOf(
  { sources, packageRoot, env }: Pick<SetUpWorld, "sources" | "packageRoot" | "env">,
  home: Home | undefined,
  hostVersion: string | undefined,
): Promise<Wiring> {
  const facts = { sources: await sources(), packageRoot, env, home, hostVersion };
  return wiringFor({ ...facts, guards: (await whyGuards(facts)) !== undefined });
}

/** What the wiring needs to know about the host's MCP server once its entry is installed. */
export function serverOf(installer: Installer, env: NodeJS.ProcessEnv): Pick<Wiring, "mcp"> {
  if (installer.mcp === undefined) return {};
  const file = installer.mcp.settingsFile(env);
  const text = withoutMark(readSettingsFile(file) ?? "");
  const offIn = naming(file, () => installer.serverOffIn?.(text) ?? []);
  // Projects that were deleted do not count.
  return { mcp: { offIn: offIn.filter((path) => existsSync(path)) } };
}
