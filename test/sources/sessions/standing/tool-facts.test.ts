import { expect, it } from "vitest";
import type { DoneCall, Step } from "../../../../src/sources/sessions/standing/steps.ts";
import { toolFactsOf } from "../../../../src/sources/sessions/standing/tool-facts.ts";

const call = (more: Partial<DoneCall>): Step => ({
  by: "calls",
  text: "",
  calls: [{ tool: "Bash", input: {}, edits: false, failed: false, output: "", ...more }],
});
const ran = (command: string, output = "", failed = false) => call({ command, output, failed });
const edit = call({ tool: "Edit", edits: true });
const facts = (...steps: Step[]) => toolFactsOf(steps);

it("knows the last run of each kind, the last one first, and whether files were edited after it", () => {
  const { runs } = facts(ran("npm test", "1 failed", true), ran("tsc"), edit, ran("npm test", "4 passed"));
  expect(runs.map(({ kind, outcome, isOld }) => [kind, outcome, isOld])).toEqual([
    ["tests", "passed", false],
    ["types", "passed", true],
  ]);
});

it("knows nothing of a run that the person did not allow", () => {
  expect(facts(call({ command: "npm run lint", failed: true, rejected: true })).runs).toEqual([]);
});

it("knows the last commit, how many there were, and whether it was pushed", () => {
  const first = ran("git add . && git commit -m one", "[main (root-commit) 1a2b3c4] one");
  const second = ran("git commit -qm two && git push", "[topic/a 99887766aa] two: with a colon");
  expect(facts(first).commit).toMatchObject({ subject: "one", branch: "main", push: "none" });
  expect(facts(first, second)).toMatchObject({
    commits: 2,
    commit: { subject: "two: with a colon", hash: "9988776", branch: "topic/a", push: "unclear" },
  });
  const pushed = "   1a2b3c4..99887766  main -> main";
  expect(facts(first, ran("git push origin main", pushed)).commit?.push).toBe("pushed");
  expect(facts(first, ran("git push 2>&1 | tail -2", " ! [rejected] main -> main")).commit?.push).toBe(
    "failed",
  );
  expect(facts(first, edit).commit?.isOld).toBe(true);
  expect(facts(ran("git log", "[main 1a2b3c4] no commit")).commit).toBeUndefined();
});

it("takes nothing for a push or a commit that only has its name, was refused, or was taken back", () => {
  const made = ran("git commit -m one", "[main 1a2b3c4] one");
  for (const command of [
    "git stash push",
    "git push --dry-run",
    "git log --grep push",
    "git checkout -b push-fix",
  ])
    expect(facts(made, ran(command, "1a2b3c4..99887766 a -> a")).commit?.push, command).toBe("none");
  expect(facts(ran("git commit -m 'Add push'", "[main 1a2b3c4] Add push")).commit?.push).toBe("none");
  expect(facts(ran("git commit -m one", "[main 1a2b3c4] a hook's words", true)).commit).toBeUndefined();
  expect(facts(ran("git log --grep commit", "[main 1a2b3c4] one")).commit).toBeUndefined();
  expect(facts(made, ran("git reset --hard HEAD~1")).commit).toBeUndefined();
});

it("keeps a failed run of everything beside a later one of a part", () => {
  const { runs } = facts(ran("npm test", "12 failed", true), ran("npx vitest run a.test.ts", "3 passed"));
  expect(runs.map(({ outcome }) => outcome)).toEqual(["passed", "failed"]);
});

it("redacts before it cuts: branches, addresses, tasks", () => {
  const key = "npm_aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0zA1bC3";
  const made = facts(
    ran("git commit -m one", `[${key} 1a2b3c4] one`),
    call({ tool: "TodoWrite", input: { todos: [{ content: `${"rotate it ".repeat(18)}${key}` }] } }),
  );
  expect(JSON.stringify(made)).not.toContain("aB3dE5gH7j");
});

it("knows the address of a pull request only from the command that opened it", () => {
  const address = "https://github.com/shop/cart/pull/12";
  expect(facts(ran("gh pr create --fill", `\n${address}\n`)).pullRequest).toBe(address);
  expect(facts(ran("gh pr view 12", address)).pullRequest).toBeUndefined();
});

it("says that nothing was committed or tested only if no command can have done it", () => {
  expect(facts(edit).untouched).toEqual({ byCommit: true, byTests: true });
  expect(facts(edit, ran("./scripts/ship.sh")).untouched).toEqual({ byCommit: false, byTests: true });
  expect(facts(edit, ran("just verify")).untouched).toEqual({ byCommit: true, byTests: false });
  expect(facts(edit, call({ tool: "Task" })).untouched).toEqual({ byCommit: false, byTests: false });
  expect(facts(edit, call({ tool: "mcp__git__git_commit" })).untouched.byCommit).toBe(false);
  expect(facts(ran("ls")).untouched).toEqual({ byCommit: false, byTests: false });
});

it("keeps what is open of the agent's list, in each form that agents write", () => {
  const todos = [
    { content: "Round half to even", status: "completed" },
    { content: "Add a test for refunds", status: "in_progress" },
    { content: "Write the changelog", status: "pending" },
  ];
  expect(facts(call({ tool: "TodoWrite", input: { todos } })).open).toEqual([
    "Add a test for refunds",
    "Write the changelog",
  ]);
  const plan = [{ step: "Look", status: "completed" }, { step: "Fix" }];
  expect(facts(call({ tool: "update_plan", input: { plan } })).open).toEqual(["Fix"]);
  const create = (subject: string, id: number) =>
    call({ tool: "TaskCreate", input: { subject }, output: `Task #${id} created successfully: ${subject}` });
  const done = call({ tool: "TaskUpdate", input: { taskId: "1", status: "completed" } });
  expect(facts(create("Look", 1), create("Fix", 2), done).open).toEqual(["Fix"]);
  const again = call({ tool: "TaskUpdate", input: { taskId: "1", status: "in_progress" } });
  expect(facts(create("Look", 1), done, again).open).toEqual(["Look"]);
});

it("takes lists of any shape and size", () => {
  const odd = [null, 3, "x", { content: 3 }, { content: "y".repeat(9_999), status: 4 }];
  const [only, ...more] = facts(call({ tool: "TodoWrite", input: { todos: odd } })).open;
  expect(more).toEqual([]);
  expect(only).toHaveLength(200);
  const many = Array.from({ length: 9_999 }, (_, i) => ({ content: `task ${i}` }));
  expect(facts(call({ tool: "TodoWrite", input: { todos: many } })).open).toHaveLength(60);
});

it("names the last plan, and whether the person said no to it", () => {
  const plan = (heading: string, rejected: boolean) =>
    call({ tool: "ExitPlanMode", input: { plan: `# Plan: ${heading}\n\nText` }, rejected });
  expect(facts(plan("Round prices", false)).plan).toEqual({ heading: "Round prices", isRejected: false });
  expect(facts(plan("A", false), plan("Rewrite it all", true)).plan).toEqual({
    heading: "Rewrite it all",
    isRejected: true,
  });
});
