import { oneLine } from "../../../base/for-terminal.ts";
import { shortPath } from "../../../moments/project/known-project.ts";
import { isOnRequest } from "../../../sources/rules/catalog/digest.ts";
import { describeCheck } from "../../../sources/rules/checks/describe.ts";
import { leftOutChecks } from "../../../sources/rules/checks/left-out.ts";
import type { RuleFile } from "../../../sources/rules/files/folders.ts";
import { isCalled } from "../../../sources/rules/named.ts";
import type { Check } from "../../../sources/rules/rule.ts";
import { findHome } from "../../../store/home.ts";
import { readTrust } from "../../../store/trust.ts";
import type { Input, Outcome } from "../../command.ts";
import { shortPaths } from "../../short-paths.ts";
import { nextSteps } from "../../terminal/next-step.ts";
import { paintFor } from "../../terminal/paint.ts";
import { PLAIN } from "../../terminal/screen.ts";
import { counted } from "../../terminal/table.ts";
import { wrapOn } from "../../terminal/wrap.ts";
import { missingGuardLines } from "../install/guards.ts";
import { noRulesText, refusedAs, unknownRule } from "./choose-rule.ts";
import { describeCondition } from "./condition.ts";
import { type Judged, judgeAll, summary } from "./judged.ts";
import { shownFor } from "./shown-for.ts";

/** The conditions of one rule, or of each, and what decided. */
export async function why(input: Input): Promise<Outcome> {
  const { judged, catalog, project } = await judgeAll(input);
  const wanted = input.positionals[1];
  const chosen = judged.filter(({ rule }) => wanted === undefined || isCalled(wanted, rule));
  const refused = wanted === undefined ? [] : refusedAs(wanted, catalog);
  if (refused.length > 0) {
    return {
      data: { refused },
      text: refused
        .map(
          ({ path, code, message }) =>
            `${oneLine(shortPath(path, input.env))}: not active\n${wrapOn(`  because    ${oneLine(shortPaths(`${code}: ${message}`, project.root, input.env))}`, input.screen ?? PLAIN, { hang: 11 })}`,
        )
        .join("\n\n"),
    };
  }
  if (wanted !== undefined && chosen.length === 0)
    throw unknownRule(
      wanted,
      judged.map(({ rule }) => rule.name),
    );
  if (chosen.length === 0) return { data: { rules: [] }, text: noRulesText(project, input) };
  const home = findHome(input.env);
  const isTrusted = readTrust(home).projects.includes(project.id);
  const stops = chosen.some(({ rule }) => rule.checks.some((one) => mayStop(rule, one, isTrusted)));
  const missing = stops ? await missingGuardLines(input, home) : [];
  return {
    data: { rules: chosen.map(summary) },
    text: [
      ...chosen.map((one) => explain(one, isTrusted, input)),
      ...[...missing, shownFor(input)].map((line) => wrapOn(line, input.screen ?? PLAIN)),
      ...nextSteps(input.screen ?? PLAIN, ["continuo start", "What a new session gets"]).slice(1),
    ].join("\n\n"),
  };
}

/** Whether it denies or asks here: a project's check does so only if the user trusts the project. */
function mayStop({ file }: Judged["rule"], { reaction }: Check, isTrusted: boolean): boolean {
  return (reaction === "deny" || reaction === "ask") && (isTrusted || file.scope === "global");
}

/** What a check does here, which may be less than its author asked for. */
function describeReaction(rule: Judged["rule"], check: Check, isTrusted: boolean): string {
  const what = `${check.reaction}: ${describeCheck(check)}`;
  if (check.on === "run") return isTrusted ? what : `${what} (does not run: you do not trust this project)`;
  const isWeaker =
    (check.reaction === "deny" || check.reaction === "ask") && !mayStop(rule, check, isTrusted);
  return isWeaker ? `${what} (only reminds: you do not trust this project)` : what;
}

function explain({ rule, tokens, judgement }: Judged, isTrusted: boolean, input: Input): string {
  const { when } = rule;
  const { screen = PLAIN } = input;
  const paint = paintFor(screen);
  const state = judgement.active ? "active" : isOnRequest(rule) ? "on request" : "not active";
  const condition =
    when.kind === "conditions"
      ? when.conditions
          .map((one) => `  condition  ${oneLine(describeCondition(one))}`)
          .join(`\n  ${when.match === "all" ? "and" : "or"}\n`)
      : `  condition  ${when.kind === "always" ? "none (always)" : oneLine(when.reason)}`;
  return [
    `${paint("bold", oneLine(rule.name))}: ${paint(judgement.active ? "green" : "dim", state)}`,
    `  because    ${oneLine(judgement.because())}`,
    condition,
    `  cost       ${counted(tokens, "token")} each time it is given, with its heading`,
    ...(rule.priority === 0 ? [] : [`  priority   ${rule.priority}`]),
    `  file       ${oneLine(shortPath(rule.file.path, input.env))} (${originOf(rule.file)})`,
    ...rule.checks.map((one) => `  check      ${oneLine(describeReaction(rule, one, isTrusted))}`),
    ...leftOutChecks(rule.lints).flatMap(({ message, hint }) => [
      `  left out   ${oneLine(message)}`,
      ...(hint === undefined ? [] : [`             -> ${oneLine(hint)}`]),
    ]),
  ]
    .flatMap((line) => line.split("\n"))
    .map((line) => wrapOn(line, screen, { hang: line.startsWith("     ") ? 0 : 11 }))
    .join("\n");
}

/** Whose rule it is, in people's words. */
function originOf({ dialect, scope }: RuleFile): string {
  const kind = dialect === "continuo" ? "rule" : `${LABELS[dialect]} rule`;
  return scope === "global" ? `your own ${kind}, for all projects` : `${kind} of this project`;
}

const LABELS = {
  opencode: "OpenCode",
  cursor: "Cursor",
  copilot: "Copilot",
  claude: "Claude Code",
  windsurf: "Windsurf",
  cline: "Cline",
} as const;
