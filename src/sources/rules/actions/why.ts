import { oneLine } from "../../../base/for-terminal.ts";
import { count } from "../../../base/when.ts";
import { fields, optional, text } from "../../../moments/actions/fields.ts";
import { action } from "../../../moments/ports/action.ts";
import type { Block, Shown } from "../../../moments/ports/view.ts";
import { shortPath } from "../../../moments/project/known-project.ts";
import { shortPaths } from "../../../moments/project/short-paths.ts";
import { readTrust } from "../../../store/trust.ts";
import { isOnRequest } from "../catalog/digest.ts";
import { describeCheck } from "../checks/describe.ts";
import { leftOutChecks } from "../checks/left-out.ts";
import type { RuleFile } from "../files/folders.ts";
import { type Judged, summary } from "../judge.ts";
import { describeCondition } from "../matching/condition-words.ts";
import { isCalled } from "../named.ts";
import type { Check } from "../rule.ts";
import { noRulesText, refusedAs, unknownRule } from "./choose-rule.ts";
import { IMAGINED, judgeFor, shownFor } from "./imagined.ts";

/** The conditions of one rule, or of each, and which of them decided. */
export const why = action({
  name: "rules why",
  about: "explain why a rule applies or not",
  guide: "Names the file of the rule, its condition, and what is missing. Without RULE, all are explained.",
  effect: "reads",
  input: fields({
    rule: optional(text("a rule by its name or its file", { typed: "word" })),
    ...IMAGINED,
  }),
  examples: [
    ["continuo rules why tests", "explain the rule in tests.md"],
    [
      "continuo rules why imports --path lib/cart.ts",
      "explain it as if a file had been read, edited or mentioned",
    ],
  ],
  async run({ rule: wanted, ...imagined }, place) {
    const { judged, catalog, project } = await judgeFor(imagined, place);
    const chosen = judged.filter(({ rule }) => wanted === undefined || isCalled(wanted, rule));
    const refused = wanted === undefined ? [] : refusedAs(wanted, catalog);
    if (wanted !== undefined && chosen.length + refused.length === 0)
      throw unknownRule(
        wanted,
        judged.map(({ rule }) => rule.name),
      );
    const isTrusted = readTrust(place.home).projects.includes(project.id);
    const stops = chosen.some(({ rule }) => rule.checks.some((one) => mayStop(rule, one, isTrusted)));
    const missing = stops ? ((await (await place.others?.())?.missingGuards()) ?? []) : [];
    return { root: project.root, chosen, refused, isTrusted, missing, shownFor: shownFor(imagined) };
  },
  json: ({ chosen, refused }) => (refused.length > 0 ? { refused } : { rules: chosen.map(summary) }),
  view({ root, chosen, refused, isTrusted, missing, shownFor }, shown) {
    const { env } = shown;
    if (refused.length > 0)
      return apart(
        refused.map(({ path, code, message }) => [
          { text: `${oneLine(shortPath(path, env))}: not active`, isExact: true },
          { text: `  because    ${oneLine(shortPaths(`${code}: ${message}`, root, env))}`, hang: 11 },
        ]),
      );
    if (chosen.length === 0) return [noRulesText(root, env)];
    return [
      ...apart([
        ...chosen.map((one) => explain(one, isTrusted, shown)),
        ...missing.map((line) => [line]),
        [shownFor],
      ]),
      { next: [["continuo start", "What a new session gets"]] },
    ];
  },
});

/** Separated by empty lines. */
function apart(parts: readonly (readonly Block[])[]): Block[] {
  return parts.flatMap((part, at) => (at === 0 ? part : ["", ...part]));
}

/** Whether it may deny or ask here: a project's check may do so only if the user trusts the project. */
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

function explain({ rule, tokens, judgement }: Judged, isTrusted: boolean, { env, paint }: Shown): Block[] {
  const { when } = rule;
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
    `  cost       ${count(tokens, "token")} each time it is given, with its heading`,
    ...(rule.priority === 0 ? [] : [`  priority   ${rule.priority}`]),
    `  file       ${oneLine(shortPath(rule.file.path, env))} (${originOf(rule.file)})`,
    ...rule.checks.map((one) => `  check      ${oneLine(describeReaction(rule, one, isTrusted))}`),
    ...leftOutChecks(rule.lints).flatMap(({ message, hint }) => [
      `  left out   ${oneLine(message)}`,
      ...(hint === undefined ? [] : [`             -> ${oneLine(hint)}`]),
    ]),
  ]
    .flatMap((line) => line.split("\n"))
    .map((text) => ({ text, hang: text.startsWith("     ") ? 0 : 11 }));
}

/** Whose rule it is, in the users' words. */
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
