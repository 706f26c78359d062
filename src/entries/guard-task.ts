import { HOOK_HOSTS } from "../hosts/index.ts";
import { recordFailure } from "../hosts/shared/follow.ts";
import { eventOf } from "../hosts/shared/hook/events.ts";
import { readReceipt } from "../hosts/shared/install/receipt.ts";
import { whyGuards } from "../hosts/shared/install/wiring.ts";
import { SOURCES } from "../sources/index.ts";
import { dailyWarning } from "../store/health.ts";
import { findHome } from "../store/home.ts";

/**
 * Runs when a session begins and at each prompt: a rule that refuses tool calls may be new, and the host may not have
 * the hook before tool calls yet. Returns lines for the user. Never throws; `doctor` reports what failed.
 */
export function guardTask(
  env: NodeJS.ProcessEnv,
  [host, event = "", entry = "1"]: readonly string[],
): (() => Promise<string[]>) | undefined {
  const found = HOOK_HOSTS.find(({ name }) => name === host);
  const kind = found && eventOf(found, event)?.kind;
  if (found === undefined || entry !== "1" || (kind !== "start" && kind !== "prompt")) return undefined;
  return () => withGuards(env, found.name);
}

async function withGuards(env: NodeJS.ProcessEnv, host: string): Promise<string[]> {
  const where = `hook ${host}: hook before tool calls`;
  try {
    const home = findHome(env);
    const receipt = readReceipt(home, host);
    // Nearly always the case: Continuo did not write the host's hooks, or the hook is already there.
    if (receipt === undefined || receipt.guards === true) return [];
    const why = await whyGuards({ sources: SOURCES, env, home }, host);
    if (why === undefined || why.kind === "damaged") return [];
    const now = Date.now();
    try {
      const { addGuards } = await import("./add-guards.ts");
      return await addGuards(env, home, host, why, now);
    } catch (error) {
      // Once a day, not at every prompt: it would only fill the health log.
      dailyWarning(home, `guards-${host}`, now, () => recordFailure(env, where, error, now))(where, "", "");
      return [];
    }
  } catch (error) {
    recordFailure(env, where, error, Date.now());
    return [];
  }
}
