import { oneLine } from "../../../base/for-terminal.ts";
import { undoCommand } from "../../../moments/mutes/scope.ts";
import { mutedAt } from "../../../moments/state/muted.ts";
import { isOnRequest } from "../../../sources/rules/catalog/digest.ts";
import { leftOutChecks } from "../../../sources/rules/checks/left-out.ts";
import { ruleArgument } from "../../../sources/rules/rule-argument.ts";
import { runsOf, waitingRuns } from "../../../sources/rules/run/runs.ts";
import { checksToTrust, haveChanged } from "../../../sources/rules/trusted-checks.ts";
import { findHome } from "../../../store/home.ts";
import { type Mute, readMutes } from "../../../store/mutes.ts";
import { readTrust } from "../../../store/trust.ts";
import type { Input, Outcome } from "../../command.ts";
import { shortPaths } from "../../short-paths.ts";
import { nextSteps } from "../../terminal/next-step.ts";
import { paintFor, type Style } from "../../terminal/paint.ts";
import { PLAIN } from "../../terminal/screen.ts";
import { table } from "../../terminal/table.ts";
import { wrapOn } from "../../terminal/wrap.ts";
import { missingGuardLines } from "../install/guards.ts";
import { noRulesText } from "./choose-rule.ts";
import { type Judged, type JudgedRules, judgeAll, summary } from "./judged.ts";
import { runLines } from "./runs.ts";
import { shownFor } from "./shown-for.ts";

/** One line per rule, broken where it is too long. */
export async function list(input: Input): Promise<Outcome> {
  const found = await judgeAll(input);
  const { project, catalog, judged, leftOut } = found;
  const noRoom = new Set(leftOut.map(({ rule }) => rule));
  const muted = mutedAt(readMutes(findHome(input.env)).mutes, { project: project.id });
  const listed = judged.map((one) => {
    const mute = muted?.of("rules", one.rule.file.key);
    return { ...one, state: stateOf(one, noRoom.has(one.rule), mute), why: whyOf(one, mute), mute };
  });
  const data = {
    project: project.root,
    rules: listed.map((one) => ({
      ...summary(one),
      leftOut: noRoom.has(one.rule),
      muted: one.mute !== undefined,
    })),
    refused: catalog.rejects.map(({ path, code, message }) => ({ path, code, message })),
    repeated: catalog.repeated.map(({ file, by }) => ({ path: file.path, by: by.path })),
    pending: catalog.pending.map(({ path }) => path),
  };
  if (judged.length + catalog.rejects.length === 0) return { data, text: noRulesText(project, input) };
  const { screen = PLAIN } = input;
  const paint = paintFor(screen);
  const rows = listed.map(({ rule, tokens, state, why }) => [
    paint(STATE_STYLES[state], state),
    paint("bold", rule.name),
    String(tokens),
    rule.checks.length === 0 ? "-" : String(rule.checks.length),
    rule.file.key,
    why,
  ]);
  const missing = await missingGuardLines(input, findHome(input.env));
  const about = [
    ...trustLines(input, found),
    ...(missing.length === 0 ? [] : ["", ...missing]),
    "",
    shownFor(input),
  ];
  const waits = listed.find(({ state }) => state === "waits");
  const first = waits ?? listed[0];
  return {
    data,
    text: [
      table(["", "rule", "tokens", "checks", "file", "why"], rows, screen, {
        wraps: [5],
        keepEnd: [4],
        optional: [4, 2, 3],
      }),
      ...remarks(input, found),
      ...about.map((line) => wrapOn(line, screen)),
      ...nextSteps(
        screen,
        first && [
          `continuo rules why ${ruleArgument({ name: first.rule.name, key: first.rule.file.key })}`,
          waits === undefined ? "Why it applies" : "What it waits for",
        ],
        ["continuo rules report", "Which rules are broken"],
      ),
    ].join("\n"),
  };
}

const STATE_STYLES = {
  active: "green",
  "on request": "cyan",
  muted: "yellow",
  "no room": "yellow",
  waits: "dim",
} as const satisfies Record<string, Style>;

function stateOf(
  { rule, judgement }: Judged,
  hasNoRoom: boolean,
  mute: Mute | undefined,
): keyof typeof STATE_STYLES {
  if (mute !== undefined) return "muted";
  if (hasNoRoom) return "no room";
  if (judgement.active) return "active";
  return isOnRequest(rule) ? "on request" : "waits";
}

function whyOf({ judgement }: Judged, mute: Mute | undefined): string {
  if (mute === undefined) return judgement.because();
  const what = mute.what === "rules" ? "all rules" : "it";
  return `you muted ${what} ${mute.in === "everywhere" ? "everywhere" : "in this project"}: ${undoCommand(mute)}`;
}

/** What is wrong with rule files, below the table. */
function remarks(input: Input, { project, catalog, judged, leftOut }: JudgedRules): string[] {
  const { screen = PLAIN, env } = input;
  const paint = paintFor(screen);
  const line = (style: Style, word: string, text: string, hint?: string) => {
    const shown = oneLine(shortPaths(text, project.root, env));
    return [
      wrapOn(`  ${paint(style, word.padEnd(9))}  ${shown}`, screen, { hang: 11 }),
      ...(hint === undefined ? [] : [wrapOn(`             -> ${oneLine(hint)}`, screen, { hang: 3 })]),
    ];
  };
  return [
    ...catalog.rejects.flatMap(({ path, message }) =>
      line("red", "refused", message.includes(path) ? message : `${path}: ${message}`),
    ),
    ...catalog.repeated.flatMap(({ file, by }) =>
      line("yellow", "duplicate", `${file.path} (same text as ${by.path})`),
    ),
    ...catalog.pending.flatMap(({ path }) => line("yellow", "pending", `${path} could not be read in time`)),
    ...leftOut.flatMap(({ message, hint }) => line("yellow", "no room", message, hint)),
    ...judged.flatMap(({ rule }) =>
      leftOutChecks(rule.lints).flatMap(({ message, hint }) =>
        line("yellow", "left out", `${rule.name}: ${message}`, hint),
      ),
    ),
  ];
}

/** What checks and commands may do here, where that is less than their authors asked for. */
function trustLines(input: Input, { project, judged }: JudgedRules): string[] {
  const trust = readTrust(findHome(input.env));
  const rules = judged.map(({ rule }) => rule);
  const checks = checksToTrust(rules);
  const runs = runsOf(rules);
  const waiting = waitingRuns(trust, project.id, runs);
  const isTrusted = trust.projects.includes(project.id);
  const review = "continuo rules trust";
  return [
    ...(checks.length > 0 && !isTrusted
      ? ["", `This project's checks only remind, and stop nothing, until you trust it: ${review}`]
      : haveChanged(trust, project.id, checks)
        ? ["", `The checks have changed since you trusted this project. Review them: ${review}`]
        : []),
    ...(runs.length > 0 && !isTrusted
      ? ["", `Commands of rules do not run until you trust this project: ${review}`]
      : []),
    ...(waiting.length > 0
      ? ["", `These commands do not run until you accept them with ${review}:`, ...runLines(waiting)]
      : []),
  ];
}
