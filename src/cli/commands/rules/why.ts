import { ContinuoError } from "../../../base/errors.ts";
import { oneLine } from "../../../base/for-terminal.ts";
import { nearest } from "../../../base/settings.ts";
import type { Condition } from "../../../sources/rules/rule.ts";
import type { Input, Outcome } from "../../command.ts";
import { type Judged, judgeAll } from "./judged.ts";
import { summary } from "./list.ts";

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
