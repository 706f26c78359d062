import type { ToolCall } from "../../../moments/types.ts";
import type { Judged } from "./breach.ts";
import type { CheckSet } from "./check-set.ts";
import type { CommandsSoFar, EditingCall } from "./commands-so-far.ts";
import { Findings, type JudgeLimits, type JudgeOptions } from "./findings.ts";
import { judgeAnswer } from "./judge-answer.ts";
import { judgeCalls } from "./judge-calls.ts";
import { judgeCommands } from "./judge-commands.ts";
import { judgeEdits } from "./judge-edits.ts";

/**
 * What a tool call breaks, before or after it. Reads and runs nothing but the functions of the call's edits. Do not ask
 * about a call that has failed: it breaks nothing.
 */
export function judgeCall(
  set: CheckSet,
  call: EditingCall & Pick<ToolCall, "name" | "input" | "command">,
  soFar: CommandsSoFar,
  options?: JudgeOptions,
): Judged {
  const findings = new Findings(options);
  judgeCalls(set, call, findings);
  judgeCommands(set, call, soFar, findings);
  if (set.edits.length > 0) judgeEdits(set, call.edits?.() ?? [], findings, options);
  return findings.judged();
}

/** What the agent breaks by going idle now with this answer. */
export function judgeStop(
  set: CheckSet,
  stop: { readonly answer?: string; readonly soFar: CommandsSoFar },
  limits?: JudgeLimits,
): Judged {
  const findings = new Findings(limits);
  if (stop.answer !== undefined) judgeAnswer(set, stop.answer, findings);
  const { soFar } = stop;
  const [ran, hidden, editedNow] = [new Set(soFar.ran), new Set(soFar.hidden), new Set(soFar.editedNow)];
  for (const one of set.done) {
    // What an earlier stop was about is not told again.
    if (!editedNow.has(one.ref)) continue;
    findings.occasion(one);
    const isHidden = hidden.has(one.ref);
    // As for commands: a run whose result nobody knows is enough, unless the stop is refused without it.
    if (ran.has(one.ref) || (isHidden && one.check.reaction !== "deny")) continue;
    findings.breach(one, () => ({ text: "", isHidden }));
  }
  return findings.judged();
}
