import { isAbsolute } from "node:path";
import type { Edit } from "../../../moments/tool-use.ts";
import { bucketsOf, isMatchInProject } from "../matching/file-matching.ts";
import { isMatch } from "../matching/glob-matcher.ts";
import { searchPattern } from "../matching/search-pattern.ts";
import type { EditCheck, Pattern } from "../rule.ts";
import { type AddedLines, byFile } from "./added-lines.ts";
import type { CheckSet, RuleCheck } from "./check-set.ts";
import type { Findings, JudgeOptions } from "./findings.ts";
import { type Line, MAX_SEARCHED } from "./searched-text.ts";

/** With fewer checks, or in a shorter text, a trigram index costs more than it saves, because it has a fixed size. */
const MANY = 10;
const LONG = 4000;

/** The fixed cost of testing whether a line is an exception. */
const STEPS_PER_EXCEPTION = 20;

/** Checks every line that a call adds. */
export function judgeEdits(
  set: CheckSet,
  edits: readonly Edit[],
  findings: Findings,
  { mayBeNew = () => false }: JudgeOptions = {},
): void {
  for (const added of byFile(edits)) {
    if (added.isEmpty) continue;
    const looking = checksFor(set, added, mayBeNew, findings);
    const [first] = looking;
    if (first === undefined) continue;
    const { text, isBeginning } = added.beginning();
    const checks = isGeneratedText(text, isBeginning) ? looking.filter(skipsNothing) : looking;
    if (added.length > MAX_SEARCHED) {
      for (const one of checks) findings.unknown(one, added.path);
      continue;
    }
    if (checks.length >= MANY && added.length >= LONG) added.searched().expectMany(findings.budgetOf(first));
    for (const one of checks) if (!findings.leavesOut(one)) judgeFile(one, added, findings);
  }
}

function judgeFile(by: RuleCheck<EditCheck>, added: AddedLines, findings: Findings): void {
  const { never, must, except } = by.check;
  const { path } = added;
  const budget = findings.budgetOf(by);
  if (never === undefined) {
    const found = added.searched().linesWith(must ?? "", budget, 1);
    if (found === "unknown") {
      findings.unknown(by, path);
      return;
    }
    findings.occasion(by);
    const mayBeOld = by.check.isNewOnly === true && !added.isNew;
    if (found.length === 0) findings.breach(by, () => ({ path, text: "", mayBeOld }));
    return;
  }
  const wasThere = added.linesBefore(budget);
  let isBroken = false;
  const visit = (line: Line): boolean => {
    // Without enough steps to find out, nothing is reported.
    if (except !== undefined) budget.left -= STEPS_PER_EXCEPTION;
    const isExcepted = except !== undefined && searchPattern(except).use((find) => find(line.text, budget));
    if (isExcepted === "unknown") return false;
    if (isExcepted || wasThere(line)) return true;
    isBroken = true;
    findings.breach(by, () => {
      const number = added.numberOf(line);
      return {
        path,
        ...(number !== undefined && { line: number }),
        text: line.text.trimEnd(),
        mayBeOld: added.mayBeOld,
      };
    });
    return true;
  };
  const isDone = added.searched().eachWith(never, budget, visit) && budget.left >= 0;
  // What was found before the steps ran out still counts.
  if (isDone || isBroken) findings.occasion(by);
  else findings.unknown(by, path);
}

/** What the user denies is denied everywhere: no text in the edit and no folder exempts it. */
function skipsNothing({ isUsers, check: { reaction } }: RuleCheck<EditCheck>): boolean {
  return isUsers && (reaction === "deny" || reaction === "ask");
}

/**
 * The checks that apply to a file, in the order of their rules. Without enough steps to find out, a check applies, and
 * its result is unknown.
 */
function checksFor(
  set: CheckSet,
  { paths, path, isNew, saysIfNew }: AddedLines,
  mayBeNew: (path: string) => boolean,
  findings: Findings,
): RuleCheck<EditCheck>[] {
  const isChosen = new Uint8Array(set.edits.length);
  for (const one of paths) choose(set, one, isChosen, findings);
  return set.edits.filter(
    ({ check: { isNewOnly } }, at) =>
      isChosen[at] === 1 && (isNewOnly !== true || isNew || (!saysIfNew && mayBeNew(path))),
  );
}

/** Marks the checks that apply to files with this path. */
function choose(set: CheckSet, path: string, isChosen: Uint8Array, findings: Findings): void {
  const part = generatedPart(path);
  const isSkipped = (one: RuleCheck<EditCheck>, pattern?: Pattern) =>
    part !== undefined && !skipsNothing(one) && (pattern === undefined || !names(pattern, part));
  const isExcluded = (one: RuleCheck<EditCheck>) =>
    one.check.files.exclude.some((pattern) => isMatchInProject(pattern, path, findings.budgetOf(one)));
  for (const at of set.everywhere) {
    const one = set.edits[at];
    if (one !== undefined && isChosen[at] !== 1 && !isSkipped(one) && !isExcluded(one)) isChosen[at] = 1;
  }
  // Many checks share patterns.
  const known = new Map<string, boolean>();
  for (const bucket of isAbsolute(path) ? [] : bucketsOf(path)) {
    for (const [pattern, at] of set.includes.get(bucket) ?? []) {
      const one = set.edits[at];
      if (one === undefined || isChosen[at] === 1 || isSkipped(one, pattern)) continue;
      const budget = findings.budgetOf(one);
      const matches = known.get(pattern.regex) ?? isMatch(pattern, path, budget);
      if (budget.left >= 0) known.set(pattern.regex, matches);
      if ((matches || budget.left < 0) && !isExcluded(one)) isChosen[at] = 1;
    }
  }
}

const FOLDERS = new Set(["node_modules", "dist", "build", "vendor"]);
const LOCK_FILES = new Set([
  "package-lock.json",
  "npm-shrinkwrap.json",
  "pnpm-lock.yaml",
  "bun.lockb",
  "go.sum",
  "packages.lock.json",
  "gradle.lockfile",
]);

/** Searched in the first lines that are added to a file. */
const GENERATED = /@generated\b|\bDO NOT EDIT\b/;
const FIRST_LINES = 2000;

/**
 * The part of a path that shows that the file is not written by hand: a folder, a file's name or a part of it. A check
 * applies to such a file only if its pattern names that part, as in `vendor/**`.
 */
function generatedPart(path: string): string | undefined {
  const segments = path.split("/");
  const base = segments.pop() ?? "";
  const folder = segments.find((one) => FOLDERS.has(one));
  if (folder !== undefined) return folder;
  if (LOCK_FILES.has(base)) return base;
  return /\.lock$|\.min\.(?=[^.]+$)|\.snap$/.exec(base)?.[0];
}

function names(pattern: Pattern, part: string): boolean {
  return pattern.text.includes(part);
}

/** Whether added text is binary, or begins with a remark that it is generated. */
function isGeneratedText(text: string, isBeginning: boolean): boolean {
  return (isBeginning && GENERATED.test(text.slice(0, FIRST_LINES))) || text.includes("\0");
}
