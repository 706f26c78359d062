import { oneLine } from "../../../base/for-terminal.ts";
import { mutedAt } from "../../../moments/state/muted.ts";
import type { Edit } from "../../../moments/tool-use.ts";
import type { CatalogRule } from "../../../sources/rules/catalog/catalog-rule.ts";
import type { Breach } from "../../../sources/rules/checks/breach.ts";
import { NOTHING_SO_FAR } from "../../../sources/rules/checks/commands-so-far.ts";
import { judgeCall } from "../../../sources/rules/checks/judge.ts";
import { lineOf, recordedText } from "../../../sources/rules/checks/lines.ts";
import { reactionAfter, reactionBefore } from "../../../sources/rules/checks/reactions.ts";
import { checkFinder, checkSetOf } from "../../../sources/rules/checks/rule-checks.ts";
import type { JudgedRules } from "../../../sources/rules/judge.ts";
import type { Reaction } from "../../../sources/rules/rule.ts";
import { readMutes } from "../../../store/mutes.ts";
import type { TriedBreach, TryAnswer } from "../../api/rules.ts";
import type { Web } from "../web.ts";
import { shortName, shortText } from "./views.ts";

/** The tool that runs commands, by its most common name. Rules ignore case in tools' names. */
export const SHELL = "Bash";

const MOST_PLACES = 50;
const STRICTEST: readonly Reaction[] = ["deny", "ask", "remind", "report"];

interface Attempt {
  readonly isTrusted: boolean;
  readonly edit?: Edit;
  readonly command?: string;
}

/** What an edit and a command would break, in a session that has run nothing yet. A muted rule's checks are off. */
export function breachesOf(
  web: Web,
  { project, catalog }: JudgedRules,
  { isTrusted, edit, command }: Attempt,
): Required<Pick<TryAnswer, "broken" | "brokenTotal">> {
  const muted = mutedAt(readMutes(web.home).mutes, { project: project.id });
  const rules = catalog.rules.filter(({ file }) => muted?.of("rules", file.key) === undefined);
  const set = checkSetOf(rules);
  const judged = (by: TriedBreach["by"], call: Parameters<typeof judgeCall>[1]) =>
    judgeCall(set, call, NOTHING_SO_FAR).breaches.map((breach) => ({ by, breach }));
  const found = [
    ...(edit === undefined ? [] : judged("edit", editCall(edit))),
    ...(command === undefined ? [] : judged("command", { name: SHELL, input: { command }, command })),
  ];
  const view = breachView(rules, isTrusted);
  const broken = found
    .map(({ by, breach }) => view(breach, by))
    .sort((a, b) => STRICTEST.indexOf(a.reaction) - STRICTEST.indexOf(b.reaction));
  return {
    broken: broken.slice(0, MOST_PLACES),
    brokenTotal: found.reduce((sum, { breach }) => sum + 1 + (breach.more ?? 0), 0),
  };
}

/** In the form of Claude Code's tools, because checks of tool calls look at names and arguments. */
function editCall(edit: Edit): Parameters<typeof judgeCall>[1] {
  const text = edit.hunks.map((hunk) => hunk.text).join("\n");
  const input =
    edit.isNew === true
      ? { file_path: edit.path, content: text }
      : { file_path: edit.path, old_string: "", new_string: text };
  return { name: edit.isNew === true ? "Write" : "Edit", input, edits: () => [edit] };
}

function breachView(rules: readonly CatalogRule[], isTrusted: boolean) {
  const users = new Set(rules.flatMap(({ file }) => (file.scope === "global" ? [file.key] : [])));
  const checkOf = checkFinder(rules);
  return (breach: Breach, by: TriedBreach["by"]): TriedBreach => {
    const authority = { isTrusted: () => isTrusted, isUsers: users.has(breach.rule) };
    const reaction = reactionBefore(breach, authority) ?? reactionAfter(breach);
    const tense = reaction === "deny" || reaction === "ask" ? "would break" : "breaks";
    return {
      rule: breach.rule,
      name: shortName(breach.name),
      by,
      reaction,
      wanted: breach.reaction,
      line: breach.line,
      text: oneLine(recordedText(breach)),
      sentence: shortText(lineOf(breach, checkOf(breach), tense)),
    };
  };
}
