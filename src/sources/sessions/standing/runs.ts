import { redact } from "../../../store/redact.ts";
import { partsOf } from "./command-parts.ts";

/** What a command of a session checked, and how it came out. */
export interface Run {
  readonly kind: RunKind;
  /** As it was typed, without the folder and the filters of its output. */
  readonly command: string;
  readonly outcome: "passed" | "failed" | "unknown" | "not finished";
  /** What the program said about it: `2 failed, 40 passed`, names of failed tests. */
  readonly detail: string;
}

/** `checks`: several of them in one command, of which one failed. */
export type RunKind = "tests" | "lint" | "types" | "build" | "checks";

const KINDS: readonly (readonly [RunKind, RegExp])[] = [
  [
    "tests",
    /\b(?:vitest|jest|mocha|ava|pytest|tox|nox|phpunit|rspec|ctest|playwright test|cypress run|gotestsum|nextest|test:\w+)\b|\b(?:go|cargo|dotnet|swift|mix|deno|bun|npm|pnpm|yarn|gradle|gradlew|mvn|mvnw|make|just|task|mise|mise run|hatch|uv run|rake|bazel|zig|flutter|dart)\s+(?:run\s+)?(?:test|tests|t|check-tests)\b/,
  ],
  ["types", /\b(?:tsc|vue-tsc|mypy|pyright|pyre|go vet|cargo check|(?:type-?check|check-types|typecheck))\b/],
  [
    "lint",
    /\b(?:eslint|biome|ruff|flake8|pylint|golangci-lint|clippy|rubocop|stylelint|prettier --check|shellcheck|(?:run\s+)?lint(?::\w+)?)\b/,
  ],
  [
    "build",
    /\b(?:go|cargo|dotnet|swift|npm run|pnpm|pnpm run|yarn|yarn run|bun run|gradle|gradlew|make|docker|mise run|just|task|vite|next|webpack|cmake)\s+(?:--\S+\s+)*build\b|\bmvn(?:w)? (?:package|compile|install)\b|^\s*make\s*$/,
  ],
];

/** What only shows, fetches or moves something, whatever its arguments are called. */
const NO_CHECK =
  /^(?:cat|ls|less|head|tail|grep|rg|find|fd|sed|awk|wc|echo|printf|git|gh|which|mkdir|touch|rm|cp|mv|ln|jq|curl|brew|apt|apt-get|pip3?|pipx)\b|^(?:npm|pnpm|yarn|bun|cargo|uv|poetry|gem|go)\s+(?:i|install|uninstall|add|remove|rm|ci|create|view|info|why|outdated|publish|init|get|mod|link)\b|\s(?:--version|--help|--collect-only|--listTests|--list|--dry-run)\b/;

function kindsOf(command: string): RunKind[] {
  const checks = partsOf(command).filter((one) => !NO_CHECK.test(one));
  return KINDS.flatMap(([kind, pattern]) => (checks.some((one) => pattern.test(one)) ? [kind] : []));
}

/** What it is mainly about: `npm run build && npm test` is about tests. */
export const kindOf = (command: string): RunKind | undefined => kindsOf(command)[0];

interface Result {
  readonly command: string;
  /** Undefined if nothing says it. */
  readonly failed?: boolean;
  readonly output: string;
  readonly isInBackground?: boolean;
}

/** Undefined for a command that checks nothing. */
export function runOf({ command, failed, output, isInBackground }: Result): Run | undefined {
  const [kind, ...others] = kindsOf(command);
  if (kind === undefined) return undefined;
  const said = summaryIn(output.replaceAll(ANSI, ""));
  const run = { kind, command: shortCommand(command), detail: "" };
  if (failed === undefined || isInBackground === true) return { ...run, outcome: "not finished" };
  // The host knows that it failed: what the output counts may be of an earlier part.
  if (failed)
    return said.failed
      ? { ...run, outcome: "failed", detail: said.detail }
      : { ...run, kind: others.length > 0 ? "checks" : kind, outcome: "failed" };
  if (said.failed) return { ...run, outcome: "failed", detail: said.detail };
  if (said.hasNone) return { ...run, outcome: "unknown", detail: "no tests" };
  if (tellsItsStatus(command)) return { ...run, outcome: "passed", detail: said.detail };
  return said.passed && !SIGNS.test(output)
    ? { ...run, outcome: "passed", detail: said.detail }
    : { ...run, outcome: "unknown" };
}

/** Of a filter, or of another command after it, the exit status says nothing about it. */
const tellsItsStatus = (command: string): boolean =>
  !/\||;|\n|(?<!&)&(?!&|>|\d)/.test(command.trim().replace(/\d?>&\d/g, ""));

/** Something went wrong, though the numbers of tests do not say it. */
const SIGNS = /\b(?:errors?|fail(?:ed|ures?|ing)?|panic|not met|traceback)\b/i;

const ANSI = /\u001b\[[0-9;]*m/g;
const MOST_NAMES = 2;

interface Summary {
  readonly failed: boolean;
  readonly passed: boolean;
  /** It says that it found no tests. */
  readonly hasNone: boolean;
  readonly detail: string;
}

/** What test runners, linters and compilers print at their end. */
function summaryIn(output: string): Summary {
  const counts = countsIn(output);
  const names = failedNames(output);
  const hasNone = /\bno tests? (?:found|ran|files|to run|collected)\b|\bcollected 0 items\b/i.test(output);
  if (counts !== undefined) {
    const failed = counts.failed > 0;
    const detail = [counts.text, ...(failed ? names : [])].join(", ");
    return { failed, passed: !failed && counts.passed > 0, hasNone, detail };
  }
  const passed =
    /^(?:ok\s+\S+|PASS)\b|BUILD SUCCESS|\b0 (?:errors|problems|issues)\b|All checks passed|no issues found/im.test(
      output,
    );
  if (names.length > 0 || /^(?:FAIL|FAILED|BUILD FAILED)\b/m.test(output))
    return { failed: true, passed: false, hasNone, detail: names.join(", ") };
  const errors = /\(([1-9]\d*) errors?,|^(?:Found )?([1-9]\d*) errors?\b/m.exec(output);
  const count = errors?.[1] ?? errors?.[2];
  if (count !== undefined)
    return { failed: true, passed: false, hasNone, detail: `${count} ${count === "1" ? "error" : "errors"}` };
  if (/\berror TS\d+|^error(?:\[\w+\])?: /m.test(output))
    return { failed: true, passed: false, hasNone, detail: "" };
  return { failed: false, passed, hasNone, detail: "" };
}

/** The last line with numbers of tests: `Tests  2 failed | 40 passed`, `3 failed, 10 passed in 2.1s`. */
function countsIn(output: string): { failed: number; passed: number; text: string } | undefined {
  for (const line of output.split("\n").toReversed()) {
    if (line.length > 300 || /^\s*Test (?:Files|Suites)/.test(line)) continue;
    const failed = /\b(\d+)\s+(?:tests? )?(?:failed|failing|failures?|errors?)\b/i.exec(line)?.[1];
    const passed = /\b(\d+)\s+(?:tests? )?(?:passed|passing|pass)\b/i.exec(line)?.[1];
    if (passed === undefined && !/\b\d+\s+(?:tests? )?(?:failed|failing)\b/i.test(line)) continue;
    const text = [
      ...(failed === undefined || failed === "0" ? [] : [`${failed} failed`]),
      ...(passed === undefined ? [] : [`${passed} passed`]),
    ].join(", ");
    return { failed: Number(failed ?? 0), passed: Number(passed ?? 0), text };
  }
  return undefined;
}

const FAILED_NAME = /^\s*(?:--- FAIL: (\S{1,120})|FAILED (\S{1,160})|(?:FAIL|✗|×|✕)\s+(\S[^\n]{1,120}))/gm;

function failedNames(output: string): string[] {
  // Most outputs have none, and redacting takes time.
  if (output.search(FAILED_NAME) < 0) return [];
  const found = new Set<string>();
  for (const [, go, py, js] of redact(output).matchAll(FAILED_NAME)) {
    const name = (go ?? py ?? js ?? "").replace(/\s+\(?\d+(?:\.\d+)? ?m?s\)?\s*$/, "").trim();
    if (name !== "" && !/^\[/.test(name)) found.add(name);
    if (found.size === MOST_NAMES) break;
  }
  return [...found];
}

const MOST_OF_A_COMMAND = 70;

/** Its first program that is no change of folder, up to the first pipe. */
function shortCommand(command: string): string {
  const [first = ""] = command.trim().split("\n");
  const parts = first.split(/&&|;/).map((one) => one.trim());
  const shown = parts.filter((one) => !one.startsWith("cd ")).join(" && ");
  const text = redact((shown.split("|")[0] ?? "").replace("2>&1", "").trim());
  return text.length <= MOST_OF_A_COMMAND ? text : `${text.slice(0, MOST_OF_A_COMMAND - 2).toWellFormed()} …`;
}
