import { oneLine } from "../../../base/for-terminal.ts";
import { mutedAt } from "../../../moments/muted.ts";
import { isOnRequest } from "../../../sources/rules/catalog/digest.ts";
import type { Check } from "../../../sources/rules/checks/check.ts";
import { describeCheck } from "../../../sources/rules/checks/describe.ts";
import { leftOutChecks } from "../../../sources/rules/checks/left-out.ts";
import type { Condition } from "../../../sources/rules/rule.ts";
import { runsOf, waitingRuns } from "../../../sources/rules/run/runs.ts";
import { checksToTrust, haveChanged } from "../../../sources/rules/trusted-checks.ts";
import { findHome } from "../../../store/home.ts";
import { readMutes } from "../../../store/mutes.ts";
import { readTrust } from "../../../store/trust.ts";
import type { Input, Outcome } from "../../command.ts";
import { counted, table } from "../../terminal/table.ts";
import { missingGuardLines } from "../install/guards.ts";
import { undoCommand } from "../mute/scope.ts";
import { isCalled, refusedAs, unknownRule } from "./choose-rule.ts";
import { type Judged, judgeAll } from "./judged.ts";
import { runLines } from "./runs.ts";

/** Options that describe a session; --project only chooses the rules. */
const SIMULATING = ["path", "prompt", "tool", "branch", "model", "agent", "host"];

/** One line per rule, broken where it is too long. */
export async function list(input: Input): Promise<Outcome> {
  const { project, catalog, judged, leftOut } = await judgeAll(input);
  const noRoom = new Set(leftOut.map(({ rule }) => rule));
  const muted = mutedAt(readMutes(findHome(input.env)).mutes, { project: project.id });
  const mutedBy = ({ rule }: Judged) => muted?.of("rules", rule.file.key);
  const data = {
    project: project.root,
    rules: judged.map((one) => ({
      ...summary(one),
      leftOut: noRoom.has(one.rule),
      muted: mutedBy(one) !== undefined,
    })),
    refused: catalog.rejects.map(({ path, code, message }) => ({ path, code, message })),
    repeated: catalog.repeated.map(({ file, by }) => ({ path: file.path, by: by.path })),
    pending: catalog.pending.map(({ path }) => path),
  };
  if (judged.length + catalog.rejects.length === 0) {
    return {
      data,
      text: `There are no rules for ${project.root}. Put one in .continuo/rules (see docs/rules.md).`,
    };
  }
  const stateOf = (one: Judged) => {
    if (mutedBy(one) !== undefined) return "muted";
    if (noRoom.has(one.rule)) return "no room";
    if (one.judgement.active) return "active";
    return isOnRequest(one.rule) ? "on request" : "-";
  };
  const whyOf = (one: Judged) => {
    const mute = mutedBy(one);
    return mute === undefined
      ? one.judgement.because()
      : `you muted ${mute.what === "rules" ? "all rules" : "it"} ${mute.in === "everywhere" ? "everywhere" : "in this project"}: ${undoCommand(mute)}`;
  };
  const rows = judged.map((one) => [
    stateOf(one),
    one.rule.name,
    String(one.tokens),
    String(one.rule.priority),
    one.rule.checks.length === 0 ? "-" : String(one.rule.checks.length),
    one.rule.file.key,
    whyOf(one),
  ]);
  const lines = [table(["", "rule", "tokens", "priority", "checks", "file", "why"], rows)];
  for (const { path, message } of catalog.rejects)
    lines.push(`  refused    ${oneLine(message.includes(path) ? message : `${path}: ${message}`)}`);
  for (const { file, by } of catalog.repeated)
    lines.push(`  duplicate  ${oneLine(`${file.path} (same text as ${by.path})`)}`);
  for (const { path } of catalog.pending)
    lines.push(`  pending    ${oneLine(path)} could not be read in time`);
  for (const { message, hint } of leftOut)
    lines.push(`  no room    ${oneLine(message)}\n             -> ${hint}`);
  for (const { rule } of judged)
    for (const { message, hint } of leftOutChecks(rule.lints))
      lines.push(
        `  left out   ${oneLine(`${rule.name}: ${message}`)}${hint === undefined ? "" : `\n             -> ${oneLine(hint)}`}`,
      );
  const trust = readTrust(findHome(input.env));
  const all = judged.map(({ rule }) => rule);
  const toTrust = checksToTrust(all);
  const isTrusted = trust.projects.includes(project.id);
  const waiting = waitingRuns(trust, project.id, runsOf(all));
  if (toTrust.length > 0 && !isTrusted)
    lines.push(
      "",
      "This project's checks only remind, and stop nothing, until you trust it: continuo rules trust",
    );
  else if (haveChanged(trust, project.id, toTrust))
    lines.push(
      "",
      "The checks have changed since you trusted this project. Review them: continuo rules trust",
    );
  if (!isTrusted && runsOf(all).length > 0)
    lines.push("", "Commands of rules do not run until you trust this project: continuo rules trust");
  if (waiting.length > 0)
    lines.push(
      "",
      "These commands do not run until you accept them with continuo rules trust:",
      ...runLines(waiting),
    );
  const missing = await missingGuardLines(input, findHome(input.env));
  if (missing.length > 0) lines.push("", ...missing);
  const isSimulated = SIMULATING.some((option) => input.values[option] !== undefined);
  lines.push(
    "",
    isSimulated
      ? "Shown for a session simulated with the given options."
      : "Shown for a new session. Simulate others with --path, --prompt, --tool and --branch.",
  );
  return { data, text: lines.join("\n") };
}

export function summary({ rule, tokens, judgement }: Judged) {
  const { name, priority, file, when, checks } = rule;
  return {
    name,
    active: judgement.active,
    onRequest: isOnRequest(rule),
    because: judgement.because(),
    tokens,
    priority,
    path: file.path,
    dialect: file.dialect,
    when,
    checks,
    leftOutChecks: leftOutChecks(rule.lints),
  };
}

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
            `${oneLine(path)}: not active\n  because    ${oneLine(`${code}: ${message}`)}`,
        )
        .join("\n\n"),
    };
  }
  if (wanted !== undefined && chosen.length === 0)
    throw unknownRule(
      wanted,
      judged.map(({ rule }) => rule.name),
    );
  const home = findHome(input.env);
  const isTrusted = readTrust(home).projects.includes(project.id);
  const stops = chosen.some(({ rule }) => rule.checks.some((one) => mayStop(rule, one, isTrusted)));
  const missing = stops ? await missingGuardLines(input, home) : [];
  return {
    data: { rules: chosen.map(summary) },
    text: [...chosen.map((one) => explain(one, isTrusted)), ...missing].join("\n\n"),
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

function explain({ rule, tokens, judgement }: Judged, isTrusted: boolean): string {
  const { when } = rule;
  const condition =
    when.kind === "conditions"
      ? when.conditions
          .map((one) => `  condition  ${oneLine(describeCondition(one))}`)
          .join(`\n  ${when.match === "all" ? "and" : "or"}\n`)
      : `  condition  ${when.kind === "always" ? "none (always)" : oneLine(when.reason)}`;
  return [
    `${oneLine(rule.name)}: ${judgement.active ? "active" : isOnRequest(rule) ? "on request" : "not active"}`,
    `  because    ${oneLine(judgement.because())}`,
    condition,
    `  cost       ${counted(tokens, "token")}, priority ${rule.priority}`,
    `  file       ${oneLine(rule.file.path)} (${rule.file.dialect}, ${rule.file.scope})`,
    ...rule.checks.map((one) => `  check      ${oneLine(describeReaction(rule, one, isTrusted))}`),
    ...leftOutChecks(rule.lints).flatMap(({ message, hint }) => [
      `  left out   ${oneLine(message)}`,
      ...(hint === undefined ? [] : [`             -> ${oneLine(hint)}`]),
    ]),
  ].join("\n");
}

/** What a rule that does not apply in a new session waits for; undefined if nothing that happens in one makes it apply. */
export function waitsFor({ when }: Judged["rule"]): string | undefined {
  if (when.kind !== "conditions") return undefined;
  return when.conditions.map(describeCondition).join(when.match === "all" ? ", and " : ", or ");
}

export function describeCondition(condition: Condition): string {
  switch (condition.on) {
    case "files": {
      const shown = (patterns: readonly { text: string }[]) =>
        [...new Set(patterns.map((one) => one.text))].join(", ");
      const parts = [
        condition.include.length > 0 ? `a file matching ${shown(condition.include)}` : "a file",
        ...(condition.exclude.length > 0 ? [`but not ${shown(condition.exclude)}`] : []),
        ...condition.contains.map((text) => `that contains "${text}"`),
        "is touched",
      ];
      return parts.join(" ");
    }
    case "keywords":
      return `the prompt contains one of ${condition.words.join(", ")}`;
    case "branch":
      return `branch ${[...new Set(condition.patterns.map((one) => one.text))].join(", ")}`;
    case "ci":
      return condition.value ? "runs in CI" : "does not run in CI";
    default:
      return `${condition.on} ${condition.names.join(", ")}`;
  }
}
