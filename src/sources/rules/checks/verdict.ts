import type { Breach } from "./breach.ts";
import type { Reaction } from "./check.ts";

const SEVERITY: Readonly<Record<Reaction, number>> = { report: 0, remind: 1, ask: 2, deny: 3 };

/** What a breach asks for. A check that denies, and could not look at everything, leaves the call to the person. */
export function reactionTo({ reaction, isUnknown }: Breach): Reaction {
  return isUnknown && reaction === "deny" ? "ask" : reaction;
}

export function strictestOf(breaches: readonly Breach[]): Breach | undefined {
  let strictest: Breach | undefined;
  for (const one of breaches)
    if (strictest === undefined || SEVERITY[reactionTo(one)] > SEVERITY[reactionTo(strictest)])
      strictest = one;
  return strictest;
}

/** What is said about a breach before a call, not yet escaped. */
export function reasonOf({ message, name, isUnknown }: Breach): string {
  const rule = `rule "${name}"${isUnknown ? "; the call is too long to be checked" : ""}`;
  return message === undefined ? `This breaks the ${rule}.` : `${message} (${rule})`;
}
