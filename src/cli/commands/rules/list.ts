import { ContinuoError } from "../../../base/errors.ts";
import { oneLine } from "../../../base/for-terminal.ts";
import { nearest } from "../../../base/settings.ts";
import type { Condition } from "../../../sources/rules/rule.ts";
import { findHome } from "../../../store/home.ts";
import { readTrust } from "../../../store/trust.ts";
import type { Input, Outcome } from "../../command.ts";
import { table } from "../../terminal/table.ts";
import { type Judged, judgeAll } from "./judged.ts";
import { guardsOf, haveChanged } from "./trust.ts";

/** One line a rule. */
export async function list(input: Input): Promise<Outcome> {
  const { project, catalog, judged, leftOut } = await judgeAll(input);
  const noRoom = new Set(leftOut.map(({ rule }) => rule));
  const data = {
    project: project.root,
    rules: judged.map((one) => ({ ...summary(one), leftOut: noRoom.has(one.rule) })),
    refused: catalog.rejects.map(({ path, code, message }) => ({ path, code, message })),
    repeated: catalog.repeated.map(({ file, by }) => ({ path: file.path, by: by.path })),
    pending: catalog.pending.map(({ path }) => path),
  };
  if (judged.length + catalog.rejects.length === 0) {
    return {
      data,
      text: `There are no rules for ${project.root}. Put one in .continuo/rules; docs/rules.md says how.`,
    };
  }
  const rows = judged.map(({ rule, tokens, judgement }) => [
    noRoom.has(rule) ? "no room" : judgement.active ? "active" : "-",
    rule.name,
    String(tokens),
    String(rule.priority),
    rule.file.key,
    judgement.because(),
  ]);
  const lines = [table(["", "rule", "text tokens", "priority", "from", "because"], rows)];
  for (const { path, message } of catalog.rejects)
    lines.push(`  refused  ${oneLine(message.includes(path) ? message : `${path}: ${message}`)}`);
  for (const { file, by } of catalog.repeated)
    lines.push(`  once     ${oneLine(`${file.path} is ${by.path} again`)}`);
  for (const { path } of catalog.pending) lines.push(`  pending  ${oneLine(path)} could not be read in time`);
  for (const { message, hint } of leftOut)
    lines.push(`  no room  ${oneLine(message)}\n           -> ${hint}`);
  const trust = readTrust(findHome(input.env));
  const guards = guardsOf(judged.map(({ rule }) => rule));
  if (guards.length > 0 && !trust.projects.includes(project.id))
    lines.push("", "Guards are off here until you trust this project: continuo rules trust");
  else if (haveChanged(trust, project.id, guards))
    lines.push(
      "",
      "The guards have changed since you trusted this project. To review them: continuo rules trust",
    );
  lines.push(
    "",
    "As a session without a history would see it; --path, --prompt, --tool and --branch say more.",
  );
  return { data, text: lines.join("\n") };
}

export function summary({ rule, tokens, judgement }: Judged) {
  const { name, priority, file, when, guards } = rule;
  return {
    name,
    active: judgement.active,
    because: judgement.because(),
    tokens,
    priority,
    path: file.path,
    dialect: file.dialect,
    when,
    guards,
  };
}

/** Everything about one rule, or about each: what it asks for, and what decided. */
export async function why(input: Input): Promise<Outcome> {
  const { judged, catalog } = await judgeAll(input);
  const wanted = input.positionals[1];
  const isWanted = (names: readonly string[]) =>
    wanted === undefined || names.some((name) => name === wanted || stem(name) === wanted);
  const chosen = judged.filter(({ rule }) =>
    isWanted([rule.name, rule.file.name, rule.file.key, rule.file.path]),
  );
  const refused =
    wanted === undefined
      ? []
      : catalog.rejects.filter(
          ({ path }) => path.endsWith(`/${wanted}`) || stem(path).endsWith(`/${wanted}`),
        );
  if (refused.length > 0) {
    return {
      data: { refused },
      text: refused
        .map(
          ({ path, code, message }) =>
            `${oneLine(path)}: not active\n  because  ${oneLine(`${code}: ${message}`)}`,
        )
        .join("\n\n"),
    };
  }
  if (wanted !== undefined && chosen.length === 0) {
    const names = judged.map(({ rule }) => rule.name);
    const near = nearest(wanted, names);
    throw new ContinuoError("no-such-rule", `there is no rule "${wanted}" here`, {
      hint:
        near === undefined
          ? `rules here: ${oneLine(names.join(", ")) || "none"}`
          : `did you mean "${oneLine(near)}"?`,
    });
  }
  return { data: { rules: chosen.map(summary) }, text: chosen.map(explain).join("\n\n") };
}

function stem(name: string): string {
  return name.replace(/\.(instructions\.)?(mdc?|txt)$/i, "");
}

function explain({ rule, tokens, judgement }: Judged): string {
  const { when } = rule;
  const asks =
    when.kind === "conditions"
      ? when.conditions
          .map((condition) => `  asks     ${oneLine(describe(condition))}`)
          .join(`\n  ${when.match === "all" ? "and" : "or"}\n`)
      : `  asks     ${when.kind === "always" ? "nothing: always on" : oneLine(when.reason)}`;
  return [
    `${oneLine(rule.name)}: ${judgement.active ? "active" : "not active"}`,
    `  because  ${oneLine(judgement.because())}`,
    asks,
    `  costs    ${tokens} tokens, priority ${rule.priority}`,
    `  from     ${oneLine(rule.file.path)} (${rule.file.dialect}, ${rule.file.scope})`,
    ...rule.guards.map(
      (one) =>
        `  guard    ${oneLine(`${one.action} ${one.tools.join(", ")}${one.pattern === undefined ? "" : ` when /${one.pattern}/`}`)}`,
    ),
  ].join("\n");
}

function describe(condition: Condition): string {
  switch (condition.on) {
    case "files": {
      const shown = (patterns: readonly { text: string }[]) =>
        [...new Set(patterns.map((one) => one.text))].join(", ");
      const parts = [
        condition.include.length > 0 ? `a touched file like ${shown(condition.include)}` : "a touched file",
        ...(condition.exclude.length > 0 ? [`but not like ${shown(condition.exclude)}`] : []),
        ...condition.contains.map((text) => `that contains "${text}"`),
      ];
      return parts.join(" ");
    }
    case "keywords":
      return `a prompt with ${condition.words.join(", ")}`;
    case "branch":
      return `branch ${[...new Set(condition.patterns.map((one) => one.text))].join(", ")}`;
    case "ci":
      return condition.value ? "to run in CI" : "not to run in CI";
    default:
      return `${condition.on} ${condition.names.join(", ")}`;
  }
}
