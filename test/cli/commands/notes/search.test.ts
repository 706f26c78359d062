import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { sessionsIndexPath } from "../../../../src/sources/sessions/indexing/index-path.ts";
import { openDatabase } from "../../../../src/store/sqlite/open.ts";
import { writeSession } from "../../../sources/sessions/written.ts";
import { notesWorld } from "../../../support/notes.ts";

const ID = "11111111-0000-4000-8000-000000000001";

/** A note and a session about the same. */
async function setUp() {
  const world = notesWorld();
  const said = ["Which database?", "We chose sqlite, because it is one file."];
  writeSession(String(world.env["HOME"]), world.root, { id: ID, name: "The store", said });
  await world.data("write", "Uses [[SQLite]] for tests.", "--title", "Store", "--tag", "a");
  return world;
}

/** No other connection can read it, as if another program held it. */
function lock(path: string): () => void {
  const db = openDatabase(path);
  db.exec("PRAGMA locking_mode = EXCLUSIVE; CREATE TABLE held (a); DROP TABLE held");
  return () => db.close();
}

describe("continuo search", () => {
  it("shows what it found before it says of which kind there is nothing", async () => {
    const { run, env, root } = notesWorld();
    writeSession(String(env["HOME"]), root, { id: ID, name: "The store", said: ["Which database?"] });
    expect((await run(["search", "database"])).stdout).toMatch(
      /^Past sessions \(1\)\n[\s\S]*\nThere are no notes yet/,
    );
  });

  it("clips the title of a note and the name of a session", async () => {
    const { run, env, root, data } = notesWorld();
    const long = "long ".repeat(5_000);
    writeSession(String(env["HOME"]), root, { id: ID, name: `Store ${long}`, said: ["Which database?"] });
    await data("write", `# Heading ${long}\n\nThe database is one file.`);
    const { stdout } = await run(["search", "database"]);
    expect(stdout).toMatch(/^ {2}Heading long .*…$/m);
    expect(stdout).toMatch(/^ {2}Store long .*…$/m);
    for (const line of stdout.split("\n").filter((text) => /^ {2}\S/.test(text)))
      expect(line.length).toBeLessThanOrEqual(202);
  });

  it("shows notes and past sessions, each kind below its heading, why each was found, and how to resume a session", async () => {
    const { run, data, root, tool } = await setUp();
    const { stdout } = await run(["search", "which", "sqlite", "tests"]);
    expect(stdout).toMatch(
      /^Notes \(1\)\n\n {2}Store\n {4}memory:\/\/store, just now; matches: sqlite, tests\n[^\n]+\n\nPast sessions \(1\)\n\n {2}The store\n {4}Claude Code, project, main, [^;]+; matches: sqlite\n/,
    );
    expect(stdout).toContain("    assistant: We chose sqlite, because it is one file.\n");
    expect(stdout).toContain(`    continuo sessions resume ${ID.slice(0, 8)}\n`);
    expect(stdout).not.toMatch(/\b0\.\d/);
    expect(await data("search", "sqlite", "--project", "project")).toMatchObject({
      total: 1,
      pageSize: 5,
      results: [{ uri: "memory://store", matched: ["sqlite"], score: expect.any(Number) }],
      sessions: {
        total: 1,
        notices: [],
        results: [
          {
            id: ID,
            title: "The store",
            where: [ID, "claude-code", "project", "main", "2026-02-01"],
            excerpt: "assistant: We chose sqlite, because it is one file.",
            matched: ["sqlite"],
            score: expect.any(Number),
            resume: `cd ${root} && claude --resume ${ID}`,
          },
        ],
      },
      failures: [],
    });
    // Programs that use the interface of maenifold expect only notes.
    const { stdout: contract } = await tool("SearchMemories", { query: "sqlite" });
    expect(contract).toContain("memory://store");
    expect(contract).not.toContain(ID);
  });

  it("searches one kind with --notes, --sessions, or an option that only notes have", async () => {
    const { run, data } = await setUp();
    for (const args of [["--notes"], ["--tag", "a"], ["--mode", "FullText"]]) {
      const found = await data("search", "sqlite", ...args);
      expect(found, args.join(" ")).toMatchObject({ total: 1, pageSize: 10, sessions: null });
      expect((await run(["search", "sqlite", ...args])).stdout).not.toContain("Past sessions");
    }
    expect(await data("search", "sqlite", "--sessions")).toMatchObject({
      total: 0,
      results: [],
      sessions: { total: 1 },
    });
    expect((await run(["search", "sqlite", "--sessions"])).stdout).toMatch(/^Past sessions \(1\)\n/);
    const both = await data("search", "sqlite", "--sessions", "--notes");
    expect(both).toMatchObject({ total: 1, sessions: { total: 1 } });
    expect((await run(["search", "sqlite", "--sessions", "--tag", "a"])).stderr).toContain(
      "--tag is only for notes",
    );
  });

  it("says of each kind that nothing matches, and what else to try", async () => {
    const { run } = await setUp();
    const { stdout } = await run(["search", "qqxyzzy"]);
    expect(stdout).toBe("No matching notes.\nNo matching sessions.\nTry fewer words or another spelling.\n");
    const narrowed = await run(["search", "sqlite", "--project", "blog"]);
    expect(narrowed.stdout).toContain('No session is of project "blog". There are: project.\n');
  });

  it("pages both kinds", async () => {
    const { run, data } = await setUp();
    await data("write", "Also [[SQLite]].", "--title", "Second");
    const { stdout } = await run(["search", "sqlite", "--limit", "1", "--page", "2"]);
    expect(stdout).toMatch(/^Notes \(2 to 2 of 2\)\n/);
    expect(stdout).toContain("Past sessions: page 2 does not exist; the last page is 1.\n");
  });

  it("sessions that are turned off are not searched unless asked for", async () => {
    const { data, home } = await setUp();
    writeFileSync(
      join(home.root, "config.json"),
      JSON.stringify({ sources: { sessions: { enabled: false } } }),
    );
    expect(await data("search", "sqlite")).toMatchObject({ total: 1, sessions: null, failures: [] });
    expect(await data("search", "sqlite", "--sessions")).toMatchObject({ sessions: { total: 1 } });
  });

  it("a kind that cannot be searched does not hide the other", async () => {
    const { run, data, home } = await setUp();
    await data("search", "sqlite");
    const unlock = lock(sessionsIndexPath(home));
    const { stdout, code } = await run(["search", "sqlite"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Notes \(1\)\n[\s\S]*\n\nPast sessions could not be searched: [^\n]+\n$/);
    expect(await data("search", "sqlite")).toMatchObject({
      total: 1,
      sessions: null,
      failures: [{ kind: "sessions", code: expect.any(String), message: expect.any(String) }],
    });
    expect((await run(["search", "sqlite", "--sessions"])).code).not.toBe(0);
    unlock();
    const notes = readdirSync(home.root).filter((name) => /^memory.*\.db$/.test(name));
    const unlocks = notes.map((name) => lock(join(home.root, name)));
    expect(unlocks).toHaveLength(1);
    const other = await run(["search", "sqlite"]);
    for (const one of unlocks) one();
    expect(other.stdout).toMatch(/^Notes could not be searched: [^\n]+\n\nPast sessions \(1\)\n/);
  });
});
