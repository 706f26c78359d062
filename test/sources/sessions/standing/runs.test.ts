import { describe, expect, it } from "vitest";
import { kindOf, runOf } from "../../../../src/sources/sessions/standing/runs.ts";

describe("what a command checks", () => {
  it.each([
    ["npm test", "tests"],
    ["cd /work/shop && CI=true npm run test -- cart", "tests"],
    ["go build ./... && go test ./pkg/... 2>&1 | tail -20", "tests"],
    ["timeout 60 cargo nextest run --workspace", "tests"],
    ["bash -lc 'python -m pytest -q'", "tests"],
    ["mise run test:e2e e2e/env/test_a", "tests"],
    ["npx tsc --noEmit", "types"],
    ["go vet ./...", "types"],
    ["pnpm lint", "lint"],
    ["golangci-lint run", "lint"],
    ["go build ./cmd/app", "build"],
    ["npm run build", "build"],
  ])("%s: %s", (command, kind) => expect(kindOf(command)).toBe(kind));

  it.each([
    "git commit -m 'fix: npm test passes'",
    'bd update 1 --notes "npm test was run"',
    "cat > notes.md <<'END'\nnpm test\nEND",
    "grep -rn pytest src",
    "ls test",
    "mkdir -p test && cp a test/",
    "rg 'go test' docs",
    "pip install pytest",
    "npm install -D vitest",
    "touch vitest.config.ts",
    "npx vitest --version",
    "pytest --collect-only",
    "npm uninstall eslint",
  ])("%s checks nothing", (command) => expect(kindOf(command)).toBeUndefined());
});

describe("how a run came out", () => {
  const outcome = (command: string, output: string, failed?: boolean) => {
    const run = runOf({ command, output, failed });
    return [run?.outcome, run?.detail];
  };

  it.each<[string, string, boolean, string, string]>([
    [
      "npm test",
      " Test Files  1 failed (2)\n      Tests  2 failed | 40 passed (42)",
      true,
      "failed",
      "2 failed, 40 passed",
    ],
    ["npm test | tail -3", "Tests:       41 passed, 41 total", false, "passed", "41 passed"],
    [
      "pytest",
      "FAILED tests/test_a.py::test_b - assert\n=== 1 failed, 3 passed in 0.2s ===",
      true,
      "failed",
      "1 failed, 3 passed, tests/test_a.py::test_b",
    ],
    [
      "go test ./...",
      "--- FAIL: TestRound (0.00s)\nFAIL\tshop/cart\t0.1s",
      true,
      "failed",
      "TestRound, shop/cart",
    ],
    ["go test ./... | tail", "ok  \tshop/cart\t0.1s", false, "passed", ""],
    ["cargo test", "test result: ok. 12 passed; 0 failed; 0 ignored", false, "passed", "12 passed"],
    ["npx mocha", "  3 passing (20ms)\n  1 failing", true, "failed", "1 failed"],
    ["eslint .", "✖ 3 problems (3 errors, 0 warnings)", true, "failed", "3 errors"],
    ["eslint .", "✖ 12 problems (0 errors, 12 warnings)", false, "passed", ""],
    ["pytest", "=== 5 passed, 2 errors in 1s ===", true, "failed", "2 failed, 5 passed"],
    ["npx jest --coverage", "Tests: 9 passed, 9 total\ncoverage threshold not met", true, "failed", ""],
    ["npm run lint && npm test", "an unused import", true, "failed", ""],
    ["npx vitest run", "No test files found", false, "unknown", "no tests"],
    ["tsc", "a.ts(1,2): error TS2304: Cannot find name", true, "failed", ""],
    ["tsc", "", false, "passed", ""],
    ["npm run build", "\u001b[32mbuilt\u001b[0m", false, "passed", ""],
  ])("%s, %j", (command, output, failed, how, detail) =>
    expect(outcome(command, output, failed)).toEqual([how, detail]),
  );

  it("is unknown where a filter hides the exit status and nothing else says it", () =>
    expect(outcome("npm test 2>&1 | grep cart", "cart.test.ts")).toEqual(["not finished", ""]));

  it("is not known of a command without a result", () => {
    expect(outcome("npm test | head", "cart", false)).toEqual(["unknown", ""]);
    for (const command of [
      "npm test; true",
      "npm test || :",
      "npm test | sort",
      "npm test & sleep 1",
      "npm test\ngit status",
    ])
      expect(outcome(command, "done", false)).toEqual(["unknown", ""]);
  });

  it("is not finished in the background, whatever its start prints", () => {
    const run = runOf({ command: "npm test", output: "3 passed", failed: false, isInBackground: true });
    expect(run?.outcome).toBe("not finished");
  });

  it("is of the checks together if one of several failed and nothing says which", () =>
    expect(runOf({ command: "npm run lint && npm test", output: "", failed: true })?.kind).toBe("checks"));

  it("is read in linear time from any command, and shows no part of a secret", () => {
    for (const one of [" | head -5", " | grep          ", '\\"', "git ", " ", "<<a ", "a=b ", "'"]) {
      runOf({ command: `npm test${one.repeat(200_000)}`, output: one.repeat(1_000), failed: false });
      runOf({ command: `npm test${one.repeat(40)} | sort`, output: "", failed: false });
    }
    const command = "npm test -- --reporter=dot --database postgres://shop:Xk29dkQpl29xLqZ81@db/shop";
    expect(runOf({ command, output: "", failed: false })?.command).not.toContain("Xk29");
  });
});
