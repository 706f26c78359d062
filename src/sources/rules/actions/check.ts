import { readdirSync } from "node:fs";
import { join } from "node:path";
import { assertAwaited } from "../../../base/deadline.ts";
import { oneLine } from "../../../base/for-terminal.ts";
import { pauses } from "../../../base/slices.ts";
import { count } from "../../../base/when.ts";
import { fields } from "../../../moments/actions/fields.ts";
import { action } from "../../../moments/ports/action.ts";
import { shortPath } from "../../../moments/project/known-project.ts";
import { readTrust, type Trust } from "../../../store/trust.ts";
import type { CatalogRule } from "../catalog/catalog-rule.ts";
import { shownCommand } from "../checks/describe.ts";
import { filesCondition } from "../matching/file-matching.ts";
import { isMatch } from "../matching/glob-matcher.ts";
import type { Budget } from "../matching/linear-regex.ts";
import type { Pattern } from "../rule.ts";
import { mayRun, projectRuns } from "../run/runs.ts";
import { IMAGINED, judgeFor } from "./imagined.ts";

export interface Complaint {
  readonly path: string;
  readonly severity: "error" | "warning";
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
}

const error = { severity: "error" } as const;
const warning = { severity: "warning" } as const;

/** Lints every rule: refused files, unknown keys, globs without a match, duplicates, oversized texts. */
export const check = action({
  name: "rules check",
  about: "find mistakes in rules",
  guide:
    "Reports unknown keys, patterns that match no file, duplicates and damaged files. It ends with exit code 1 if a rule cannot be used.",
  effect: "reads",
  input: fields(IMAGINED),
  examples: [
    ["continuo rules check", "check the rules of this project"],
    ["continuo rules check --json", "the same for a script"],
  ],
  async run(input, place) {
    const { project, catalog, leftOut } = await judgeFor(input, place);
    const work: Work = {
      pause: pauses(),
      budget: { left: MAX_STEPS },
      ...(place.signal && { signal: place.signal }),
    };
    const files = await projectFiles(project.root, work);
    const dead: Complaint[] = [];
    for (const rule of catalog.rules) dead.push(...(await deadGlobs(rule, files, work)));
    const complaints: Complaint[] = [
      ...catalog.rejects.map(({ path, code, message }) => ({ ...error, path, code, message })),
      ...catalog.pending.map(({ path }) => ({
        ...error,
        path,
        code: "rules-pending",
        message: "could not be read in time",
      })),
      ...catalog.rules.flatMap((rule) =>
        rule.lints.map((lint) => ({ path: rule.file.path, ...warning, ...lint })),
      ),
      ...leftOut.map(({ rule, message, hint }) => ({
        ...warning,
        path: rule.file.path,
        code: "no-room",
        message,
        hint,
      })),
      ...dead,
      ...(work.budget.left < 0 ? [unchecked(project.root)] : []),
      ...notAccepted(catalog.rules, readTrust(place.home), project.id),
      ...catalog.repeated.map(({ file, by }) => ({
        ...warning,
        path: file.path,
        code: "repeated",
        message: `duplicate of ${by.path} (used once)`,
      })),
    ];
    const missing = (await (await place.others?.())?.missingGuards()) ?? [];
    return { complaints, rules: catalog.rules.length, missing };
  },
  json: ({ complaints, rules }) => ({ complaints, rules }),
  isBad: ({ complaints }) => complaints.some(({ severity }) => severity === "error"),
  view({ complaints, rules, missing }, { env, paint }) {
    const errors = complaints.filter((one) => one.severity === "error").length;
    const verdict = `${count(rules, "rule")} loaded, ${errors} refused, ${count(complaints.length - errors, "warning")}.`;
    return [
      ...complaints.flatMap(({ path, severity, code, message, hint }) => [
        {
          text: `${paint(severity === "error" ? "red" : "yellow", severity)}  ${oneLine(shortPath(path, env))}`,
          isExact: true as const,
        },
        `  ${oneLine(`${code}: ${message.replace(`${path}: `, "")}`)}`,
        ...(hint === undefined ? [] : [`  ${oneLine(hint)}`]),
      ]),
      ...missing,
      paint(errors > 0 ? "red" : complaints.length > 0 ? "yellow" : "green", verdict),
      { next: [["continuo rules list", "Which rules apply"]] },
    ];
  },
});

/** Commands of the project's rules that the user has not accepted. The user's own need no consent. */
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

/** Limits matching globs against files to a few seconds, whatever the globs are. */
const MAX_STEPS = 500_000_000;

const ONLY_EXTENSION = /^(?:\*\*\/)?\*\.(?:\w+|\{[\w,]+\})$/;

/** For long work: lets others in this process run between its steps, and ends once nobody waits any longer. */
interface Work {
  readonly pause: () => Promise<void>;
  readonly budget: Budget;
  readonly signal?: AbortSignal;
}

export async function deadGlobs(
  rule: CatalogRule,
  files: readonly string[],
  { pause, budget, signal }: Work,
): Promise<Complaint[]> {
  // The user's own rules are for all projects, not all of which have files of every language.
  const isAnywhere = ({ text }: Pattern) => rule.file.scope === "global" && ONLY_EXTENSION.test(text);
  const include = [
    ...(filesCondition(rule)?.include ?? []),
    ...rule.checks.flatMap((one) => ("files" in one ? one.files.include : [])),
  ].filter((one) => !isAnywhere(one));
  const dead: Complaint[] = [];
  for (const [text, patterns] of Map.groupBy(include, (one) => one.text)) {
    let isAlive = false;
    for (let at = 0; at < files.length && !isAlive && budget.left >= 0; at += FILES_AT_ONCE) {
      isAlive = files.slice(at, at + FILES_AT_ONCE).some((file) => {
        budget.left -= STEPS_PER_FILE;
        return budget.left >= 0 && patterns.some((one) => isMatch(one, file, budget));
      });
      await pause();
      assertAwaited(signal);
    }
    if (isAlive || budget.left < 0) continue;
    const message = `"${text}" matches no file of this project`;
    dead.push({ path: rule.file.path, ...warning, code: "dead-glob", message });
  }
  return dead;
}

const FILES_AT_ONCE = 20;
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

/**
 * Files of the project with forward slashes, without generated folders. Enough to determine whether a glob matches
 * anything.
 */
export async function projectFiles(
  root: string,
  { pause, signal }: Pick<Work, "pause" | "signal">,
): Promise<string[]> {
  const found: string[] = [];
  let entries = 0;
  const walk = async (folder: string, depth: number) => {
    await pause();
    assertAwaited(signal);
    for (const entry of entriesOf(join(root, folder))) {
      if (found.length >= MAX_FILES || ++entries > MAX_ENTRIES || depth > MAX_DEPTH) return;
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory() && !SKIPPED.has(entry.name)) await walk(path, depth + 1);
      else if (entry.isFile()) found.push(path);
    }
  };
  await walk("", 0);
  return found;
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return []; // an unreadable folder contributes no files
  }
}
