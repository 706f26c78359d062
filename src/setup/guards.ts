import { describeError } from "../base/errors.ts";
import type { Installer } from "../hosts/port/installer.ts";
import { installedVersion } from "../hosts/shared/install/receipt.ts";
import { guardHookLine, missingGuardHook } from "../hosts/shared/install/rewire-hooks.ts";
import { whyGuards, wiringFor } from "../hosts/shared/install/wiring.ts";
import type { Home } from "../store/home.ts";
import type { ServingWorld } from "./registries.ts";

type GuardWorld = Pick<ServingWorld, "sources" | "installers" | "packageRoot" | "env" | "now">;

/**
 * Call this after a change to rules that may refuse tool calls: every host that Continuo is installed in gets the hook
 * before tool calls, if needed. Returns lines about hosts that were changed, and about those that still lack it.
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

/** A line for each installed host that lacks the hook before tool calls although a rule needs it. */
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
      return []; // its settings cannot be read, which doctor reports
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
