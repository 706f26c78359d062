import { describeError } from "../../../base/errors.ts";
import type { Home } from "../../../store/home.ts";
import type { World } from "../../command.ts";
import { fail, type NamedFinding } from "./check.ts";
import type { NamedCheck } from "./checks.ts";

/** Every check but that of agents takes milliseconds, a second or two in a large home. */
export const LIMIT_MS = 30_000;

/** What one check found. One that fails or takes too long is a finding itself. */
export interface Checked {
  readonly name: string;
  readonly findings: readonly NamedFinding[];
}

export function runChecks(
  checks: readonly NamedCheck[],
  world: World,
  home: Home | undefined,
  limitMs?: number,
): Promise<Checked[]> {
  return Promise.all(
    checks.map(async (one) => ({ name: one.name, findings: await runCheck(one, world, home, limitMs) })),
  );
}

/** Bounded in time as long as the check waits for something. What never lets go is bounded by `runApart`. */
export async function runCheck(
  { name, about, check, limitMs = LIMIT_MS }: NamedCheck,
  world: World,
  home: Home | undefined,
  limit = limitMs,
): Promise<NamedFinding[]> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<NamedFinding[]>((resolve) => {
    timer = setTimeout(() => resolve([tooLate(name, about, limit)]), limit);
  });
  try {
    return await Promise.race([(async () => check(world, home))(), late]);
  } catch (error) {
    const { message, hint } = describeError(error);
    return [fail(name, `${about} could not be checked: ${message}`, hint ?? "please report this")];
  } finally {
    clearTimeout(timer);
  }
}

export function tooLate(name: string, about: string, limitMs: number): NamedFinding {
  return fail(
    name,
    `${about} could not be checked within ${Math.ceil(limitMs / 1000)} s`,
    "a disk or a program may not answer; when the machine is less busy, run: continuo doctor",
  );
}
