/** A command that tests, checks or builds, and its result. */
export interface Run {
  readonly kind: RunKind;
  /** As typed, but without the change of folder and the filters of its output. */
  readonly command: string;
  readonly outcome: "passed" | "failed" | "unknown" | "not finished";
  /** The program's summary: `2 failed, 40 passed`, or the names of failed tests. */
  readonly detail: string;
}

export type RunKind = "tests" | "lint" | "types" | "build";

/** The first match counts: `npm run build && npm test` is a test. */
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

/** Commands that check nothing, whatever their arguments are called. */
const LOOKS =
  /^(?:cat|ls|less|head|tail|grep|rg|find|fd|sed|awk|wc|echo|printf|git|gh|which|mkdir|rm|cp|mv|jq)\b/;

export function kindOf(command: string): RunKind | undefined {
  // Quoted text is a message or a pattern, unless a shell runs it.
  const inner = /^(?:bash|sh|zsh) -\w*c (['"])([\s\S]*)\1\s*$/.exec(command.trim())?.[2] ?? command;
  const parts = inner
    .replace(/<<-?\s*['"]?(\w+)['"]?[\s\S]*?(?:\n\1\b|$)/g, "")
    .replace(/"(?:[^"\\]|\\[\s\S])*"|'[^']*'/g, "''")
    .split(/&&|\|\||;|\n/)
    .map(plain);
  const checks = parts.filter((one) => !LOOKS.test(one));
  return KINDS.find(([, pattern]) => checks.some((one) => pattern.test(one)))?.[0];
}

const plain = (part: string): string =>
  part.trim().replace(/^(?:\w+=\S*\s+|(?:time|env|sudo|timeout \S+)\s+)+/, "");

interface Result {
  readonly command: string;
  readonly failed?: boolean;
  readonly output: string;
}

/** Undefined for a command that checks nothing. */
export function runOf({ command, failed, output }: Result): Run | undefined {
  const kind = kindOf(command);
  if (kind === undefined) return undefined;
  const said = summaryIn(output.replaceAll(ANSI, ""));
  const run = { kind, command: shortCommand(command), detail: said.detail };
  if (failed === undefined) return { ...run, outcome: "not finished" };
  if (said.outcome !== undefined) return { ...run, outcome: said.outcome };
  if (failed) return { ...run, outcome: "failed" };
  // The exit status is that of the last program: if that is a filter, it says nothing about the run.
  const isFiltered = /\|\s*(?:head|tail|grep|rg|sed|awk|tee|cat|less|jq|wc)\b|;\s*echo\b|\|\|\s*true\b/.test(
    command,
  );
  return { ...run, outcome: isFiltered ? "unknown" : "passed" };
}

const ANSI = /\u001b\[[0-9;]*m/g;
const MOST_NAMES = 2;

interface Summary {
  readonly outcome?: "passed" | "failed";
  readonly detail: string;
}

/** The summary that test runners, linters and compilers print at their end. */
function summaryIn(output: string): Summary {
  const counts = countsIn(output);
  const names = failedNames(output);
  if (counts !== undefined) {
    const outcome = counts.failed > 0 ? "failed" : counts.passed > 0 ? "passed" : undefined;
    return { outcome, detail: [counts.text, ...(counts.failed > 0 ? names : [])].join(", ") };
  }
  if (names.length > 0 || /^(?:FAIL|FAILED|BUILD FAILED)\b/m.test(output))
    return { outcome: "failed", detail: names.join(", ") };
  const errors = /^.*?\b([1-9]\d*) (?:errors?|problems?)\b.*$/m.exec(output)?.[1];
  if (errors !== undefined)
    return { outcome: "failed", detail: `${errors} ${errors === "1" ? "error" : "errors"}` };
  if (/\berror TS\d+|^error(?:\[\w+\])?: /m.test(output)) return { outcome: "failed", detail: "" };
  if (
    /^(?:ok\s+\S+|PASS)\b|BUILD SUCCESS|\b0 (?:errors|problems|issues)\b|All checks passed|no issues found/im.test(
      output,
    )
  )
    return { outcome: "passed", detail: "" };
  return { detail: "" };
}

/** The last line that counts tests: `Tests  2 failed | 40 passed`, `3 failed, 10 passed in 2.1s`. */
function countsIn(output: string): { failed: number; passed: number; text: string } | undefined {
  for (const line of output.split("\n").toReversed()) {
    if (line.length > 300 || /^\s*Test (?:Files|Suites)/.test(line)) continue;
    const failed = /\b(\d+)\s+(?:tests? )?(?:failed|failing|failures?)\b/i.exec(line)?.[1];
    const passed = /\b(\d+)\s+(?:tests? )?(?:passed|passing|pass)\b/i.exec(line)?.[1];
    if (failed === undefined && passed === undefined) continue;
    const text = [
      ...(failed === undefined || failed === "0" ? [] : [`${failed} failed`]),
      ...(passed === undefined ? [] : [`${passed} passed`]),
    ].join(", ");
    return { failed: Number(failed ?? 0), passed: Number(passed ?? 0), text };
  }
  return undefined;
}

function failedNames(output: string): string[] {
  const found = new Set<string>();
  for (const [, go, py, js] of output.matchAll(
    /^\s*(?:--- FAIL: (\S{1,120})|FAILED (\S{1,160})|(?:FAIL|✗|×|✕)\s+(\S[^\n]{1,120}))/gm,
  )) {
    const name = (go ?? py ?? js ?? "").replace(/\s+\(?\d+(?:\.\d+)? ?m?s\)?\s*$/, "").trim();
    if (name !== "" && !/^\[/.test(name)) found.add(name);
    if (found.size === MOST_NAMES) break;
  }
  return [...found];
}

const MOST_OF_A_COMMAND = 70;

export function shortCommand(command: string): string {
  const [first = ""] = command.trim().split("\n");
  const text = first
    .replace(/^cd \S+ *(?:&&|;) */, "")
    .replace(/(?: 2>&1)?(?: *\| *(?:head|tail|grep|rg|cat|tee)\b[^|]*)*$/, "")
    .trim();
  return text.length <= MOST_OF_A_COMMAND ? text : `${text.slice(0, MOST_OF_A_COMMAND - 2).toWellFormed()} …`;
}
