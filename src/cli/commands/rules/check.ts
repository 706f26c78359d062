import { readdirSync } from "node:fs";
import { join } from "node:path";
import { oneLine } from "../../../base/for-terminal.ts";
import { shortPath } from "../../../moments/project/known-project.ts";
import type { CatalogRule } from "../../../sources/rules/catalog/catalog-rule.ts";
import { shownCommand } from "../../../sources/rules/checks/describe.ts";
import { filesCondition } from "../../../sources/rules/matching/file-matching.ts";
import { isMatch } from "../../../sources/rules/matching/glob-matcher.ts";
import type { Budget } from "../../../sources/rules/matching/linear-regex.ts";
import type { Pattern } from "../../../sources/rules/rule.ts";
import { mayRun, projectRuns } from "../../../sources/rules/run/runs.ts";
import { findHome } from "../../../store/home.ts";
import { readTrust, type Trust } from "../../../store/trust.ts";
import type { Input, Outcome } from "../../command.ts";
import { nextSteps } from "../../terminal/next-step.ts";
import { paintFor } from "../../terminal/paint.ts";
import { PLAIN } from "../../terminal/screen.ts";
import { counted } from "../../terminal/table.ts";
import { wrapOn } from "../../terminal/wrap.ts";
import { missingGuardLines } from "../install/guards.ts";
import { judgeAll } from "./judged.ts";

interface Complaint {
  readonly path: string;
  readonly severity: "error" | "warning";
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
}

/** Lints every rule: refused files, unknown keys, globs without a match, duplicates, oversized texts. */
export async function check(input: Input): Promise<Outcome> {
  const { project, catalog, leftOut } = await judgeAll(input);
  const files = projectFiles(project.root);
  const budget = { left: MAX_STEPS };
  const complaints: Complaint[] = [
    ...catalog.rejects.map(({ path, code, message }) => ({
      path,
      severity: "error" as const,
      code,
      message,
    })),
    ...catalog.pending.map(({ path }) => ({
      path,
      severity: "error" as const,
      code: "rules-pending",
      message: "could not be read in time",
    })),
    ...catalog.rules.flatMap((rule) =>
      rule.lints.map((lint) => ({ path: rule.file.path, severity: "warning" as const, ...lint })),
    ),
    ...leftOut.map(({ rule, message, hint }) => ({
      path: rule.file.path,
      severity: "warning" as const,
      code: "no-room",
      message,
      hint,
    })),
    ...catalog.rules.flatMap((rule) => deadGlobs(rule, files, budget)),
    ...(budget.left < 0 ? [unchecked(project.root)] : []),
    ...notAccepted(catalog.rules, readTrust(findHome(input.env)), project.id),
    ...catalog.repeated.map(({ file, by }) => ({
      path: file.path,
      severity: "warning" as const,
      code: "repeated",
      message: `duplicate of ${by.path} (used once)`,
    })),
  ];
  const errors = complaints.filter((one) => one.severity === "error").length;
  const { screen = PLAIN } = input;
  const paint = paintFor(screen);
  const lines = complaints.flatMap(({ path, severity, code, message, hint }) => [
    `${paint(severity === "error" ? "red" : "yellow", severity)}  ${oneLine(shortPath(path, input.env))}`,
    wrapOn(`  ${oneLine(`${code}: ${message.replace(`${path}: `, "")}`)}`, screen),
    ...(hint === undefined ? [] : [wrapOn(`  ${oneLine(hint)}`, screen)]),
  ]);
  const verdict = `${counted(catalog.rules.length, "rule")} loaded, ${errors} refused, ${counted(complaints.length - errors, "warning")}.`;
  const missing = await missingGuardLines(input, findHome(input.env));
  return {
    data: { complaints, rules: catalog.rules.length },
    text: [
      ...lines,
      ...missing.map((line) => wrapOn(line, screen)),
      paint(errors > 0 ? "red" : complaints.length > 0 ? "yellow" : "green", verdict),
      ...nextSteps(screen, ["continuo rules list", "Which rules apply"]),
    ].join("\n"),
    exitCode: errors > 0 ? 1 : 0,
  };
}

/** Commands of the project's rules that do not run. The user's own need no consent. */
function notAccepted(rules: readonly CatalogRule[], trust: Trust, project: string): Complaint[] {
  return projectRuns(rules)
    .filter((run) => !mayRun(trust, project, run))
    .map(({ path, check }) => ({
      path,
      severity: "warning",
      code: "run-not-accepted",
      message: `${shownCommand(check.command)} does not run: you have not accepted it`,
      hint: "continuo rules trust shows and accepts it",
    }));
}

function unchecked(path: string): Complaint {
  return {
    path,
    severity: "warning",
    code: "globs-unchecked",
    message: "too many patterns and files to check which patterns match no file",
  };
}

/** Limits the matching of globs against files to a few seconds, whatever the globs are. */
const MAX_STEPS = 500_000_000;

const ONLY_EXTENSION = /^(?:\*\*\/)?\*\.(?:\w+|\{[\w,]+\})$/;

export function deadGlobs(rule: CatalogRule, files: readonly string[], budget: Budget): Complaint[] {
  // The user's own rules are for all projects: not each has files of every language.
  const isAnywhere = ({ text }: Pattern) => rule.file.scope === "global" && ONLY_EXTENSION.test(text);
  const include = [
    ...(filesCondition(rule)?.include ?? []),
    ...rule.checks.flatMap((one) => ("files" in one ? one.files.include : [])),
  ].filter((one) => !isAnywhere(one));
  return [...new Set(include.map((one) => one.text))]
    .filter((text) => {
      const patterns = include.filter((one) => one.text === text);
      const isAlive = files.some((file) => {
        budget.left -= STEPS_PER_FILE;
        return budget.left >= 0 && patterns.some((one) => isMatch(one, file, budget));
      });
      return !isAlive && budget.left >= 0;
    })
    .map((text) => ({
      path: rule.file.path,
      severity: "warning" as const,
      code: "dead-glob",
      message: `"${text}" matches no file of this project`,
    }));
}

const STEPS_PER_FILE = 20;

const SKIPPED = new Set([
  ".git",
  "node_modules",
  "vendor",
  "dist",
  "build",
  "target",
  ".venv",
  "__pycache__",
]);
const MAX_FILES = 50_000;
const MAX_ENTRIES = 200_000;
const MAX_DEPTH = 64;

/** Files of the project with forward slashes, without generated folders. Enough to see whether a glob matches anything. */
export function projectFiles(root: string): string[] {
  const found: string[] = [];
  let entries = 0;
  const walk = (folder: string, depth: number) => {
    for (const entry of entriesOf(join(root, folder))) {
      if (found.length >= MAX_FILES || ++entries > MAX_ENTRIES || depth > MAX_DEPTH) return;
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory() && !SKIPPED.has(entry.name)) walk(path, depth + 1);
      else if (entry.isFile()) found.push(path);
    }
  };
  walk("", 0);
  return found;
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return []; // a folder that cannot be read has no file that a rule could match
  }
}
