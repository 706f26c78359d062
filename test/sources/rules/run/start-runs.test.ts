import { mkdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { NO_RUNS } from "../../../../src/sources/rules/checks/memo.ts";
import { toPatterns } from "../../../../src/sources/rules/matching/globs.ts";
import { MARK } from "../../../../src/sources/rules/run/end-processes.ts";
import { readResults } from "../../../../src/sources/rules/run/results.ts";
import { launchRunner, startRuns } from "../../../../src/sources/rules/run/start-runs.ts";
import { homeAt } from "../../../../src/store/home.ts";
import { setTrust } from "../../../../src/store/trust.ts";
import { mountedDisk } from "../../../support/disk.ts";
import { RECORD, ruleWith, runCheck, runWorld, SESSION } from "./support.ts";

const NOW = Date.now();

describe("when the agent goes idle, a rule's command", () => {
  it("runs on the changed files that match, as arguments that no program takes for options", async () => {
    const files = { "a b.ts": "", "-x.ts": "", "sub/ü.ts": "", "c.js": "", "d.test.ts": "" };
    const world = runWorld(files);
    const include = await toPatterns("**/*.ts");
    const exclude = await toPatterns("**/*.test.ts");
    const rules = [ruleWith(runCheck(RECORD, { files: { include: include ?? [], exclude: exclude ?? [] } }))];
    await world.trust(rules);
    const { occasions } = await world.idle(rules, {
      edited: [...Object.keys(files), "deleted.ts", "/etc/passwd"],
    });
    expect(occasions).toEqual([".continuo/rules/lint.md#check-1"]);
    expect(world.calls()).toEqual([["sub/ü.ts", "./-x.ts", "a b.ts"]]);
  });

  it("runs again only on files that were written since, and not at all if there are none", async () => {
    const world = runWorld({ "a.ts": "", "b.ts": "" });
    const rules = [ruleWith(runCheck(RECORD))];
    await world.trust(rules);
    const before = new Date(NOW - 60_000);
    for (const name of ["a.ts", "b.ts"]) utimesSync(join(world.root, name), before, before);
    await world.idle(rules, { at: NOW });
    expect(await world.idle(rules, { at: NOW + 1000 })).toMatchObject({ isLaunched: false, occasions: [] });
    utimesSync(join(world.root, "b.ts"), new Date(NOW + 2000), new Date(NOW + 2000));
    await world.idle(rules, { at: NOW + 3000 });
    expect(world.calls()).toEqual([["b.ts", "a.ts"], ["b.ts"]]);
  });

  it("gets at most 100 files, the last ones", async () => {
    const names = Array.from({ length: 150 }, (_, i) => `f${i}.ts`);
    const world = runWorld(Object.fromEntries(names.map((name) => [name, ""])));
    const rules = [ruleWith(runCheck(RECORD))];
    await world.trust(rules);
    await world.idle(rules);
    expect(world.calls()).toEqual([names.slice(50).reverse()]);
  });

  it("never runs in a project that is not trusted, nor the user's own", async () => {
    const world = runWorld();
    const check = runCheck(RECORD);
    await setTrust(world.home, "/another", "guards", 0);
    for (const scope of ["project", "global"] as const)
      expect(await world.idle([ruleWith(check, scope)])).toMatchObject({ isLaunched: false, notices: [] });
    expect(world.calls()).toEqual([]);
  });

  it("of a trusted project runs only if exactly this command was accepted, and is named once otherwise", async () => {
    const world = runWorld();
    const check = runCheck(RECORD);
    await world.trust([ruleWith(check)]);
    const [pattern] = (await toPatterns("a.*")) ?? [];
    const changed = [
      { ...check, command: [...check.command, "more"] },
      { ...check, command: [check.command.join(" ")] },
      { ...check, timeoutMs: check.timeoutMs + 1 },
      { ...check, files: { include: pattern === undefined ? [] : [pattern], exclude: [] } },
    ];
    for (const one of changed) {
      const { isLaunched, notices } = await world.idle([ruleWith(one)]);
      expect(isLaunched).toBe(false);
      expect(notices).toEqual([expect.stringContaining("continuo rules trust")]);
      expect(notices[0]).toContain(process.execPath);
      expect((await world.idle([ruleWith(one)])).notices).toEqual([]);
    }
    const moved = {
      ...ruleWith(check),
      file: { key: "other.md", path: "/p/other.md", scope: "project" },
    } as const;
    expect(await world.idle([moved])).toMatchObject({ isLaunched: false });
    expect(world.calls()).toEqual([]);
    expect(await world.idle([ruleWith(check)])).toMatchObject({ isLaunched: true, notices: [] });
    expect(world.calls()).toHaveLength(1);
  });

  it("that is the user's own runs wherever the project is trusted", async () => {
    const world = runWorld();
    await world.trust([]);
    await world.idle([ruleWith(runCheck(RECORD), "global")]);
    expect(world.calls()).toHaveLength(1);
  });

  it("does not run if its rule is muted, nor inside a command of a rule", async () => {
    const world = runWorld();
    const rules = [ruleWith(runCheck(RECORD))];
    await world.trust(rules);
    expect(await world.idle(rules, { more: { [MARK]: "x" } })).toMatchObject({ isLaunched: false });
    const moment = { session: SESSION, project: world.project, at: NOW };
    const context = {
      home: world.home.root,
      env: world.env,
      workingSet: [{ path: "a.ts", edited: true, at: 1, turn: 1, heat: 1 }],
      report: () => undefined,
      isMuted: () => true,
    };
    const never = () => {
      throw new Error("started");
    };
    expect(startRuns(moment, rules, NO_RUNS, context, never).occasions).toEqual([]);
    expect(world.calls()).toEqual([]);
  });

  it("of a subagent is told to its parent", async () => {
    const world = runWorld();
    const rules = [ruleWith(runCheck("process.exit(1)"))];
    await world.trust(rules);
    await world.idle(rules, { session: { host: "cli", id: "child", parent: SESSION.id } });
    expect(readResults(world.home, SESSION)).toHaveLength(1);
  });

  it("that cannot be started is recorded, and tried again at the next idle moment", async () => {
    const world = runWorld();
    const rules = [ruleWith(runCheck(RECORD))];
    await world.trust(rules);
    mkdirSync(join(world.home.root, "runs"), { recursive: true });
    writeFileSync(join(world.home.root, "runs", "wanted"), "");
    expect(await world.idle(rules)).toMatchObject({ isLaunched: false, occasions: [], memo: NO_RUNS });
    expect(world.reports).toEqual([expect.stringContaining("run-not-started")]);
    rmSync(join(world.home.root, "runs"), { recursive: true });
    await world.idle(rules);
    expect(world.calls()).toHaveLength(1);
  });

  it("does not stop a session whose disk is full", async ({ skip }) => {
    const disk = mountedDisk("size=64k");
    if (disk === undefined) return skip("nothing can be mounted here");
    const world = runWorld();
    await setTrust(homeAt(disk), world.project.id, "guards", 0);
    expect(() => writeFileSync(join(disk, "filler"), Buffer.alloc(100_000))).toThrow("ENOSPC");
    const reports: string[] = [];
    const context = {
      home: disk,
      env: world.env,
      workingSet: [{ path: "a.ts", edited: true, at: 1, turn: 1, heat: 1 }],
      report: (code: string) => void reports.push(code),
    };
    const moment = { session: SESSION, project: world.project, at: NOW };
    const rules = [ruleWith(runCheck(RECORD), "global")];
    const { occasions, memo } = startRuns(moment, rules, NO_RUNS, context, launchRunner);
    expect({ occasions, memo, reports }).toEqual({
      occasions: [],
      memo: NO_RUNS,
      reports: ["run-not-started"],
    });
    expect(world.calls()).toEqual([]);
  });
});
