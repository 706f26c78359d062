import { oneLine } from "../../../base/for-terminal.ts";
import { count } from "../../../base/when.ts";
import { type Paint, paintFor, type Style } from "../../terminal/paint.ts";
import type { Screen } from "../../terminal/screen.ts";
import { wrap } from "../../terminal/wrap.ts";
import { type Counts, commandIn, isFixable, type NamedFinding } from "./check.ts";
import type { Fixed } from "./doctor.ts";
import { FOUND_ONLY, NOT_FOUND, NOT_SET_UP } from "./hosts.ts";

interface Report {
  readonly findings: readonly NamedFinding[];
  readonly counts: Counts;
  /** What `--fix` did; undefined without it. */
  readonly fixed?: readonly Fixed[];
  readonly isVerbose: boolean;
}

/** Problems first, then warnings, each with its fix; one line if there are none. */
export function reportText(report: Report, screen: Screen): string {
  const paint = paintFor(screen);
  const { findings, fixed, isVerbose } = report;
  const of = (status: NamedFinding["status"]) => findings.filter((one) => one.status === status);
  const [failed, warned] = [of("fail"), of("warn")];
  const some = isVerbose ? (all: readonly NamedFinding[]) => all : firstOfEach;
  const sections = [
    fixedSection(fixed ?? [], paint, screen),
    section("Problems", "red", screen.hasUnicode ? "✗" : "x", some(failed), paint),
    section("Warnings", "yellow", "!", some(warned), paint),
    isVerbose ? section("Fine", "green", screen.hasUnicode ? "✓" : "+", of("ok"), paint) : [],
    verdict(report, failed.length, warned.length, paint),
  ];
  const text = sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n");
  return screen.isFitted ? wrap(text, { width: screen.width, hang: HANG }) : text;
}

/** Continuation lines are indented further than any of Continuo's own lines, so that a name cannot imitate one. */
const HANG = 6;

function section(
  title: string,
  style: Style,
  mark: string,
  findings: readonly NamedFinding[],
  paint: Paint,
): string[] {
  if (findings.length === 0) return [];
  const lines = findings.flatMap(({ what, detail, mend }) => [
    `  ${isAbsent(detail) ? paint("dim", "-") : paint(style, mark)} ${paint("bold", oneLine(what))}: ${oneLine(detail)}`,
    ...(mend === "" ? [] : [`    ${remedy(mend, paint)}`]),
  ]);
  return [paint(style, title), ...lines];
}

/** An agent that is not installed is neither fine nor a problem. */
function isAbsent(detail: string): boolean {
  return detail === NOT_FOUND || detail.startsWith(FOUND_ONLY) || detail.endsWith(NOT_SET_UP);
}

/** The first few of each kind, because a log may contain many kinds of failures. */
function firstOfEach(findings: readonly NamedFinding[]): NamedFinding[] {
  const kinds = [...new Set(findings.map(({ what }) => what))];
  return kinds.flatMap((what) => {
    const all = findings.filter((one) => one.what === what);
    if (all.length <= MOST_SHOWN) return all;
    const more = `${all.length - MOST_SHOWN} more`;
    const rest = {
      what,
      status: "warn",
      detail: more,
      mend: "to see all: continuo doctor --verbose",
    } as const;
    return [...all.slice(0, MOST_SHOWN), rest];
  });
}

const MOST_SHOWN = 10;

function remedy(mend: string, paint: Paint): string {
  const text = oneLine(mend);
  const command = commandIn(text);
  const lead =
    command === undefined ? text : text.slice(0, text.length - command.length).replace(/^run: $/, "");
  return `${paint("dim", "Fix:")} ${lead}${command === undefined ? "" : paint("cyan", command)}`;
}

function fixedSection(fixed: readonly Fixed[], paint: Paint, screen: Screen): string[] {
  const lines = fixed.flatMap(({ what, done, problem }) => {
    const name = paint("bold", oneLine(what));
    if (done !== undefined)
      return [`  ${paint("green", screen.hasUnicode ? "✓" : "+")} ${name}: ${oneLine(done)}`];
    return [`  ${paint("yellow", "-")} ${name}: left as it is: ${oneLine(problem ?? "")}`];
  });
  return lines.length === 0 ? [] : [paint("bold", "Fixes"), ...lines];
}

function verdict(report: Report, failed: number, warned: number, paint: Paint): string[] {
  const { findings, fixed, isVerbose } = report;
  if (failed + warned === 0) {
    const counts = countsText(report.counts);
    const what = fixed === undefined || fixed.length === 0 ? "No problems found" : "No problems left";
    return [`${paint("green", what)}: ${counts}`, ...others(findings, paint)];
  }
  const open = findings.filter((one) => one.status !== "ok" && isFixable(one)).length;
  const total = [failed === 0 ? "" : count(failed, "problem"), warned === 0 ? "" : count(warned, "warning")];
  const lines = [`${total.filter((one) => one !== "").join(", ")}${fixed === undefined ? "" : " left"}`];
  if (fixed === undefined && open > 0) {
    const which = open === failed + warned ? (open === 1 ? "it" : "them") : `${open} of them`;
    lines.push(`To fix ${which}: ${paint("cyan", "continuo doctor --fix")}`);
  }
  if (!isVerbose) lines.push(paint("dim", "To see every check: continuo doctor --verbose"));
  return lines;
}

/** Agents that the user may want to connect too. */
function others(findings: readonly NamedFinding[], paint: Paint): string[] {
  const found = findings.filter(({ status, detail }) => status === "ok" && detail.endsWith(NOT_SET_UP));
  if (found.length === 0) return [];
  const names = found.map(({ what }) => oneLine(what)).join(", ");
  const command = found.length === 1 ? commandIn(found[0]?.mend ?? "") : undefined;
  const how = `To connect ${found.length === 1 ? "it" : "them"}:`;
  return [`${paint("dim", `Also found: ${names}. ${how}`)} ${paint("cyan", command ?? "continuo install")}`];
}

/** `3 agents connected, 12 rules, 240 notes, 1,204 past sessions`. */
function countsText({ agents = 0, rules = 0, notes = 0, sessions = 0 }: Counts): string {
  const others = [
    [rules, "rule"],
    [notes, "note"],
    [sessions, "past session"],
  ] as const;
  const some = others.filter(([many]) => many > 0).map(([many, one]) => count(many, one));
  return [`${count(agents, "agent")} connected`, ...some].join(", ");
}
