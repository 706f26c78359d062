import { describe, expect, it } from "vitest";
import type { ToolCall } from "../../../../src/moments/types.ts";
import {
  afterStop,
  NOTHING_SO_FAR,
  after as soFarAfter,
} from "../../../../src/sources/rules/checks/commands-so-far.ts";
import { judgeCall, judgeStop } from "../../../../src/sources/rules/checks/judge.ts";
import { brokenCommands, setOf, texts } from "./judging.ts";

const edit = (path: string): Pick<ToolCall, "edits"> => ({
  edits: () => [{ path, kind: "part", hunks: [{ text: "x" }] }],
});

describe("never, in commands", () => {
  it("does not search a commit's message, and shows the command as it was typed", async () => {
    const set = await setOf({ commands: { never: "^git commit -m" } });
    expect(brokenCommands(set, 'git add . && git commit -m "Fix the cart"')).toEqual([
      'git commit -m "Fix the cart"',
    ]);
    const force = await setOf({ commands: { never: "--force" } });
    expect(brokenCommands(force, 'git commit -m "Say why --force is wrong"')).toEqual([]);
  });

  it("looks at each simple command of a line", async () => {
    const set = await setOf({ commands: { never: "^git push.*--force", except: "--force-with-lease" } });
    expect(brokenCommands(set, "npm test && sudo git  push origin --force | tee log")).toEqual([
      "sudo git  push origin --force",
    ]);
    expect(brokenCommands(set, 'bash -c "git push --force"')).toEqual(["git push --force"]);
    expect(brokenCommands(set, "git push origin main; rm --force x")).toEqual([]);
    expect(brokenCommands(set, "git push --force-with-lease")).toEqual([]);
  });

  it("does not look at prose: messages of commits and texts that are printed or searched for", async () => {
    const set = await setOf({ commands: { never: "git push.*--force" } });
    expect(brokenCommands(set, `git commit -m "never git push --force"`)).toEqual([]);
    expect(brokenCommands(set, `grep -r "git push --force" docs`)).toEqual([]);
    expect(brokenCommands(set, "cat > a.md <<'EOF'\ngit push --force\nEOF")).toEqual([]);
  });

  it("has an occasion in every command, and none without one", async () => {
    const set = await setOf({ commands: { never: "rm -rf" } });
    const judged = (command?: string) =>
      judgeCall(set, { name: "Bash", input: {}, ...(command !== undefined && { command }) }, NOTHING_SO_FAR);
    expect(judged("ls").occasions).toHaveLength(1);
    expect(judged()).toEqual({ breaches: [], occasions: [] });
    expect(judged("  ")).toEqual({ breaches: [], occasions: [] });
  });

  it("with ask has the reaction ask", async () => {
    const set = await setOf({ commands: { ask: "terraform apply" } });
    const command = "terraform apply -auto-approve";
    expect(judgeCall(set, { name: "Bash", input: {}, command }, NOTHING_SO_FAR).breaches).toMatchObject([
      { reaction: "ask", on: "commands", text: command },
    ]);
  });

  it("of a very long command line knows only a part", async () => {
    const set = await setOf({ commands: { never: "rm -rf", reaction: "deny" } });
    const command = `echo ${"a ".repeat(60_000)}; rm -rf /`;
    expect(judgeCall(set, { name: "Bash", input: {}, command }, NOTHING_SO_FAR).breaches).toMatchObject([
      { isUnknown: true, reaction: "deny" },
    ]);
  });
});

describe("before and ran", () => {
  const COMMIT = { commands: { before: "^git commit", ran: "^npm test", files: "src/**" } };

  it("lets a command pass if the other has succeeded since the last edit of the files", async () => {
    const set = await setOf(COMMIT);
    const isFine = (soFar = NOTHING_SO_FAR) => brokenCommands(set, "git commit -m x", soFar).length === 0;
    const begun = soFarAfter(NOTHING_SO_FAR, set, edit("src/a.ts"));
    expect(isFine(begun)).toBe(false);
    const tested = soFarAfter(begun, set, { command: "npm test -- --run" });
    expect(isFine(tested)).toBe(true);
    const edited = soFarAfter(tested, set, edit("src/a.ts"));
    expect(isFine(edited)).toBe(false);
    expect(isFine(soFarAfter(edited, set, { command: "npm test" }))).toBe(true);
    expect(isFine(soFarAfter(tested, set, edit("docs/a.md")))).toBe(true);
    expect(isFine(soFarAfter(tested, set, edit("/tmp/a.ts")))).toBe(true);
  });

  it("lets a command pass if there are files and none of them was edited", async () => {
    const set = await setOf(COMMIT);
    const commit = (soFar = NOTHING_SO_FAR, checks = set) =>
      judgeCall(checks, { name: "Bash", input: {}, command: "git commit" }, soFar);
    expect(commit()).toEqual({ breaches: [], occasions: [] });
    expect(commit(soFarAfter(NOTHING_SO_FAR, set, edit("docs/a.md"))).breaches).toEqual([]);
    expect(commit(soFarAfter(NOTHING_SO_FAR, set, edit("src/a.ts"))).breaches).toHaveLength(1);
    const everyFile = await setOf({ commands: { before: "^git commit", ran: "^npm test" } });
    expect(commit(NOTHING_SO_FAR, everyFile).breaches).toHaveLength(1);
  });

  it("wants another run after a call that only removes lines, or a file", async () => {
    const set = await setOf({ commands: { before: "^git commit", ran: "^npm test", files: "src/**" } });
    const calls: Parameters<typeof soFarAfter>[2][] = [
      edit("src/a.ts"),
      { command: "npm test" },
      { files: [{ path: "src/a.ts", access: "edit" }], edits: () => [] },
    ];
    const commit = { name: "Bash", input: {}, command: "git commit" };
    const broken = calls.map((_, i) => {
      const soFar = calls
        .slice(0, i + 1)
        .reduce((before, call) => soFarAfter(before, set, call), NOTHING_SO_FAR);
      return judgeCall(set, commit, soFar).breaches.length;
    });
    expect(broken).toEqual([1, 0, 1]);
  });

  it("counts neither a run that failed nor an edit that failed", async () => {
    const set = await setOf(COMMIT);
    expect(soFarAfter(NOTHING_SO_FAR, set, { command: "npm test", hasFailed: true })).toBe(NOTHING_SO_FAR);
    const tested = soFarAfter(NOTHING_SO_FAR, set, { command: "npm test", hasFailed: false });
    expect(soFarAfter(tested, set, { ...edit("src/a.ts"), hasFailed: true })).toBe(tested);
    // A command line may have written the file before it failed.
    expect(soFarAfter(tested, set, { ...edit("src/a.ts"), command: "sed; x", hasFailed: true }).ran).toEqual(
      [],
    );
  });

  it("sees the order within one command line", async () => {
    const set = await setOf(COMMIT);
    const edited = soFarAfter(NOTHING_SO_FAR, set, edit("src/a.ts"));
    expect(brokenCommands(set, "npm test && git commit -m x", edited)).toEqual([]);
    expect(brokenCommands(set, "git commit -m x && npm test", edited)).toHaveLength(1);
    expect(brokenCommands(set, "git commit -m x && npm test && git commit --amend", edited)).toEqual([
      expect.not.stringContaining("amend"),
    ]);
    const tested = soFarAfter(NOTHING_SO_FAR, set, { command: "npm test" });
    const call = { name: "Bash", input: {}, ...edit("src/a.ts"), command: "cat > src/a.ts; git commit" };
    expect(judgeCall(set, call, tested).breaches).toHaveLength(1);
  });

  it.each([
    ["npm test 2>&1 | tail -3", false],
    ["npm test >/dev/null 2>&1; echo finished", false],
    ["npm test || true", false],
    ["npm test &", false],
    ["set -o pipefail; npm test | tail -3", true],
    ["cd web && npm test && ls", true],
  ])("%s tells whether the tests succeeded: %s", async (command, tells) => {
    const reaction = "deny";
    const done = { before: "done", ran: "^npm test", reaction };
    const set = await setOf({ commands: [{ ...COMMIT.commands, reaction }, done] });
    const edited = soFarAfter(NOTHING_SO_FAR, set, edit("src/a.ts"));
    const tested = soFarAfter(edited, set, { command });
    const hidden = tells ? [] : [expect.objectContaining({ isHidden: true })];
    const commit = { name: "Bash", input: {}, command: "git commit" };
    expect(judgeCall(set, commit, tested).breaches).toEqual(hidden);
    expect(judgeStop(set, { soFar: tested }).breaches).toEqual(hidden);
    // Once it has run alone, or a file was edited after it, nothing is hidden.
    const alone = soFarAfter(tested, set, { command: "npm test" });
    expect(judgeCall(set, commit, alone).breaches).toEqual([]);
    const again = judgeCall(set, commit, soFarAfter(tested, set, edit("src/b.ts"))).breaches;
    expect(again).toEqual([expect.not.objectContaining({ isHidden: true })]);
  });

  it("is not told if the tests ran and their result is hidden: only what is refused needs a known one", async () => {
    const set = await setOf({ commands: [COMMIT.commands, { before: "done", ran: "^npm test" }] });
    const edited = soFarAfter(NOTHING_SO_FAR, set, edit("src/a.ts"));
    const tested = soFarAfter(edited, set, { command: "npm test 2>&1 | tail -3" });
    expect(judgeCall(set, { name: "Bash", input: {}, command: "git commit" }, tested).breaches).toEqual([]);
    expect(judgeStop(set, { soFar: tested }).breaches).toEqual([]);
    expect(brokenCommands(set, "npm test | tail; git commit", edited)).toEqual([]);
  });

  it("does not let a command through that is refused, if its line hides the result", async () => {
    const set = await setOf({ commands: { ...COMMIT.commands, reaction: "deny" } });
    const edited = soFarAfter(NOTHING_SO_FAR, set, edit("src/a.ts"));
    const broken = (command: string) => judgeCall(set, { name: "Bash", input: {}, command }, edited).breaches;
    expect(broken("npm test | tail -3 && git commit")).toMatchObject([{ isHidden: true }]);
    expect(broken("npm test; git commit")).toMatchObject([{ isHidden: true }]);
    expect(broken("npm test && git commit; git status")).toEqual([]);
    expect(broken("npm test && git commit || echo failed")).toEqual([]);
  });

  it("has an occasion only in the commands that it is about", async () => {
    const set = await setOf(COMMIT);
    const occasions = (command: string) =>
      judgeCall(set, { name: "Bash", input: {}, command }, edited).occasions.length;
    const edited = soFarAfter(NOTHING_SO_FAR, set, edit("src/a.ts"));
    expect(occasions("ls")).toBe(0);
    expect(occasions("git commit")).toBe(1);
  });

  it("remembers plain JSON without commands and paths, and the same object if nothing changed", async () => {
    const set = await setOf({ commands: [COMMIT.commands, { before: "done", ran: "^npm test" }] });
    const seen = soFarAfter(soFarAfter(NOTHING_SO_FAR, set, edit("src/secret.ts")), set, {
      command: "npm test secret",
    });
    expect(JSON.parse(JSON.stringify(seen))).toEqual(seen);
    expect(JSON.stringify(seen)).not.toContain("secret");
    expect(soFarAfter(seen, set, { command: "ls" })).toBe(seen);
    expect(soFarAfter(seen, set, { command: "npm test" })).toBe(seen);
    const other = await setOf({ commands: { never: "x" } });
    expect(soFarAfter(NOTHING_SO_FAR, other, { ...edit("a"), command: "x" })).toBe(NOTHING_SO_FAR);
  });
});

describe("before: done", () => {
  it("is broken by a stop after edits without the command, and only then", async () => {
    const set = await setOf({ commands: { before: "done", ran: "npm test", files: "src/**" } });
    const stop = (soFar = NOTHING_SO_FAR) => judgeStop(set, { soFar });
    expect(stop()).toEqual({ breaches: [], occasions: [] });
    expect(stop(soFarAfter(NOTHING_SO_FAR, set, edit("docs/a.md")))).toEqual({ breaches: [], occasions: [] });
    const edited = soFarAfter(NOTHING_SO_FAR, set, edit("src/a.ts"));
    expect(stop(edited)).toMatchObject({ breaches: [{ on: "done", text: "" }], occasions: [{}] });
    const tested = soFarAfter(edited, set, { command: "npm test" });
    expect(stop(tested)).toMatchObject({ breaches: [], occasions: [{}] });
    expect(stop(soFarAfter(tested, set, edit("src/b.ts"))).breaches).toHaveLength(1);
    // The next stop is about the edits since this one.
    expect(stop(afterStop(edited))).toEqual({ breaches: [], occasions: [] });
    expect(stop(soFarAfter(afterStop(edited), set, edit("src/b.ts"))).breaches).toHaveLength(1);
    // A command cannot break it.
    expect(brokenCommands(set, "echo done", edited)).toEqual([]);
  });
});

describe("calls: guards", () => {
  it("look at the tool's name and at its arguments as JSON", async () => {
    const set = await setOf({}, [
      { action: "deny", tool: "Bash", match: '"command":"rm' },
      { action: "warn", tool: "WebFetch" },
    ]);
    const judged = (name: string, input: Record<string, unknown>) =>
      judgeCall(set, { name, input }, NOTHING_SO_FAR);
    expect(judged("bash", { command: "rm x" }).breaches).toMatchObject([{ reaction: "deny", on: "calls" }]);
    expect(judged("bash", { command: "ls" })).toMatchObject({ breaches: [], occasions: [{}] });
    expect(judged("Read", { command: "rm x" })).toEqual({ breaches: [], occasions: [] });
    expect(texts(judged("webfetch", {}))).toEqual(["webfetch"]);
    expect(judged("webfetch", {}).breaches[0]?.reaction).toBe("remind");
  });

  it("are unknown for arguments that are too long to be searched", async () => {
    const set = await setOf({}, { action: "deny", tool: "Bash", match: "rm" });
    const { breaches, occasions } = judgeCall(
      set,
      { name: "Bash", input: { command: "x".repeat(2_000_001) } },
      NOTHING_SO_FAR,
    );
    expect(breaches).toMatchObject([{ isUnknown: true, reaction: "deny" }]);
    expect(occasions).toEqual([]);
  });
});
