import { join } from "node:path";
import { ContinuoError } from "../../../base/errors.ts";
import { nearest } from "../../../base/settings.ts";
import { HOST_NAMES } from "../../../hosts/names.ts";
import type { Installer, Wiring } from "../../../hosts/port/installer.ts";
import { momentLimit } from "../../../hosts/shared/time-limits.ts";
import type { Source } from "../../../moments/ports/source.ts";
import type { MomentName } from "../../../moments/types.ts";
import { loadConfig } from "../../../store/config.ts";
import type { Home } from "../../../store/home.ts";
import { readTrust } from "../../../store/trust.ts";
import type { World } from "../../command.ts";

export async function findInstaller(
  world: World,
  name: string | undefined,
  command: string,
): Promise<Installer> {
  const found = (await world.installers()).find((installer) => installer.host === name);
  if (found !== undefined) return found;
  const near = name === undefined ? undefined : nearest(name, HOST_NAMES);
  throw new ContinuoError("usage", name === undefined ? "which host?" : `there is no host "${name}"`, {
    hint: `try: continuo ${command} ${near ?? HOST_NAMES.join(" | ")}`,
  });
}

/** The runtime that runs us now is the one that the host is told to use. */
export async function wiringOf(
  world: World,
  home: Home | undefined,
  hostVersion: string | undefined,
): Promise<Wiring> {
  const sources = await world.sources();
  return {
    runtime: process.execPath,
    script: join(world.packageRoot, "dist", "continuo.cjs"),
    answered: new Set(sources.flatMap((source) => Object.keys(source.answers) as MomentName[])),
    ...(home === undefined ? {} : { momentLimitMs: limitIn(home, world, sources) }),
    guards: home !== undefined && mayGuard(home),
    ...(hostVersion === undefined ? {} : { hostVersion }),
  };
}

/** While it cannot be known whether a project is trusted, hosts go on asking. */
function mayGuard(home: Home): boolean {
  const { projects, damage } = readTrust(home);
  return projects.length > 0 || damage !== undefined;
}

function limitIn(home: Home, world: World, sources: readonly Source[]): number {
  return momentLimit(loadConfig(home.config, sources, world.env).config, sources);
}
