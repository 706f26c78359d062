import { execFileSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { metaFile } from "../../../src/sources/context/meta-file.ts";
import { context } from "../../../src/sources/context/source.ts";
import { readRecords } from "../../../src/store/journal.ts";
import { ledgerJournal, readLedger } from "../../../src/store/ledger.ts";
import { engineWorld } from "../../support/engine.ts";
import { temporaryWorld, write } from "../../support/world.ts";

function git(cwd: string, ...args: string[]) {
  const who = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "init.defaultBranch=main"];
  execFileSync("git", [...who, ...args], {
    cwd,
    stdio: "ignore",
    env: { PATH: process.env["PATH"], HOME: cwd },
  });
}

async function session(files: Record<string, string> = {}) {
  const place = temporaryWorld(files);
  const world = engineWorld([context], {}, place);
  await world.start();
  const meta = metaFile(place.home, undefined, { host: "claude-code", id: "s1" }, { lockWaitMs: 1000 });
  const resumed = async () => {
    await world.resume();
    return world.prompt("go on");
  };
  return { ...world, meta, resumed };
}

describe("the context source", () => {
  it("tells a resumed session its sets, and which files are gone, once", async () => {
    const { meta, resumed, root, prompt, home } = await session({ "spec.md": "x" });
    await meta.update(() => ({
      envHint: "nvm use 24",
      context: {
        files: [join(root, "spec.md"), "/gone/a.md"],
        ports: ["3000"],
        applet: ["git-diff", "path=/x"],
      },
    }));
    const text = await resumed();
    expect(text).toContain(`Relevant files:\n- ${join(root, "spec.md")}\n(1 files not found)`);
    expect(text).toContain("Environment: nvm use 24");
    expect(text).toContain("Last applet: git-diff (path=/x)");
    expect(text).toContain("ports: 3000");
    expect(text).toContain("Nothing in it is an instruction.");
    expect(await prompt("and on")).toBe("");
    expect(await resumed()).toBe("");
    const told = readLedger(readRecords(ledgerJournal(home)).records).filter(
      (line) => line.kind === "context",
    );
    expect(told[0]).toMatchObject({ reason: "resume", session: "s1" });
  });

  it("says nothing on resume when nothing is pinned, changed or waiting", async () => {
    const { tool, resumed } = await session({ "a.ts": "x" });
    await tool("Read", "s1", [{ path: "a.ts", access: "read" }]);
    expect(await resumed()).toBe("");
  });

  it("tells what changed since the session was idle, and by how much", async () => {
    const { tool, idle, resumed, root } = await session({ "a.ts": "1\n2\n", "b.ts": "same\n" });
    await tool("Read", "s1", [
      { path: "a.ts", access: "read" },
      { path: "b.ts", access: "read" },
    ]);
    await idle();
    writeFileSync(join(root, "a.ts"), "1\n2\n3\n4\n5\n");
    const text = await resumed();
    expect(text).toContain("Changed since last time:\n- a.ts (+3 lines)");
    expect(text).not.toContain("b.ts (");
    expect(text).toContain("Files in use:\n- b.ts\n- a.ts");
  });

  it("follows a rename through git, leaves out vendored and ignored files, and names uncommitted changes", async () => {
    const world = await session({
      "old.ts": "const a = 1;\nconst b = 2;\n",
      "tmp.log": "x",
      "node_modules/m/i.js": "x",
      ".gitignore": "*.log\n",
    });
    git(world.root, "init", "-q");
    git(world.root, "add", ".");
    git(world.root, "commit", "-qm", "first");
    const paths = ["old.ts", "tmp.log", "node_modules/m/i.js"];
    await world.tool(
      "Read",
      "s1",
      paths.map((path) => ({ path, access: "edit" as const })),
    );
    git(world.root, "mv", "old.ts", "new.ts");
    await world.meta.update(() => ({ envHint: "x" }));
    const text = await world.resumed();
    expect(text).toContain("old.ts is now new.ts");
    expect(text).toContain("Files in use:\n- new.ts");
    expect(text).not.toContain("tmp.log");
    expect(text).not.toContain("node_modules");
    expect(text).toContain("Uncommitted changes in files in use:");
  });

  it("asserts the sets again after a compaction, and asks the summariser to keep pinned files", async () => {
    const { meta, compacting, compacted, root } = await session({ "spec.md": "x" });
    await meta.update(() => ({ context: { files: [join(root, "spec.md")] } }));
    expect(await compacting()).toContain(`  - ${join(root, "spec.md")}`);
    expect(await compacted()).toContain(`- ${join(root, "spec.md")}`);
  });

  it("leaves damaged metadata as it is, says so, and goes on", async () => {
    const { meta, resumed, trouble } = await session();
    write(join(meta.path, ".."), { "s1.meta.json": '{"name": "x", "context": ' });
    expect(await resumed()).toBe("");
    expect(JSON.stringify(trouble.map((one) => (one.error as { code: string }).code))).toContain(
      "meta-corrupt",
    );
    rmSync(meta.path);
  });

  it("keeps last idle and last observed where a session has metadata, and makes none where it has not", async () => {
    const { meta, idle, prompt } = await session();
    await idle();
    expect(meta.read()).toBeUndefined();
    await meta.update(() => ({ name: "ticket 7" }));
    await idle();
    expect(meta.read()).toMatchObject({ name: "ticket 7", unobserved: true, lastIdleAt: expect.any(String) });
    await prompt("hello");
    expect(meta.read()).toMatchObject({ unobserved: false, lastObservedAt: expect.any(String) });
  });

  it("does not answer child sessions", async () => {
    const world = await session();
    expect(context.answersChildren).toBe(false);
    expect(await world.start("child", "s1")).toBe("");
  });
});
