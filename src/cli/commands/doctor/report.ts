import { oneLine } from "../../../base/for-terminal.ts";
import { count } from "../../../base/when.ts";
import type { Block, Look, Shown } from "../../../moments/ports/view.ts";
import { linesOf } from "../../terminal/lines.ts";
import { type Counts, commandIn, countsOf, isFixable, type NamedFinding } from "./check.ts";
import type { Fixed } from "./doctor.ts";
import { FOUND_ONLY, NOT_FOUND, NOT_SET_UP } from "./hosts.ts";

interface Report {
  readonly findings: readonly NamedFinding[];
  /** What `--fix` did; undefined without it. */
  readonly fixed: readonly Fixed[] | undefined;
  readonly isVerbose: boolean;
}

type Paint = Shown["paint"];

/** Problems first, then warnings, each with its fix; one line if there are none. */
export function report(all: Report, { paint }: Shown): Block[] {
  const { findings, fixed = [], isVerbose } = all;
  const section = (title: string, status: NamedFinding["status"], look: Look, mark: string) => {
    const found = findings.filter((one) => one.status === status);
    const lines = (isVerbose ? found : firstOfEach(found)).flatMap((one) => lineOf(one, paint, look, mark));
    return lines.length === 0 ? [] : [paint(look, title), ...lines];
  };
  const sections = [
    linesOf(fixed.length > 0 && [paint("bold", "Fixes"), ...fixed.map((one) => fixedLine(one, paint))]),
    section("Problems", "fail", "red", "✗"),
    section("Warnings", "warn", "yellow", "!"),
    isVerbose ? section("Fine", "ok", "green", "✓") : [],
    verdict(all, paint),
  ];
  const text = sections.filter((lines) => lines.length > 0).map((lines) => lines.join("\n"));
  // Continuation lines are indented further than any of Continuo's own lines, so that a name cannot imitate one.
  return [{ text: text.join("\n\n"), hang: 6 }];
}

function lineOf({ what, detail, mend }: NamedFinding, paint: Paint, look: Look, mark: string): string[] {
  // An agent that is not installed is neither fine nor a problem.
  const isAbsent = detail === NOT_FOUND || detail.startsWith(FOUND_ONLY) || detail.endsWith(NOT_SET_UP);
  const sign = isAbsent ? paint("dim", "-") : paint(look, mark);
  return linesOf(
    `  ${sign} ${paint("bold", oneLine(what))}: ${oneLine(detail)}`,
    mend !== "" && `    ${remedy(oneLine(mend), paint)}`,
  );
}

function remedy(text: string, paint: Paint): string {
  const command = commandIn(text) ?? "";
  const lead = text.slice(0, text.length - command.length);
  return `${paint("dim", "Fix:")} ${command === "" ? lead : lead.replace(/^run: $/, "")}${paint("cyan", command)}`;
}

function fixedLine({ what, done, problem = "" }: Fixed, paint: Paint): string {
  const name = paint("bold", oneLine(what));
  if (done !== undefined) return `  ${paint("green", "✓")} ${name}: ${oneLine(done)}`;
  return `  ${paint("yellow", "-")} ${name}: left as it is: ${oneLine(problem)}`;
}

const MOST_SHOWN = 10;

/** The first few of each kind, because a log may contain many kinds of failures. */
function firstOfEach(findings: readonly NamedFinding[]): NamedFinding[] {
  return [...Map.groupBy(findings, ({ what }) => what)].flatMap(([what, all]) => {
    const detail = `${all.length - MOST_SHOWN} more`;
    const rest = { what, status: "warn", detail, mend: "to see all: continuo doctor --verbose" } as const;
    return all.length <= MOST_SHOWN ? all : [...all.slice(0, MOST_SHOWN), rest];
  });
}

function verdict({ findings, fixed, isVerbose }: Report, paint: Paint): string[] {
  const open = findings.filter(({ status }) => status !== "ok");
  if (open.length === 0) {
    const what = fixed === undefined || fixed.length === 0 ? "No problems found" : "No problems left";
    return [`${paint("green", what)}: ${countsText(findings)}`, ...others(findings, paint)];
  }
  const failed = open.filter(({ status }) => status === "fail").length;
  const fixable = open.filter(isFixable).length;
  const which = fixable < open.length ? `${fixable} of them` : fixable === 1 ? "it" : "them";
  return linesOf(
    `${countsOf([failed, "problem"], [open.length - failed, "warning"])}${fixed === undefined ? "" : " left"}`,
    fixed === undefined && fixable > 0 && `To fix ${which}: ${paint("cyan", "continuo doctor --fix")}`,
    !isVerbose && paint("dim", "To see every check: continuo doctor --verbose"),
  );
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
function countsText(findings: readonly NamedFinding[]): string {
  const all: Counts = Object.assign({}, ...findings.map(({ counts }) => counts));
  const { agents = 0, rules = 0, notes = 0, sessions = 0 } = all;
  const some = countsOf([rules, "rule"], [notes, "note"], [sessions, "past session"]);
  return `${count(agents, "agent")} connected${some === "" ? "" : `, ${some}`}`;
}
