import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { sessionsIndexPath } from "../../../../src/sources/sessions/indexing/schema.ts";
import { openSessions, type Sessions } from "../../../../src/sources/sessions/library.ts";
import { type Home, homeAt } from "../../../../src/store/home.ts";
import { CONTINUO, childScript, finished, runScript } from "../../../support/child.ts";
import { mountedDisk, readOnlyDisk } from "../../../support/disk.ts";
import { history } from "../../../support/histories.ts";
import { temporaryFolder } from "../../../support/world.ts";
import { answer, ask, CLAUDE, lineOf, place } from "../place.ts";

const SESSIONS = 40;
const idOf = (at: number) => `${String(at).padStart(8, "0")}-0000-4000-8000-000000000000`;

/** Sessions long enough that indexing takes a while. */
function many() {
  const here = place();
  mkdirSync(here.folder, { recursive: true });
  for (let at = 0; at < SESSIONS; at++) {
    const lines = Array.from({ length: 120 }, (_, turn) =>
      lineOf(
        idOf(at),
        turn % 2 === 0
          ? ask(`Request ${turn} of number${at} ${"about the pond and its herons ".repeat(15)}`)
          : answer(`Answer ${turn} of number${at} ${"says that the willow is old ".repeat(15)}`),
      ),
    );
    writeFileSync(here.path(idOf(at)), lines.join(""));
    here.touch(idOf(at));
  }
  return here;
}

const SCRIPT = `
  import { loadHistory } from "./src/hosts/index.ts";
  import { openSessions } from "./src/sources/sessions/library.ts";
  import { homeAt } from "./src/store/home.ts";
  const [what, id] = process.argv.slice(2);
  const sessions = openSessions({ home: homeAt(process.env.CONTINUO_HOME), env: process.env, history: await loadHistory(), busyTimeoutMs: 20000 });
  if (what === "index") {
    await sessions.sync({ onProgress: () => process.stdout.write("."), ...(id === "slices" ? { sliceMs: 1 } : {}) });
    if (id === "slices") while (!(await sessions.sync({ sliceMs: 1 })).isComplete);
  }
  if (what === "forget") {
    while (sessions.get({ host: "claude-code", id }) === undefined) await new Promise((resolve) => setTimeout(resolve, 2));
    sessions.forget({ host: "claude-code", id });
  }
  sessions.close();
`;

/** The content of an index in a comparable form. */
function contents(sessions: Sessions): object {
  return sessions
    .list()
    .map(({ id, name, counts }) => ({
      id,
      name,
      counts,
      found: sessions.search(`number${Number(id.slice(0, 8))}`).total,
    }))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}

async function fresh(env: NodeJS.ProcessEnv, home: Home = homeAt(join(temporaryFolder(), "fresh"))) {
  const sessions = openSessions({ home, history, env });
  await sessions.sync();
  return { sessions, contents: contents(sessions) };
}

describe("the index of sessions, used by several processes,", () => {
  it("is complete when two fill it while a third forgets, and what is forgotten stays away", async () => {
    const here = many();
    const script = await childScript(temporaryFolder(), SCRIPT);
    const env = { ...here.env };
    // The oldest ones are read last: a process that reads them listed them long before they are forgotten.
    const gone = [0, 17, SESSIONS - 1].map(idOf);
    const all = await Promise.all([
      runScript(script, ["index"], { env }),
      runScript(script, ["index", "slices"], { env }),
      ...gone.map((id) => runScript(script, ["forget", id], { env })),
    ]);
    for (const { code, stderr } of all) expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const sessions = here.open();
    await sessions.sync();
    const alone = await fresh(here.env);
    const kept = (list: object) => (list as { id: string }[]).filter(({ id }) => !gone.includes(id));
    expect(contents(sessions)).toEqual(kept(alone.contents));
    expect(sessions.list()).toHaveLength(SESSIONS - gone.length);
    for (const id of gone) expect(sessions.search(`number${Number(id.slice(0, 8))}`).total).toBe(0);
    alone.sessions.close();
  });

  it("is continued after a process was killed at any point", async () => {
    const here = many();
    const script = await childScript(temporaryFolder(), SCRIPT);
    for (const dots of [1, 2, 3]) {
      const child = spawn(process.execPath, [script, "index"], { env: here.env });
      let seen = 0;
      child.stdout.on("data", (chunk: Buffer) => {
        seen += chunk.length;
        if (seen >= dots) child.kill("SIGKILL");
      });
      await finished(child);
    }
    const before = here.open();
    const part = before.list().length;
    before.close();
    const sessions = here.open();
    await sessions.sync();
    const alone = await fresh(here.env);
    expect(contents(sessions)).toEqual(alone.contents);
    expect(part).toBeGreaterThan(0);
    expect(here.failures).toEqual([]);
    alone.sessions.close();
  });
});

describe("the index of sessions, if it cannot be written,", () => {
  it("stays intact on a full disk, reports it, and continues when there is room", async ({ skip }) => {
    const here = many();
    const disk = mountedDisk("size=700k");
    if (disk === undefined) return skip("tmpfs cannot be mounted here");
    const env = { ...here.env, CONTINUO_HOME: join(disk, "home") };
    mkdirSync(env.CONTINUO_HOME);
    const full = await runScript(CONTINUO, ["sessions", "index"], { env });
    expect(full.code).not.toBe(0);
    expect(full.stderr).toMatch(/full|no space|ENOSPC/i);
    expect(full.stderr).not.toContain("    at ");
    const list = await runScript(CONTINUO, ["sessions", "list", "--json"], { env });
    expect(list.stderr).not.toContain("    at ");
    const { execFileSync } = await import("node:child_process");
    execFileSync("mount", ["-o", "remount,size=64m", disk]);
    const again = await runScript(CONTINUO, ["sessions", "index"], { env });
    expect(again).toMatchObject({ code: 0 });
    const alone = await fresh(here.env);
    const there = openSessions({ home: homeAt(env.CONTINUO_HOME), history, env });
    expect(contents(there)).toEqual(alone.contents);
    there.close();
    alone.sessions.close();
  });

  it("is refused with a reason if the home is read-only, and nothing is written", async ({ skip }) => {
    const here = place();
    here.write(idOf(1), [ask("Tell me of the heron")]);
    const disk = readOnlyDisk();
    if (disk === undefined) return skip("tmpfs cannot be mounted here");
    const env = { ...here.env, CONTINUO_HOME: join(disk, "home") };
    for (const args of [["index"], ["list"], ["search", "heron"], ["show", "last"]]) {
      const done = await runScript(CONTINUO, ["sessions", ...args], { env });
      expect(done.code, args[0]).not.toBe(0);
      expect(done.stderr, args[0]).toMatch(/cannot be written|read-only|EROFS|EACCES/i);
      expect(done.stderr, args[0]).not.toContain("    at ");
    }
    expect(existsSync(env.CONTINUO_HOME)).toBe(false);
    expect(statSync(here.path(idOf(1))).isFile()).toBe(true);
  });
});

it("a subagent's session of a forgotten one is not indexed, even if it comes later", async () => {
  const here = place();
  here.write("parent", [ask("Have somebody look at the pangolin")]);
  const sessions = here.open();
  await sessions.sync();
  sessions.forget({ host: CLAUDE, id: "parent" });
  const folder = join(here.folder, "parent/subagents");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "agent-a1.jsonl"), lineOf("parent", ask("Look closely"), { isSidechain: true }));
  await sessions.sync();
  expect(sessions.list({ children: true })).toEqual([]);
  sessions.close();
  expect(readFileSync(sessionsIndexPath(here.home), "latin1")).not.toContain("agent-a1");
});
