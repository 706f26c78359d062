import { ContinuoError } from "../../../base/errors.ts";
import { oneLine } from "../../../base/for-terminal.ts";
import type { AcceptChoice } from "../../../moments/ports/suggestions.ts";
import { patternProblem } from "../matching/pattern-problem.ts";
import { isSearchable } from "../matching/search-pattern.ts";
import { splitFrontmatter } from "../parsing/frontmatter.ts";
import { parseRule } from "../parsing/parse.ts";
import { describeDraft } from "./describe.ts";
import { checkKey, draftsFrom } from "./drafts-from.ts";
import { checksBlock, yamlOf } from "./edit-frontmatter.ts";
import type { Draft, DraftCheck, RuleOrigin } from "./records.ts";
import {
  editFor,
  fileNameOf,
  foldersOf,
  globsOf,
  hashOf,
  newRuleText,
  readRuleText,
  writeEdit,
  writeNewRule,
  writtenFile,
} from "./rule-file.ts";
import type { Deciding, Outcome } from "./suggestions.ts";

/** Writes the check to the rule's file, or to a new rule for what the user said. */
export async function acceptDraft(draft: Draft, choice: AcceptChoice, deciding: Deciding): Promise<Outcome> {
  const check = withPattern(draft.check, choice.text);
  const { from } = draft;
  if (from.kind === "rule") return intoRule({ ...draft, check }, from, draft.check);
  const { everywhere, project } = foldersOf(deciding.home, draft.project.root);
  const isHere = (choice.scope ?? from.scope) === "project";
  const text = newRuleText(check, draft.sentence);
  const read = await parseRule(text, { name: "new.md", dialect: "continuo" });
  const problem =
    read.kind === "refused"
      ? read.message
      : read.lints.find(({ code }) => code.startsWith("check-"))?.message;
  if (problem !== undefined) throw wrongPattern(problem);
  const change = writeNewRule(
    isHere ? project : everywhere,
    fileNameOf(check),
    text,
    isHere ? draft.project.root : undefined,
  );
  return { done: true, message: `Accepted: ${describeDraft(check)} (new rule ${change.path})`, change };
}

function withPattern(check: DraftCheck, text: string | undefined): DraftCheck {
  const pattern = text === undefined ? undefined : oneLine(text);
  if (pattern === undefined || pattern === (check.never ?? check.ran)) return check;
  if (!isSearchable(pattern)) throw new ContinuoError("usage", `the pattern ${patternProblem(pattern)}`);
  return check.never === undefined
    ? { ...check, ran: pattern, isEdited: true }
    : { ...check, never: pattern, isEdited: true };
}

function wrongPattern(message: string): ContinuoError {
  return new ContinuoError("usage", `the pattern cannot be used: ${message}`);
}

async function intoRule(draft: Draft, from: RuleOrigin, suggested: DraftCheck): Promise<Outcome> {
  const { path, scope, name } = from;
  const within = scope === "project" ? draft.project.root : undefined;
  const text = readRuleText(path, within);
  if (text === undefined)
    return { done: false, message: `${path} no longer exists, so this suggestion was removed`, isGone: true };
  if (hashOf(text) !== from.hash) return madeAgain(text, draft, from, suggested);
  const { check } = draft;
  const edit = await editFor(text, check, { name: from.key, dialect: from.dialect });
  if (edit === undefined)
    return {
      done: false,
      message: `The frontmatter of ${path} cannot be changed safely. Add these lines to it:\n${checksBlock(yamlOf(check)).join("\n")}`,
    };
  if (edit === "there")
    return {
      done: false,
      message: `${path} has this check already, so this suggestion was removed`,
      isGone: true,
    };
  if ("code" in edit) throw wrongPattern(edit.message);
  const written = writtenFile(path, within);
  const change = writeEdit(path, text, edit);
  return {
    done: true,
    message: `Accepted: ${describeDraft(check)} (rule "${oneLine(name)}", ${oneLine(written)})`,
    change,
  };
}

/** The rule has changed since: the user reviews the draft that follows from its current text. */
async function madeAgain(
  text: string,
  draft: Draft,
  from: RuleOrigin,
  suggested: DraftCheck,
): Promise<Outcome> {
  const { yaml, body } = splitFrontmatter(text);
  const globs = await globsOf(yaml);
  const found = draftsFrom(body, { as: "rule", globs }).find(
    ({ check }) => checkKey(check) === checkKey(suggested),
  );
  if (found === undefined)
    return { done: false, message: `${from.path} was changed and no longer says this`, isGone: true };
  return {
    done: false,
    message: `${from.path} has changed since. The suggestion was updated: review it again`,
    again: {
      ...draft,
      check: found.check,
      sentence: oneLine(found.sentence),
      from: { ...from, hash: hashOf(text) },
    },
  };
}
