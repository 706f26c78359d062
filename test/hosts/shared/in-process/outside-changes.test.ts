import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { loadHistory } from "../../../../src/hosts/index.ts";
import { createBase } from "../../../../src/hosts/shared/in-process/base.ts";
import { stateFile } from "../../../../src/moments/state/session-state.ts";
import type { Session } from "../../../../src/moments/types.ts";
import { SOURCES } from "../../../../src/sources/index.ts";
import { setTrust } from "../../../../src/store/trust.ts";
import { hookIn } from "../../../support/hooks.ts";
import { temporaryWorld, write } from "../../../support/world.ts";

const SESSION: Session = { host: "claude-code", id: "s1" };

/** One process of a host that lives on, and what other processes change between its moments. */
function living(files: Record<string, string> = {}) {
  const world = temporaryWorld({ ".continuo/rules/first.md": "The first rule.", ...files });
  const { env, home, root, project } = world;
  write(home.root, { "config.json": CONFIG });
  const base = createBase("test", { sources: SOURCES, history: loadHistory, env, now: Date.now });
  const common = () => ({ session: SESSION, project, cwd: root, at: Date.now() });
  const call = (command: string) => ({ name: "bash", input: { command }, files: [] });
  return {
    ...world,
    base,
    start: () => base.deliver("start", { ...common(), name: "start" }),
    prompt: (prompt: string) => base.deliver("prompt", { ...common(), name: "prompt", prompt }),
    read: (path: string) =>
      base.deliver("tool", {
        ...common(),
        name: "tool",
        tool: { name: "read", input: {}, files: [{ path, access: "read" }] },
      }),
    guard: async (command: string) =>
      (
        await base.follow("guard", () => ({
          kind: "guard",
          moment: { ...common(), name: "tool", tool: call(command) },
        }))
      ).verdict?.action,
    /** As another process finds and changes it. */
    state: stateFile(home, SESSION, { lockWaitMs: 5000, onDamaged: () => undefined }),
    failures: () =>
      readdirSync(home.root).includes("logs")
        ? readdirSync(home.logs).map((name) => readFileSync(join(home.logs, name), "utf8"))
        : [],
  };
}

/** A busy machine must not run out of time. */
const CONFIG = JSON.stringify({ momentDeadlineMs: 60_000, sourceDeadlineMs: 30_000 });

describe("in a process that lives on, a moment sees what others changed since the last one", () => {
  test("a rule that is new, changed, removed", async () => {
    const { start, prompt, root, failures } = living();
    expect(await start()).toContain("The first rule.");
    write(root, { ".continuo/rules/second.md": "The second rule." });
    expect(await prompt("go on")).toContain("The second rule.");
    write(root, { ".continuo/rules/second.md": "It says another thing now." });
    expect(await prompt("go on")).toContain("It says another thing now.");
    rmSync(join(root, ".continuo/rules/second.md"));
    expect(await prompt("go on")).toMatch(/second/);
    expect(await prompt("go on")).toBe("");
    expect(failures()).toEqual([]);
  });

  test("a rule that has the same size, time and name as before", async () => {
    const { start, prompt, root } = living();
    const path = join(root, ".continuo/rules/first.md");
    const { atime, mtime } = statSync(path);
    expect(await start()).toContain("The first rule.");
    writeFileSync(path, "The other rule.");
    utimesSync(path, atime, mtime);
    expect(await prompt("go on")).toContain("The other rule.");
  });

  test("a setting", async () => {
    const { start, prompt, read, home, root } = living();
    expect(await start()).toContain("The first rule.");
    write(root, { ".continuo/rules/second.md": "The second rule." });
    write(home.root, { "config.json": '{ "sources": { "rules": { "enabled": false } } }' });
    expect(await prompt("go on")).toBe("");
    expect(await read("src/a.ts")).toBe("");
    write(home.root, { "config.json": CONFIG });
    expect(await prompt("go on")).toContain("The second rule.");
  });

  test("which projects are trusted", async () => {
    const rule =
      '---\nguard:\n  - { action: deny, tool: bash, match: "rm -rf" }\n---\nNever delete everything.';
    const { start, guard, home, project } = living({ ".continuo/rules/guarded.md": rule });
    await start();
    expect(await guard("rm -rf /")).toBe(undefined);
    await setTrust(home, project.id, "shown", Date.now());
    expect(await guard("rm -rf /")).toBe("deny");
    await setTrust(home, project.id, undefined, Date.now());
    expect(await guard("rm -rf /")).toBe(undefined);
  });

  test("what another process delivered: it is not delivered again", async () => {
    const { start, prompt, root, env } = living();
    await start();
    write(root, { ".continuo/rules/second.md": "The second rule." });
    const payload = { session_id: SESSION.id, prompt: "go on" };
    const done = await hookIn({ root, env }, "UserPromptSubmit", payload);
    expect(done.stdout).toContain("The second rule.");
    expect(await prompt("go on")).toBe("");
  });

  test("a session's state that was changed, damaged, deleted", async () => {
    const { start, prompt, read, state } = living();
    const first = await start();
    await read("src/a.ts");
    await state.update((before) => before && { ...before, owed: true });
    expect(await prompt("go on")).toBe(first); // the epoch that another process left owed
    writeFileSync(state.path, "{");
    expect(await prompt("go on")).toContain("The first rule.");
    expect(state.read()?.workingSet).toEqual([]);
    await read("src/b.ts");
    rmSync(state.path);
    expect(await prompt("go on")).toContain("The first rule.");
    await read("src/c.ts");
    expect(state.read()?.workingSet.map(({ path }) => path)).toEqual(["src/c.ts"]);
  });

  test("files that another process's moment touched", async () => {
    const { start, read, state } = living();
    await start();
    await read("src/a.ts");
    await state.update(
      (before) =>
        before && {
          ...before,
          workingSet: before.workingSet.map((use) => ({ ...use, path: "src/other.ts" })),
        },
    );
    await read("src/b.ts");
    expect(state.read()?.workingSet.map(({ path }) => path)).toEqual(["src/other.ts", "src/b.ts"]);
  });

  test("another home", async () => {
    const { start, prompt, env, home, root } = living();
    await start();
    const other = join(home.root, "..", "other-home");
    mkdirSync(other);
    env["CONTINUO_HOME"] = other;
    write(other, { "rules/own.md": "A rule of the other home.", "config.json": CONFIG });
    expect(await prompt("go on")).toContain("A rule of the other home.");
    expect(statSync(root).isDirectory()).toBe(true);
  });
});
