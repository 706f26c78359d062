import type { ToolCall } from "../../../moments/types.ts";
import type { CommandCheck } from "./check.ts";
import type { CheckSet, RuleCheck } from "./check-set.ts";
import { type CommandsSoFar, type EditingCall, editedPaths, touches } from "./commands-so-far.ts";
import type { Findings } from "./findings.ts";
import type { Line } from "./searched-text.ts";
import { type ShellLines, shellLines } from "./shell-lines.ts";

/** Looks at each simple command of a command line. */
export function judgeCommands(
  set: CheckSet,
  call: EditingCall & Pick<ToolCall, "command">,
  soFar: CommandsSoFar,
  findings: Findings,
): void {
  if (set.commands.length === 0 || call.command === undefined) return;
  const lines = shellLines(call.command);
  if (lines === undefined) return;
  for (const one of set.commands)
    if (!findings.leavesOut(one)) {
      judgeCommand(one, lines, call, soFar, findings);
      if (!lines.isWhole) findings.unknown(one);
    }
}

function judgeCommand(
  by: RuleCheck<CommandCheck>,
  lines: ShellLines,
  call: EditingCall,
  soFar: CommandsSoFar,
  findings: Findings,
): void {
  const { match, except, ran, files } = by.check;
  const budget = findings.budgetOf(by);
  const { searched } = lines;
  const found = searched.linesWith(match, budget);
  const excepted = except === undefined ? [] : searched.linesWith(except, budget);
  const runs = ran === undefined ? [] : searched.linesWith(ran, budget);
  if (found === "unknown" || excepted === "unknown" || runs === "unknown") {
    findings.unknown(by);
    return;
  }
  const leftAlone = new Set(excepted.map(({ start }) => start));
  const about = found.filter(({ start }) => !leftAlone.has(start));
  const isTouching = ran !== undefined && touches(editedPaths(call), files, budget);
  // Nothing has to run again for files that nobody has edited.
  const isAboutFiles = files.include.length > 0 || files.exclude.length > 0;
  if (ran !== undefined && isAboutFiles && !isTouching && !soFar.edited.includes(by.ref)) return;
  // Without `ran` every command is an occasion to break the rule; with it, only those that it is about.
  if (ran === undefined || about.length > 0) findings.occasion(by);
  if (about.length === 0) return;
  const isFresh = soFar.ran.includes(by.ref) && !isTouching;
  const isHiddenIn = ({ start }: Line) => runs.some((run) => run.start < start);
  const wasHidden = soFar.hidden.includes(by.ref) && !isTouching;
  // Agents often run tests as `npm test | tail`. That is good enough not to be told, but not to pass a refusal.
  const isEnough = by.check.reaction !== "deny";
  const isFine = (line: Line) =>
    ran !== undefined &&
    (isFresh ||
      runs.some((run) => lines.isAfterSuccess(run, line)) ||
      (isEnough && (wasHidden || isHiddenIn(line))));
  for (const line of about)
    if (!isFine(line))
      findings.breach(by, () => ({ text: lines.typed(line), isHidden: wasHidden || isHiddenIn(line) }));
}
