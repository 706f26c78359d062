import { findHome } from "../../src/store/home.ts";
import { CONTINUO, runScript } from "../support/child.ts";
import { write } from "../support/world.ts";
import type { HostDriver } from "./host-driver.ts";

/** Runs the command line as the host's user, in the project, and returns what it printed. */
export async function continuo(
  { env, project }: Pick<HostDriver, "env" | "project">,
  ...args: readonly string[]
): Promise<string> {
  const done = await runScript(CONTINUO, args, { env, cwd: project });
  if (done.code !== 0) throw new Error(`continuo ${args.join(" ")} ended with ${done.code}: ${done.stderr}`);
  return done.stdout;
}

/** Writes the settings of the host's user. */
export function configure({ env }: Pick<HostDriver, "env">, settings: object): void {
  write(findHome(env).root, { "config.json": JSON.stringify(settings) });
}
