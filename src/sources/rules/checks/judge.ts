import type { ToolCall } from "../../../moments/types.ts";
import { isSameTool } from "../matching/tool-names.ts";
import type { CallCheck, CommandCheck } from "../rule.ts";
import type { Judged } from "./breach.ts";
import type { CheckSet, RuleCheck } from "./check-set.ts";
import {
  type CommandsSoFar,
  type EditingCall,
  editedPaths,
  type ShellLines,
  shellLines,
  touches,
} from "./commands-so-far.ts";
import { Findings, type JudgeLimits, type JudgeOptions } from "./findings.ts";
import { judgeEdits } from "./judge-edits.ts";
import { type Line, MAX_SEARCHED, SearchedText } from "./searched-text.ts";

/**
 * What a tool call breaks, before or after it. Reads and runs nothing except the functions of the call's edits. Do not
 * use it for failed calls, which break nothing.
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
    // What was reported at an earlier stop is not repeated.
    if (!editedNow.has(one.ref)) continue;
    findings.occasion(one);
    const isHidden = hidden.has(one.ref);
    // As for commands: a run with an unknown result is enough, unless the stop would otherwise be refused.
    if (ran.has(one.ref) || (isHidden && one.check.reaction !== "deny")) continue;
    findings.breach(one, () => ({ text: "", isHidden }));
  }
  return findings.judged();
}

/**
 * Checks the agent's final answer, line by line. `never` applies to what the agent says, so code blocks do not count:
 * code that it shows may well contain the text. `must` is met by any line. Typographic quotation marks also count as
 * straight ones: models write both, and an author cannot know which.
 */
function judgeAnswer(set: CheckSet, answer: string, findings: Findings): void {
  if (set.answer.length === 0 || answer.trim() === "") return;
  if (answer.length > MAX_SEARCHED) {
    for (const one of set.answer) findings.unknown(one);
    return;
  }
  const whole = variantsOf(answer);
  const prose = variantsOf(withoutCode(answer));
  for (const one of set.answer) {
    if (findings.leavesOut(one)) continue;
    const { never, must } = one.check;
    const pattern = never ?? must ?? "";
    const lines = new Map<number, Line>();
    let isUnknown = false;
    for (const text of never === undefined ? whole : prose) {
      const found = text.linesWith(pattern, findings.budgetOf(one));
      if (found === "unknown") isUnknown = true;
      else for (const line of found) if (!lines.has(line.start)) lines.set(line.start, line);
    }
    if (isUnknown) {
      findings.unknown(one);
      continue;
    }
    findings.occasion(one);
    if (never === undefined && lines.size === 0) findings.breach(one, () => ({ text: "" }));
    if (never === undefined) continue;
    for (const { start, text } of [...lines.values()].sort((a, b) => a.start - b.start))
      findings.breach(one, () => ({ text: prose[0].text.slice(start, start + text.length) }));
  }
}

/** The text, and a copy with straight quotation marks if that differs. */
function variantsOf(text: string): [SearchedText, ...SearchedText[]] {
  const straight = text.replace(/[‘’]/g, "'").replace(/[“”]/g, '"');
  return straight === text ? [new SearchedText(text)] : [new SearchedText(text), new SearchedText(straight)];
}

/** Empties the lines of fenced code blocks. A block that is not closed ends with the text. */
function withoutCode(text: string): string {
  let fence: string | undefined;
  return text
    .split("\n")
    .map((line) => {
      const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
      if (fence === undefined) {
        fence = mark;
        return mark === undefined ? line : "";
      }
      if (mark?.startsWith(fence) && line.trim() === mark) fence = undefined;
      return "";
    })
    .join("\n");
}

/** Checks any tool call by its name and its arguments as JSON. */
function judgeCalls(
  set: CheckSet,
  call: Pick<ToolCall, "name" | "input" | "command">,
  findings: Findings,
): void {
  const checks = set.calls.filter(({ check }) => isAbout(check, call.name));
  if (checks.length === 0) return;
  const text = call.command ?? call.name;
  let args: SearchedText | undefined;
  for (const one of checks) {
    if (findings.leavesOut(one)) continue;
    const { pattern } = one.check;
    if (pattern !== undefined) {
      args ??= new SearchedText(JSON.stringify(call.input));
      const isFound =
        args.text.length > MAX_SEARCHED ? "unknown" : args.isFound(pattern, findings.budgetOf(one));
      if (isFound === "unknown") findings.unknown(one);
      else findings.occasion(one);
      if (isFound !== true) continue;
    } else findings.occasion(one);
    findings.breach(one, () => ({ text }));
  }
}

function isAbout({ tools }: RuleCheck<CallCheck>["check"], tool: string): boolean {
  return tools.some((name) => name === "*" || isSameTool(name, tool));
}

/** Checks each simple command of a command line. */
function judgeCommands(
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
  // Nothing has to be run again for files that nobody has edited.
  const isAboutFiles = files.include.length > 0 || files.exclude.length > 0;
  if (ran !== undefined && isAboutFiles && !isTouching && !soFar.edited.includes(by.ref)) return;
  // Without `ran` every command counts as an occasion to break the rule; with it, only matching commands do.
  if (ran === undefined || about.length > 0) findings.occasion(by);
  if (about.length === 0) return;
  const isFresh = soFar.ran.includes(by.ref) && !isTouching;
  const isHiddenIn = ({ start }: Line) => runs.some((run) => run.start < start);
  const wasHidden = soFar.hidden.includes(by.ref) && !isTouching;
  // Agents often run tests as `npm test | tail`. That is enough to avoid a reminder, but not to pass a refusal.
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
