import { chmodSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { externalEngine } from "../../../../src/sources/notes/external/external-engine.ts";
import { programOf } from "../../../../src/sources/notes/external/run-program.ts";
import { findForStart } from "../../../../src/sources/notes/ports/session-start.ts";
import { dailyWarning, readHealth } from "../../../../src/store/health.ts";
import { isRunning } from "../../../../src/store/running.ts";
import { CONTINUO, childScript, runScript } from "../../../support/child.ts";
import { hookIn } from "../../../support/hooks.ts";
import { temporaryFolder, temporaryWorld, write } from "../../../support/world.ts";

/** A program that answers in maenifold's format, or does what `does` says. */
function programThat(does: string, more: { timeoutMs?: number; env?: NodeJS.ProcessEnv } = {}) {
  const folder = temporaryFolder("continuo external");
  write(folder, {
    "memory.js": `
      const fs = require("node:fs");
      const [, , , tool, , payload] = process.argv;
      fs.appendFileSync(${JSON.stringify(join(folder, "calls"))}, JSON.stringify(process.argv.slice(2)) + "\\n");
      ${does}`,
  });
  const warnings: string[] = [];
  const engine = externalEngine({
    command: [process.execPath, join(folder, "memory.js")],
    env: more.env ?? { PATH: process.env["PATH"] },
    timeoutMs: more.timeoutMs ?? 20_000,
    warn: (code, message, hint) => warnings.push(`${code} | ${message} | ${hint}`),
  });
  const calls = () =>
    existsSync(join(folder, "calls"))
      ? readFileSync(join(folder, "calls"), "utf8")
          .trim()
          .split("\n")
          .map((line) => JSON.parse(line) as string[])
      : [];
  return { engine, warnings, calls, folder };
}

describe("another memory program", () => {
  it("is called with an argument array, and its answer is used", async () => {
    const { engine, warnings, calls } = programThat(
      `
      if (tool === "SearchMemories") console.log(JSON.stringify({ results: [{ uri: "memory://a", title: process.env.WHO, score: 1, concepts: ["x"] }] }));
      if (tool === "RecentActivity") console.log(JSON.stringify({ items: [] }));
      if (tool === "BuildContext") console.log("Context for CONCEPT: x\\nDirect relations (0 CONCEPTS):\\n");
    `,
      { env: { WHO: "me" } },
    );
    const query = 'a "quoted" $(touch x); `id` \n ü';
    expect(await engine.searchMemories({ query, mode: "Hybrid", pageSize: 5 })).toEqual({
      results: [{ uri: "memory://a", title: "me", score: 1, concepts: ["x"] }],
    });
    expect(await engine.recentActivity({ timespan: "1.00:00:00" })).toEqual({ items: [] });
    expect(await engine.buildContext({ conceptName: "x" })).toEqual({
      concept: "x",
      relatedConcepts: [],
      fileReferences: [],
    });
    expect(warnings).toEqual([]);
    expect(calls()[0]).toEqual([
      "--tool",
      "SearchMemories",
      "--payload",
      JSON.stringify({ query, mode: "Hybrid", pageSize: 5 }),
    ]);
  });

  it.each([
    ["crashes", "throw new Error('broken inside')", /memory-command-failed \| .*ended with code 1/],
    [
      "ends with another code",
      "console.error('no database'); process.exit(3)",
      /ended with code 3: no database/,
    ],
    [
      "prints a web page",
      "console.log('<html>502 Bad Gateway</html>')",
      /memory-command-unclear .*502 Bad Gateway/,
    ],
    ["prints nothing", "", /it printed nothing/],
    ["prints 5 MB", "process.stdout.write('x'.repeat(5 * 2 ** 20))", /memory-command-too-much/],
    [
      "prints for ever",
      "const go = () => process.stdout.write('x'.repeat(65536), go); go()",
      /memory-command-too-much/,
    ],
    [
      "prints bytes that are no text",
      "process.stdout.write(Buffer.alloc(1000, 0xff))",
      /memory-command-unclear/,
    ],
  ])("that %s gives nothing and one warning", async (_, does, warning) => {
    const { engine, warnings } = programThat(does);
    expect(await engine.searchMemories({ query: "x" })).toEqual({ results: [] });
    expect(await engine.recentActivity({})).toEqual({ items: [] });
    expect(await engine.buildContext({ conceptName: "x" })).toMatchObject({ relatedConcepts: [] });
    expect(warnings).toEqual([expect.stringMatching(warning)]);
  });

  it("that is slow is killed, even if it ignores SIGTERM, with one warning", async () => {
    await longEnough(async (timeoutMs) => {
      const { engine, warnings, folder } = programThat(STUBBORN, { timeoutMs });
      // It never ends by itself: that these end shows that it is killed.
      expect(await engine.searchMemories({ query: "x" })).toEqual({ results: [] });
      expect(await engine.searchMemories({ query: "x" })).toEqual({ results: [] });
      const late = new RegExp(`memory-command-late .*within ${timeoutMs} ms .*CLI_TIMEOUT`);
      expect(warnings).toEqual([expect.stringMatching(late)]);
      return folder;
    });
  });

  it("is still asked for the rest when one of its calls is late", async () => {
    const { engine, warnings } = programThat(
      `if (tool === "SearchMemories") setTimeout(() => undefined, 60_000);
       else console.log(JSON.stringify({ items: [{ uri: "memory://a", concepts: ["x"] }], relatedConcepts: [{ name: "y" }] }));`,
      { timeoutMs: 1_500 },
    );
    const found = await findForStart(engine, {
      project: "demo",
      tokenLimit: 4_000,
      timeoutMs: 20_000,
      onFailure: () => undefined,
    });
    expect(found.contexts).toMatchObject([{ concept: "x", relatedConcepts: [{ name: "y" }] }]);
    expect(warnings).toEqual([expect.stringContaining("memory-command-late")]);
  });

  it("does not outlive a hook that answered without it", async () => {
    await longEnough(async (timeoutMs) => {
      const folder = temporaryFolder();
      write(folder, { "stubborn.js": `const fs = require("node:fs"); ${STUBBORN}` });
      const script = await childScript(
        folder,
        `import { runProgram } from "./src/sources/notes/external/run-program.ts";
         const args = [${JSON.stringify(join(folder, "stubborn.js"))}];
         await runProgram({ program: process.execPath, args, env: {}, timeoutMs: ${timeoutMs} });
         process.exit(0);`,
      );
      expect((await runScript(script, [])).code).toBe(0);
      return folder;
    });
  });

  it("that does not exist gives nothing and one warning", async () => {
    const warnings: string[] = [];
    const warn = (code: string) => warnings.push(code);
    for (const command of ["no-such-program-anywhere", "/no/such/program", "./relative/program", ["", "x"]]) {
      const engine = externalEngine({ command, env: { PATH: process.env["PATH"] }, timeoutMs: 5000, warn });
      expect(await engine.searchMemories({ query: "x" })).toEqual({ results: [] });
      expect(await engine.recentActivity({})).toEqual({ items: [] });
    }
    expect(warnings).toEqual(Array(4).fill("memory-command-missing"));
  });

  it("that is only in a project is said to be there", async () => {
    const folder = temporaryFolder();
    write(folder, { "node_modules/.bin/notes": "#!/bin/sh\n" });
    chmodSync(join(folder, "node_modules/.bin/notes"), 0o755);
    const warnings: string[] = [];
    for (const PATH of [join(folder, "node_modules/.bin"), join(folder, "nothing")]) {
      const warn = (_: string, message: string) => warnings.push(message);
      const engine = externalEngine({ command: "notes", env: { PATH }, timeoutMs: 5000, warn });
      await engine.recentActivity({});
    }
    expect(warnings).toEqual([
      expect.stringMatching(/notes was found only in a project.*\.bin\/notes$/),
      expect.stringMatching(/notes is not on the PATH$/),
    ]);
  });

  it("is stopped without a warning when the caller no longer waits", async () => {
    const { engine, warnings, calls } = programThat("setInterval(() => undefined, 1000)");
    const asked = new AbortController();
    const found = engine.searchMemories({ query: "x" }, asked.signal);
    await expect.poll(() => calls().length).toBe(1);
    asked.abort();
    expect(await found).toEqual({ results: [] });
    expect(warnings).toEqual([]);
  });

  it("can be Continuo's own command line: both use the same format", async () => {
    const { env } = temporaryWorld();
    const call = (tool: string, payload: object) =>
      runScript(CONTINUO, ["--tool", tool, "--payload", JSON.stringify(payload)], { env });
    await call("WriteMemory", { title: "Why SQLite", content: "[[SQLite]] for [[search]]", folder: "tech" });
    await call("WriteMemory", { title: "Plan", content: "[[SQLite]] and [[Bun]]" });
    const warnings: string[] = [];
    const engine = externalEngine({
      command: `"${process.execPath}" "${CONTINUO}"`,
      env,
      timeoutMs: 20_000,
      warn: (code, message) => warnings.push(`${code} ${message}`),
    });
    const { results } = await engine.searchMemories({ query: "sqlite", mode: "Hybrid", pageSize: 5 });
    expect(results.map(({ uri }) => uri).sort()).toEqual(["memory://plan", "memory://tech/why-sqlite"]);
    expect(results[0]).toMatchObject({
      title: expect.any(String),
      score: expect.any(Number),
      concepts: expect.arrayContaining(["sqlite"]),
    });
    expect((await engine.recentActivity({ timespan: "1.00:00:00", filter: "memory" })).items).toHaveLength(2);
    expect(await engine.buildContext({ conceptName: "SQLite", depth: 1 })).toMatchObject({
      concept: "SQLite",
      relatedConcepts: [
        { name: "bun", relationship: "co-occurs-with", files: 1 },
        { name: "search", relationship: "co-occurs-with", files: 1 },
      ],
      fileReferences: expect.arrayContaining(["memory://plan", "memory://tech/why-sqlite"]),
    });
    expect(warnings).toEqual([]);
    // In text too, as maenifold prints it.
    const text = externalEngine({
      command: [process.execPath, CONTINUO, "--format", "text"],
      env,
      timeoutMs: 20_000,
      warn: (code, message) => warnings.push(`${code} ${message}`),
    });
    expect((await text.searchMemories({ query: "sqlite" })).results.map(({ uri }) => uri).sort()).toEqual([
      "memory://plan",
      "memory://tech/why-sqlite",
    ]);
    expect((await text.recentActivity({})).items.map(({ title }) => title).sort()).toEqual([
      "Plan",
      "Why SQLite",
    ]);
    expect((await text.buildContext({ conceptName: "sqlite" })).relatedConcepts).toHaveLength(2);
    expect(warnings).toEqual([]);
  });
});

describe("a session start with another memory program", () => {
  const start = async (settings: object, sessions: readonly string[]) => {
    const world = temporaryWorld();
    write(world.home.root, { "config.json": JSON.stringify(settings) });
    const said: string[] = [];
    for (const session_id of sessions)
      said.push((await hookIn(world, "SessionStart", { session_id, source: "startup" })).stdout);
    return { said, failures: readHealth(world.home.logs).records.map(({ code }) => code) };
  };

  it("uses the output of the program", async () => {
    const folder = temporaryFolder();
    write(folder, {
      "memory.js": `const results = [{ uri: "memory://tech/theirs", title: "Theirs", score: 0.9, concepts: ["x"] }];
        console.log(JSON.stringify({ results, items: [], relatedConcepts: [] }));`,
    });
    const command = `"${process.execPath}" "${join(folder, "memory.js")}"`;
    const patient = { sourceDeadlineMs: 20_000, momentDeadlineMs: 30_000 };
    const { said, failures } = await start({ ...patient, sources: { memory: { command } } }, ["one"]);
    expect(said[0]).toContain("Theirs (memory://tech/theirs)");
    expect(failures).toEqual([]);
  });

  it("continues without a missing program, and records it once a day", async () => {
    const { failures } = await start({ sources: { memory: { command: "no-such-program" } } }, [
      "one",
      "two",
      "three",
    ]);
    expect(failures).toEqual(["memory-command-missing"]);
  });
});

describe("the setting of the program", () => {
  it("accepts a name, a path with spaces, words in quotes, and a list", () => {
    const folder = temporaryFolder("continuo with space");
    write(folder, { "a program": "" });
    const env = { HOME: folder };
    expect(programOf("maenifold", env)).toEqual({ program: "maenifold", args: [] });
    expect(programOf("node '/x y/z.js' --fast", env)).toEqual({
      program: "node",
      args: ["/x y/z.js", "--fast"],
    });
    expect(programOf(join(folder, "a program"), env)).toEqual({
      program: join(folder, "a program"),
      args: [],
    });
    expect(programOf("~/bin/memory", env)).toEqual({ program: `${folder}/bin/memory`, args: [] });
    expect(programOf(["/bin/x", "a b"], env)).toEqual({ program: "/bin/x", args: ["a b"] });
    for (const bad of ["", "  ", "./x", "bin/x", []]) expect(programOf(bad, env)).toBeUndefined();
  });

  it("warns of each kind of failure once a day", () => {
    const { home } = temporaryWorld();
    const warnings: string[] = [];
    const at = (day: string) =>
      dailyWarning(home, "memory-command", Date.parse(day), (code) => warnings.push(code));
    at("2026-01-01T08:00:00Z")("missing", "", "");
    at("2026-01-01T23:00:00Z")("missing", "", "");
    at("2026-01-01T23:00:00Z")("late", "", "");
    at("2026-01-02T00:00:00Z")("late", "", "");
    expect(warnings).toEqual(["missing", "late", "late"]);
  });
});

/** A program that writes its process id and never ends, whatever SIGTERM says. */
const STUBBORN = `process.on("SIGTERM", () => undefined);
  fs.writeFileSync(__dirname + "/pid", String(process.pid));
  setInterval(() => undefined, 1000);`;

/**
 * Runs a stubborn program with a time limit, and expects it to be gone afterwards. With a longer limit if it was killed
 * before it had begun: then it has not ignored anything.
 */
async function longEnough(run: (timeoutMs: number) => Promise<string>): Promise<void> {
  for (const timeoutMs of [1_500, 6_000, 24_000]) {
    const path = join(await run(timeoutMs), "pid");
    const pid = existsSync(path) ? Number(readFileSync(path, "utf8")) : 0;
    if (pid === 0) continue;
    await expect.poll(() => isRunning(pid)).toBe(false);
    return;
  }
  expect.unreachable("the program never began");
}
