import type { Breach } from "./breach.ts";

/** What decides on the reaction that a breach gets besides the one that its author asked for. */
export interface Authority {
  /** Whether the user trusts the project. Asked only if it matters. */
  readonly isTrusted: () => boolean;
  /** The rule is the user's own, not the project's. */
  readonly isUsers: boolean;
}

/** Whether a rule may refuse or ask: a project that nobody trusts may only say what its rules say. */
function mayRefuse({ isTrusted, isUsers }: Authority): boolean {
  return isUsers || isTrusted();
}

/** Before a tool call. undefined: the call is made, and what it breaks is told afterwards. */
export function reactionBefore(breach: Breach, authority: Authority): "deny" | "ask" | undefined {
  const { reaction, isUnknown } = breach;
  if ((reaction !== "deny" && reaction !== "ask") || !mayRefuse(authority)) return undefined;
  return isUnknown === true ? "ask" : reaction;
}

/** After a call: it cannot be refused any more. Hosts without a guard come here with `deny` and `ask` too. */
export function reactionAfter({ reaction }: Breach): "remind" | "report" {
  return reaction === "report" ? "report" : "remind";
}

/** When the agent stops. It is not refused twice in a row: the second time it is told at the next prompt. */
export function reactionAtStop(
  breach: Breach,
  authority: Authority,
  isAfterRefusal: boolean,
): "deny" | "remind" | "report" {
  if (breach.reaction === "deny" && breach.isUnknown !== true && !isAfterRefusal && mayRefuse(authority))
    return "deny";
  return reactionAfter(breach);
}
