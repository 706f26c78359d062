import { oneLine } from "../../../base/for-terminal.ts";
import { clip } from "../../../base/text.ts";
import { count } from "../../../base/when.ts";
import type { Question } from "../checks/person.ts";
import { knownWord, patternOf } from "./code-words.ts";
import type { DraftCheck } from "./records.ts";

/** What the user reads before deciding. Everything is on one line, with nothing hidden. */

const MAX_SHOWN = 120;
const shown = (text: string): string => clip(oneLine(text), MAX_SHOWN);

export function describeDraft(check: DraftCheck): string {
  const { on, literal, never = "" } = check;
  if (on === "answer")
    return `The agent's answer must not contain ${isOwnPattern(check) ? `"${shown(literal)}"` : `what matches ${shown(never)}`}`;
  if (on === "edits") return `Lines that edits add to ${filesOf(check)} must not ${contain(check)}`;
  const [first = "", second = ""] = literal.split("|");
  if (on === "done")
    return `Before the agent says that it is done, "${shown(first)}" must have succeeded since the last edit`;
  if (check.before !== undefined)
    return `The agent may run "${shown(first)}" only after "${shown(second)}" has succeeded since the last edit`;
  return isOwnPattern(check)
    ? `The agent must not run ${literal.startsWith("-") ? `a command with ${shown(literal)}` : `"${shown(literal)}"`}`
    : `The agent must not run a command that matches ${shown(never)}`;
}

/** The same for an agent, as the text of a rule. */
export function instructionOf(check: DraftCheck): string {
  const { on, literal, never = "", ran = "", place } = check;
  const [first = "", second = ""] = literal.split("|");
  const isOwn = isOwnPattern(check);
  if (on === "answer") return isOwn ? `Do not say "${first}".` : `Do not say what matches /${never}/.`;
  if (on === "done")
    return `Run ${isOwn ? `\`${first}\`` : `a command that matches /${ran}/`} before you say that you are done.`;
  if (check.before !== undefined)
    return `Run ${isOwn ? `\`${second}\`` : `a command that matches /${ran}/`} before \`${first}\`.`;
  if (on === "commands") {
    if (!isOwn) return `Do not run a command that matches /${never}/.`;
    return literal.startsWith("-")
      ? `Do not run a command with \`${literal}\`.`
      : `Do not run \`${literal}\`.`;
  }
  if (!isOwn) return `Do not write what matches /${never}/.`;
  return literal.startsWith("import ")
    ? `Do not import \`${literal.slice("import ".length)}\`.`
    : `Do not use \`${literal}\`${place === undefined ? "" : ` in \`${place}\``}.`;
}

function contain(check: DraftCheck): string {
  const { literal, never = "" } = check;
  if (!isOwnPattern(check)) return `match ${shown(never)}`;
  return `contain \`${shown(literal)}\`${/^\w+$/.test(literal) ? " as a word" : ""}`;
}

/** Whether the pattern is still the one derived from the literal text: the user may have changed it. */
function isOwnPattern({ on, literal, never, isEdited }: DraftCheck): boolean {
  if (isEdited === true) return false;
  return (
    on !== "edits" ||
    never === patternOf(literal) ||
    knownWord(literal, true) !== undefined ||
    literal.startsWith("import ")
  );
}

const MOST_FILES = 4;

function filesOf({ files, ruleFiles = [] }: DraftCheck): string {
  const all = (files ?? ruleFiles).map((glob) => shown(glob).replace(/^(!?)\*\*\//, "$1"));
  const wanted = all.filter((glob) => !glob.startsWith("!"));
  const others = all.filter((glob) => glob.startsWith("!")).map((glob) => glob.slice(1));
  const some = wanted.slice(0, MOST_FILES).join(", ");
  const more = wanted.length > MOST_FILES ? ` and ${wanted.length - MOST_FILES} more` : "";
  const kinds = wanted.length === 0 ? "all files" : `${some}${more}`;
  return others.length === 0 ? kinds : `${kinds} but ${others.slice(0, MOST_FILES).join(", ")}`;
}

const MAX_NAME = 40;

/** The question. It fits into 80 columns, because a form may cut a line at its end. */
export function describeQuestion({ name }: Pick<Question, "name">): string {
  return `Refuse what breaks "${clip(oneLine(name), MAX_NAME)}" from now on?`;
}

/** Why it is asked. The agent may have continued since the question was stored. */
export function describeBreaches({ breaches, example }: Pick<Question, "breaches" | "example">): string {
  const times = `at least ${count(breaches, "time")} in one session, even after three reminders`;
  return `The agent broke it ${times}: ${clip(oneLine(example), 200)}`;
}
