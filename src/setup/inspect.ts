import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { type Finding, type Installer, type Probe, partsOf, type Wiring } from "../hosts/port/installer.ts";
import { naming } from "../hosts/shared/install/jsonc.ts";
import { installedVersion } from "../hosts/shared/install/receipt.ts";
import { readSettingsFile, withoutMark } from "../hosts/shared/install/settings-file.ts";
import type { Home } from "../store/home.ts";
import { type SetUpWorld, serverOf, wiringOf } from "./plan.ts";
import type { ServingWorld } from "./registries.ts";

/** What a host's settings say about Continuo. Reads files and runs nothing. */

/** Whether the host has its folder on this machine. */
export function isHere(installer: Installer, env: NodeJS.ProcessEnv): boolean {
  return existsSync(installer.folder?.(env) ?? dirname(installer.settingsFile(env)));
}

/** The wiring that the host should have now, for the version that it was set up with. */
export async function currentWiring(
  installer: Installer,
  world: SetUpWorld,
  home: Home | undefined,
): Promise<Wiring> {
  return {
    ...(await wiringOf(world, home, home && installedVersion(home, installer.host))),
    ...(hasServer(installer, world.env) ? serverOf(installer, world.env) : {}),
  };
}

/** For each part of the installer: the state of its file, and what can be run to check it. */
export function* inspectParts(
  installer: Installer,
  env: NodeJS.ProcessEnv,
  wiring: Wiring,
): Generator<{ readonly seen: readonly Finding[]; readonly probes: readonly Probe[] }> {
  for (const part of partsOf(installer)) {
    const file = part.settingsFile(env);
    const text = withoutMark(readSettingsFile(file) ?? "");
    yield naming(file, () => ({ seen: part.inspect(text, wiring, existsSync), probes: part.probes(text) }));
  }
}

function hasServer({ mcp }: Installer, env: NodeJS.ProcessEnv): boolean {
  if (mcp === undefined) return false;
  const file = mcp.settingsFile(env);
  return naming(file, () => mcp.probes(withoutMark(readSettingsFile(file) ?? "")).length > 0);
}

const SEVERITY = { fail: 0, warn: 1, ok: 2 } as const;

/** Merges findings into one, the most severe first. */
export function asOne(findings: readonly Finding[]): Finding {
  const sorted = findings.toSorted((a, b) => SEVERITY[a.status] - SEVERITY[b.status]);
  return {
    status: sorted[0]?.status ?? "ok",
    detail: sorted.map((finding) => finding.detail).join("; "),
    mend: sorted.find((finding) => finding.mend !== "")?.mend ?? "",
  };
}

export interface WiredHost {
  readonly name: string;
  readonly label: string;
}

/** The hosts whose settings call Continuo. Unreadable settings count as not calling it; `doctor` explains them. */
export async function wiredHosts(world: Pick<ServingWorld, "installers" | "env">): Promise<WiredHost[]> {
  const installers = await world.installers();
  return installers.flatMap((installer) => {
    try {
      const text = withoutMark(readSettingsFile(installer.settingsFile(world.env)) ?? "");
      return installer.probes(text).length > 0 ? [{ name: installer.host, label: installer.label }] : [];
    } catch {
      return []; // unreadable or not valid
    }
  });
}
