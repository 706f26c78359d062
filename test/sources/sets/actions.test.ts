import { utimesSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Command } from "../../../src/cli/command.ts";
import { loadCommand } from "../../../src/cli/commands/index.ts";
import { ledgerJournal } from "../../../src/moments/state/ledger.ts";
import { keepEvents } from "../../../src/sources/sets/events.ts";
import { readRecords } from "../../../src/store/journal.ts";
import { inputIn } from "../../support/in-process.ts";
import { temporaryWorld, write } from "../../support/world.ts";

function setUp() {
  const { home, env, root } = temporaryWorld({ "src/a.ts": "", "src/b.ts": "" });
  const state = (id: string, at: number, more: object = {}) => {
    const project = { id: root, root, label: "project" };
    const workingSet = ["src/a.ts", "src/b.ts", "/out/c.ts"].map((path, i) => ({
      path,
      edited: i === 0,
      at: i,
    }));
    const session = { host: "claude-code", id };
    write(join(home.state, "claude-code"), {
      [`${id}.json`]: JSON.stringify({ version: 1, session, project, workingSet, ...more }),
    });
    utimesSync(join(home.state, "claude-code", `${id}.json`), at, at);
  };
  state("old", 1000);
  state("new", 2000);
  state("other", 3000, { project: { id: "/elsewhere", root: "/elsewhere", label: "elsewhere" } });
  state("child", 4000, { session: { host: "claude-code", id: "child", parent: "new" } });
  write(join(home.state, "claude-code"), { "broken.json": "{" });
  const run = async (positionals: string[], values: Record<string, string | boolean> = {}) =>
    setsCommand.run({
      ...inputIn({ env, root }),
      now: () => 0,
      values,
      positionals,
    });
  return { run, root, home, state };
}

const setsCommand = (await loadCommand("sets")) as Command;

describe("continuo sets", () => {
  it("uses the latest session of the project and says which, or the named one", async () => {
    const { run } = setUp();
    const set = await run(["set", "files", "src/a.ts", "~/x"]);
    expect(set.text).toBe(
      "Session new (Claude Code, project project)\nSet files: 2 items\nTo undo: continuo sets clear --session new -- files",
    );
    expect((await run(["set", "files", "src/a.ts"], { merge: true })).data).toMatchObject({
      session: "new",
      changes: [{ setName: "files", added: [] }],
    });
    const { text } = await run(["get"]);
    expect(text).toContain("files:\n  ~/x\n  src/a.ts");
    expect((await run(["get", "files"], { session: "old" })).text).toContain("files: none");
    expect((await run([], { session: "old" })).text).toContain("has no context sets");
    await expect(run(["get"], { session: "nobody" })).rejects.toMatchObject({
      hint: /recent sessions: child, other/,
    });
    await expect(run(["get"], { host: "pi" })).rejects.toMatchObject({ code: "no-such-session" });
  });

  it("sets a name, a hint and a set together, or nothing if one is refused", async () => {
    const { run } = setUp();
    expect((await run(["set"], { name: "Shop", "env-hint": "nvm use 24" })).text).toContain(
      "name: Shop\nenvironment: nvm use 24",
    );
    await expect(run(["set", "ports", "0"], { name: "Other" })).rejects.toMatchObject({
      code: "context-item",
    });
    expect((await run(["get"])).data).toMatchObject({ name: "Shop", envHint: "nvm use 24", context: {} });
    expect((await run(["set"], { "env-hint": "" })).text).toContain("environment: none");
  });

  it("clears one set, or all", async () => {
    const { run } = setUp();
    await run(["set", "ports", "1"]);
    await run(["set", "notes", "x"]);
    await expect(run(["clear"])).rejects.toMatchObject({
      code: "usage",
      hint: "one of ports, notes, or --all",
    });
    const { text } = await run(["clear", "ports"]);
    expect(text).toContain("Cleared ports");
    expect(text).toContain("To undo: continuo sets set --session new -- ports 1");
    await expect(run(["clear"], { all: true })).rejects.toMatchObject({ code: "not-confirmed" });
    expect((await run(["get"])).data).toMatchObject({ context: { notes: ["x"] } });
    expect((await run(["clear"], { all: true, yes: true })).data).toMatchObject({ context: {} });
    expect((await run(["clear"], { all: true })).text).toContain("Nothing to clear");
  });

  it("changes are in the ledger once, also where a server keeps them already", async () => {
    const { run, home } = setUp();
    const kept = () =>
      readRecords(ledgerJournal(home)).records.flatMap((line) => {
        const { kind, setName, added, removed } = line as Record<string, unknown>;
        return kind === "context" ? [{ setName, added, removed }] : [];
      });
    const stops = [keepEvents(home), keepEvents(home)];
    await run(["set", "ports", "1"]);
    await run(["set", "notes", "x"]);
    for (const stop of stops) stop();
    await run(["clear", "ports", "notes"]);
    await run(["clear", "ports"]);
    expect(kept()).toEqual([
      { setName: "ports", added: ["1"], removed: [] },
      { setName: "notes", added: ["x"], removed: [] },
      { added: [], removed: ["1", "x"] },
    ]);
  });

  it("pins files of the working set by number or path", async () => {
    const { run, root } = setUp();
    const { text } = await run(["pin"]);
    expect(text).toMatch(/1\s+read .*\/out\/c\.ts\n\s+2\s+read .*src\/b\.ts\n\s+3\s+edited .*src\/a\.ts/);
    const pinned = await run(["pin", "1", "src/a.ts"]);
    expect(pinned.data).toMatchObject({ context: { files: ["/out/c.ts", join(root, "src/a.ts")] } });
    expect(pinned.text).toContain("Added to files, which has 2 items now\n  /out/c.ts\n");
    write(root, { "README.md": "# Shop\n" });
    const unused = await run(["pin", "README.md"]);
    expect(unused.data).toMatchObject({
      context: { files: expect.arrayContaining([join(root, "README.md")]) },
    });
    await expect(run(["pin", "src/x.ts"])).rejects.toMatchObject({ code: "no-such-file" });
    await expect(run(["pin", "9"])).rejects.toMatchObject({ code: "no-such-file" });
    await expect(run(["pin", "0"])).rejects.toMatchObject({ code: "no-such-file" });
  });

  it("explains wrong calls", async () => {
    const { run } = setUp();
    await expect(run(["gte"])).rejects.toMatchObject({
      code: "usage",
      hint: 'did you mean "continuo sets get"?',
    });
    await expect(run(["set"])).rejects.toMatchObject({ code: "usage" });
    await expect(run(["set", "files"])).rejects.toMatchObject({ hint: /sets clear files/ });
    await expect(run(["set", "__proto__", "x"])).rejects.toMatchObject({ code: "context-set-name" });
    await expect(run(["constructor"])).rejects.toMatchObject({ code: "usage" });
  });
});
