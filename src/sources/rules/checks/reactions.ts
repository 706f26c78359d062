import type { Breach } from "./breach.ts";

/** What determines the actual reaction to a breach, besides the one that its author asked for. */
export interface Authority {
  /** Whether the user trusts the project. Asked only if it matters. */
  readonly isTrusted: () => boolean;
  /** Whether the rule is the user's own and not the project's. */
  readonly isUsers: boolean;
}

/** Whether a rule may refuse or ask: in a project that is not trusted, it may only remind. */
function mayRefuse({ isTrusted, isUsers }: Authority): boolean {
  return isUsers || isTrusted();
}

/** Before a tool call. undefined: the call is made, and breaches are reported afterwards. */
export function reactionBefore(breach: Breach, authority: Authority): "deny" | "ask" | undefined {
  const { reaction, isUnknown } = breach;
  if ((reaction !== "deny" && reaction !== "ask") || !mayRefuse(authority)) return undefined;
  return isUnknown === true ? "ask" : reaction;
}

/** After a call, which cannot be refused any more. In hosts without a guard, `deny` and `ask` end up here too. */
export function reactionAfter({ reaction }: Breach): "remind" | "report" {
  return reaction === "report" ? "report" : "remind";
}

/** When the agent stops. It is not refused twice in a row: the second time it is reported at the next prompt. */
export function reactionAtStop(
  breach: Breach,
  authority: Authority,
  isAfterRefusal: boolean,
): "deny" | "remind" | "report" {
  if (breach.reaction === "deny" && breach.isUnknown !== true && !isAfterRefusal && mayRefuse(authority))
    return "deny";
  return reactionAfter(breach);
}
