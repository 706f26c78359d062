import { describeError } from "../base/errors.ts";
import type { Installer } from "../hosts/port/installer.ts";
import { installedVersion } from "../hosts/shared/install/receipt.ts";
import { guardHookLine, missingGuardHook } from "../hosts/shared/install/rewire-hooks.ts";
import { whyGuards, wiringFor } from "../hosts/shared/install/wiring.ts";
import type { Home } from "../store/home.ts";
import type { ServingWorld } from "./registries.ts";

type GuardWorld = Pick<ServingWorld, "sources" | "installers" | "packageRoot" | "env" | "now">;

/**
 * After a change of what may refuse tool calls: the hosts that Continuo is installed in get the hook before tool calls, if it
 * is needed. Returns lines about those that were changed, and those that still do not ask.
 */
export async function withGuardHooks(world: GuardWorld, home: Home): Promise<string[]> {
  const why = await whyGuards({ ...world, sources: await world.sources(), home });
  if (why === undefined || why.kind === "damaged") return [];
  const lines: string[] = [];
  for (const { installer, wiring } of await wirings(world, home)) {
    try {
      const line = await guardHookLine(installer, world.env, home, wiring, why, world.now());
      if (line !== undefined) lines.push(line);
    } catch (error) {
      lines.push(
        `${installer.label} could not be changed: ${describeError(error).message}. Checks that deny or ask only remind there.`,
      );
    }
  }
  return [...lines, ...(await missingGuardLines(world, home))];
}

/** A line for each host that Continuo is installed in, but that does not ask it before tool calls although it should. */
export async function missingGuardLines(world: GuardWorld, home: Home): Promise<string[]> {
  if ((await whyGuards({ ...world, sources: await world.sources(), home })) === undefined) return [];
  return (await wirings(world, home)).flatMap(({ installer, wiring }) => {
    try {
      const missing = missingGuardHook(installer, world.env, home, wiring);
      if (missing === undefined) return [];
      const only = `${installer.label} does not ask Continuo before tool calls: checks that deny or ask only remind there.`;
      const when = missing === "waiting" ? "Its next session changes that, or now" : "To change that";
      return [`${only} ${when}: continuo install ${installer.host}`];
    } catch {
      return []; // its settings cannot be read: doctor says so
    }
  });
}

async function wirings({ sources, installers, packageRoot, env }: GuardWorld, home: Home) {
  const known = await sources();
  return (await installers()).map((installer: Installer) => {
    const hostVersion = installedVersion(home, installer.host);
    return { installer, wiring: wiringFor({ sources: known, packageRoot, env, home, hostVersion }) };
  });
}
