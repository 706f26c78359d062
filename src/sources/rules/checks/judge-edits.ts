import { isAbsolute } from "node:path";
import type { Edit } from "../../../moments/tool-use.ts";
import { bucketsOf, isMatchInProject } from "../matching/file-matching.ts";
import { isMatch } from "../matching/glob-matcher.ts";
import type { Budget } from "../matching/linear-regex.ts";
import { searchPattern } from "../matching/search-pattern.ts";
import { type AddedLines, byFile } from "./added-lines.ts";
import type { EditCheck } from "./check.ts";
import type { CheckSet, RuleCheck } from "./check-set.ts";
import type { Findings, JudgeOptions } from "./findings.ts";
import { type Line, MAX_SEARCHED } from "./searched-text.ts";
import { generatedPart, isGeneratedText, names } from "./skipped-files.ts";

/** With fewer checks a list of all trigrams costs more than it saves. */
const MANY = 10;

/** Looks at every line that a call adds. */
export function judgeEdits(
  set: CheckSet,
  edits: readonly Edit[],
  findings: Findings,
  { mayBeNew = () => false }: JudgeOptions = {},
): void {
  for (const added of byFile(edits)) {
    if (added.isEmpty) continue;
    const checks = checksFor(set, added, mayBeNew, findings.budget);
    if (checks.length === 0) continue;
    const { text, isBeginning } = added.beginning();
    if (isGeneratedText(text, isBeginning)) continue;
    if (added.length > MAX_SEARCHED) {
      for (const one of checks) findings.unknown(one, added.path);
      continue;
    }
    if (checks.length >= MANY) added.searched().expectMany(findings.budget);
    for (const one of checks) if (!findings.leavesOut(one)) judgeFile(one, added, findings);
  }
}

function judgeFile(by: RuleCheck<EditCheck>, added: AddedLines, findings: Findings): void {
  const { never, must } = by.check;
  const { path } = added;
  const most = never === undefined ? 1 : Infinity;
  const found = added.searched().linesWith(never ?? must ?? "", findings.budget, most);
  if (found === "unknown") {
    findings.unknown(by, path);
    return;
  }
  findings.occasion(by);
  if (never === undefined) {
    const mayBeOld = by.check.isNewOnly === true && !added.isNew;
    if (found.length === 0) findings.breach(by, { path, text: "", mayBeOld });
    return;
  }
  const broken = added.newOf(withoutExceptions(by.check, found, findings.budget));
  const mayBeOld = broken.length > 0 && added.mayBeOld;
  for (const line of broken) {
    const number = added.numberOf(line);
    findings.breach(by, {
      path,
      ...(number !== undefined && { line: number }),
      text: line.text.trimEnd(),
      mayBeOld,
    });
  }
}

/** Without steps to find out, a line counts as an exception: nobody is blamed wrongly. */
function withoutExceptions({ except }: EditCheck, lines: readonly Line[], budget: Budget): readonly Line[] {
  if (except === undefined || lines.length === 0) return lines;
  return searchPattern(except).use((find) => lines.filter(({ text }) => find(text, budget) === false));
}

/** The checks that look at a file, in the order of their rules. */
function checksFor(
  set: CheckSet,
  { path, isNew, saysIfNew }: AddedLines,
  mayBeNew: (path: string) => boolean,
  budget: Budget,
): RuleCheck<EditCheck>[] {
  const part = generatedPart(path);
  const isChosen = new Uint8Array(set.edits.length);
  if (part === undefined) for (const at of set.everywhere) isChosen[at] = 1;
  // Many checks have the same patterns.
  const known = new Map<string, boolean>();
  for (const bucket of isAbsolute(path) ? [] : bucketsOf(path)) {
    for (const [pattern, at] of set.includes.get(bucket) ?? []) {
      if (isChosen[at] === 1 || (part !== undefined && !names(pattern, part))) continue;
      const matches = known.get(pattern.regex) ?? isMatch(pattern, path, budget);
      known.set(pattern.regex, matches);
      if (matches) isChosen[at] = 1;
    }
  }
  return set.edits.filter(
    ({ check: { files, isNewOnly } }, at) =>
      isChosen[at] === 1 &&
      (isNewOnly !== true || isNew || (!saysIfNew && mayBeNew(path))) &&
      !files.exclude.some((pattern) => isMatchInProject(pattern, path, budget)),
  );
}
