import type { EntryCounts, Finding, Installer } from "../hosts/port/installer.ts";
import { NOT_INSTALLED } from "../hosts/shared/install/hook-health.ts";
import { readReceipt } from "../hosts/shared/install/receipt.ts";
import { isChange } from "../hosts/shared/install/wire.ts";
import type { Home } from "../store/home.ts";
import { installCommand, type Planned, planRemoval, planSetUp, type SetUpWorld } from "./plan.ts";

/** An incomplete setup: only one of an agent's settings files has its part. */
interface HalfDone {
  readonly finding: Finding;
  /** The edit that completes it, or removes the rest. */
  readonly planned: Planned;
}

interface Found {
  readonly adds: Required<EntryCounts>;
  /** The state of the part with the hooks. A plugin may bring them, or something may prevent adding them. */
  readonly main: Finding | undefined;
}

/**
 * Finds what a process left when it was killed between two settings files. Also an MCP entry without hooks, however it
 * came about, because no option of `install` produces that. Hooks without an MCP entry are not reported: `--no-mcp`
 * produces them.
 */
export async function halfDone(
  world: SetUpWorld,
  installer: Installer,
  home: Home,
  { adds, main }: Found,
): Promise<HalfDone | undefined> {
  const { host } = installer;
  const unfinished = readReceipt(home, host)?.unfinished;
  if (unfinished?.edit === "uninstall") {
    const planned = planRemoval(world, installer, home);
    const detail = "its removal was interrupted, so some of Continuo's entries are still there";
    return ifLeft({ finding: problem(detail, `continuo uninstall ${host}`), planned });
  }
  if (unfinished !== undefined) {
    const planned = await planSetUp(world, installer, home, unfinished);
    const detail = `its setup was interrupted: ${missing(adds)}`;
    return ifLeft({ finding: problem(detail, installCommand(host, unfinished)), planned });
  }
  if (main?.detail !== NOT_INSTALLED || !hasOnlyServer(installer, adds)) return undefined;
  const planned = await planSetUp(world, installer, home);
  return ifLeft({ finding: problem(NO_HOOKS, `continuo install ${host}`), planned });
}

const NO_HOOKS = "it has Continuo's MCP entry but no hooks, so its sessions are given nothing";

function hasOnlyServer({ mcp }: Installer, { hooks, plugins, servers }: Required<EntryCounts>): boolean {
  return mcp !== undefined && servers > 0 && hooks + plugins === 0;
}

function missing({ hooks, plugins, servers }: Required<EntryCounts>): string {
  if (hooks + plugins === 0) return "the hooks are missing";
  return servers === 0 ? "the MCP entry is missing" : "some entries are missing";
}

/** The process may have been killed after everything was written. */
function ifLeft(half: HalfDone): HalfDone | undefined {
  return half.planned.changes.some(isChange) ? half : undefined;
}

function problem(detail: string, command: string): Finding {
  return { status: "fail", detail, mend: `run: ${command}` };
}
