import { ContinuoError } from "../../../base/errors.ts";
import type { Finding, Installer } from "../../../hosts/port/installer.ts";
import { missingGuardHook } from "../../../hosts/shared/install/rewire-hooks.ts";
import { isChange } from "../../../hosts/shared/install/wire.ts";
import { shortPath } from "../../../moments/project/known-project.ts";
import type { Home } from "../../../store/home.ts";
import type { World } from "../../command.ts";
import { currentWiring } from "../install/inspect.ts";
import { type Planned, planSetUp } from "../install/plan.ts";
import type { Fix } from "./check.ts";

/**
 * Sets up an agent again that is set up already, as `continuo install` does. undefined where an installation does not help:
 * its findings then say what does. Connecting another agent is the user's decision.
 */
export function setUpAgain(
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

/** Completes a setup or a removal that was interrupted. */
export function finish(installer: Installer, world: World, planned: Planned): Fix {
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
  // What the user left out stays out: the MCP server, the status line.
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
