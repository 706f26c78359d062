import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { delimiter, join } from "node:path";
import { describe, expect, it } from "vitest";
import { fingerprint } from "../../../../src/base/fingerprint.ts";
import { sessionLedger } from "../../../../src/moments/state/ledger.ts";
import type { RunCheck } from "../../../../src/sources/rules/rule.ts";
import {
  hasRequests,
  requestFolder,
  takeRequest,
  writeRequest,
} from "../../../../src/sources/rules/run/requests.ts";
import { readResults } from "../../../../src/sources/rules/run/results.ts";
import { runChecks } from "../../../../src/sources/rules/run/runner.ts";
import { launchRunner } from "../../../../src/sources/rules/run/start-runs.ts";
import { readHealth } from "../../../../src/store/health.ts";
import { withLock } from "../../../../src/store/lock.ts";
import { isRunning } from "../../../../src/store/running.ts";
import { setTrust } from "../../../../src/store/trust.ts";
import { childScript, ROOT } from "../../../support/child.ts";
import { write } from "../../../support/world.ts";
import { PATIENT, RECORD, ruleWith, runCheck, runnerEnded, runWorld, SESSION } from "./support.ts";

async function worldWith(check: RunCheck) {
  const world = runWorld({ "a.ts": "a" });
  const rules = [ruleWith(check)];
  await world.trust(rules);
  const failures = () => readHealth(world.home.logs).records.filter(({ home }) => home === undefined);
  const request = (files = ["a.ts"]) =>
    writeRequest(world.home, {
      version: 1,
      project: world.project,
      session: SESSION,
      at: Date.now(),
      runs: [{ rule: rules[0]?.file.key ?? "", name: "lint", isUsers: false, check, files }],
    });
  const run = (more: Partial<Parameters<typeof runChecks>[0]> = {}) =>
    runChecks({ ...world, project: world.project.id, now: Date.now, graceMs: 100, ...more });
  return { ...world, rules, failures, request, run, results: () => readResults(world.home, SESSION) };
}

describe("a command's exit code", () => {
  it("0 leaves nothing, and removes what an earlier run found", async () => {
    const world = await worldWith(runCheck("process.exit(require('fs').existsSync('fixed')?0:1)"));
    world.request();
    await world.run();
    expect(world.results()).toHaveLength(1);
    write(world.root, { fixed: "" });
    world.request();
    await world.run();
    expect(world.results()).toEqual([]);
    expect(world.failures()).toEqual([]);
  });

  it("other than 0 is a breach with the last lines, and replaces the one before", async () => {
    const check = runCheck("console.log('a.ts:1 bad');process.exit(2)", { message: "Fix it." });
    const world = await worldWith(check);
    for (const _ of [1, 2]) {
      world.request();
      await world.run();
    }
    expect(world.results()).toEqual([
      {
        version: 1,
        at: expect.any(Number),
        rule: ".continuo/rules/lint.md",
        name: "lint",
        check: "check-1",
        reaction: "remind",
        message: "Fix it.",
        command: expect.stringContaining(process.execPath),
        found: { kind: "broken", code: 2, output: "a.ts:1 bad" },
      },
    ]);
    expect(world.failures()).toEqual([]);
  });
});

describe("a command without a result", () => {
  it.each<[string, Partial<RunCheck>, string]>([
    ["is not installed", { command: ["no-such-program-of-continuo"] }, "not on the PATH"],
    ["names a program that is not there", { command: ["./absent"] }, "cannot be started"],
    ["leads out of the project", { command: ["../outside"] }, "leads out of the project"],
    [
      "hangs",
      { command: [process.execPath, "-e", "setInterval(()=>{},1e6)"], timeoutMs: 200 },
      "longer than",
    ],
    [
      "prints too much",
      { command: [process.execPath, "-e", "process.stdout.write('x'.repeat(2e6))"] },
      "more than 1 MB",
    ],
  ])("that %s is recorded once in a session and is no breach", async (_what, more, detail) => {
    const world = await worldWith(runCheck("", more));
    for (const _ of [1, 2]) {
      world.request();
      await world.run();
    }
    expect(world.results().map(({ found }) => found.kind)).toEqual(["failed"]);
    expect(world.failures()).toHaveLength(1);
    expect(world.failures()[0]).toMatchObject({ code: "run-failed", session: SESSION.id });
    expect(world.failures()[0]?.message).toContain(detail);
  });

  it("because its project is gone is recorded", async () => {
    const world = await worldWith(runCheck(RECORD));
    world.request();
    rmSync(world.root, { recursive: true });
    await world.run();
    expect(world.failures()).toMatchObject([{ code: "run-no-project" }]);
  });

  it("does not stop the next one", async () => {
    const world = runWorld();
    const rules = [ruleWith(runCheck("", { command: ["absent-program"] })), ruleWith(runCheck(RECORD))];
    await world.trust(rules);
    await world.idle(rules);
    expect(world.calls()).toHaveLength(1);
  });
});

describe("a program's name", () => {
  it("is looked for outside of the project, whatever the PATH says", async () => {
    const world = await worldWith(runCheck("", { command: ["linter"] }));
    const script = `#!${process.execPath}\n${RECORD.replace("slice(1)", "slice(2)")}\n`;
    const bin = join(world.root, "node_modules", ".bin");
    mkdirSync(bin, { recursive: true });
    writeFileSync(join(bin, "linter"), script, { mode: 0o755 });
    const path = [bin, world.root, world.env["PATH"]].join(delimiter);
    world.request();
    await world.run({ env: { ...world.env, PATH: path } });
    expect(world.calls()).toEqual([]);
    const outside = join(world.root, "..", "tools");
    mkdirSync(outside);
    renameSync(join(bin, "linter"), join(outside, "linter"));
    world.request();
    await world.run({ env: { ...world.env, PATH: [path, outside].join(delimiter) } });
    expect(world.calls()).toEqual([["a.ts"]]);
  });

  it("with a path is not run if it is a link out of the project", async () => {
    const world = await worldWith(runCheck("", { command: ["./lint", "-e", RECORD] }));
    symlinkSync(process.execPath, join(world.root, "lint"));
    world.request();
    await world.run();
    expect(world.failures()[0]?.message).toContain("./lint is a link that leads out of the project");
    expect(existsSync(join(world.root, "calls.jsonl"))).toBe(false);
  });

  it("with a path is the project's own", async () => {
    const world = await worldWith(runCheck("", { command: ["tools/lint", "--quiet"] }));
    mkdirSync(join(world.root, "tools"));
    const script = `#!${process.execPath}\n${RECORD.replace("slice(1)", "slice(2)")}\n`;
    writeFileSync(join(world.root, "tools", "lint"), script, { mode: 0o755 });
    world.request();
    await world.run();
    expect(world.calls()).toEqual([["--quiet", "a.ts"]]);
  });
});

describe("a program that cannot do its work", () => {
  const noResults = (world: Awaited<ReturnType<typeof worldWith>>) =>
    sessionLedger(world.home, SESSION).flatMap((line) => (line.kind === "checked" ? [line.noResult] : []));

  it("gives no result if npx would have to download it", async () => {
    const command = ["npx", "continuo-test-of-a-missing-package"];
    const world = await worldWith({ ...runCheck(""), command });
    world.request();
    await world.run();
    expect(world.results()).toMatchObject([{ found: { kind: "failed", why: "missing" } }]);
    expect(noResults(world)).toEqual([{ ".continuo/rules/lint.md#check-1": 1 }]);
  });

  it("gives no result if its exit code says that it was not found", async () => {
    const world = await worldWith(runCheck("process.exit(127)"));
    world.request();
    await world.run();
    expect(world.results()).toMatchObject([{ found: { kind: "failed", why: "missing" } }]);
    expect(noResults(world)).toHaveLength(1);
  });
});

describe("a command's environment", () => {
  it("is the user's, in the project's folder, without Continuo's own variables", async () => {
    const names = "['SHOP_TOKEN','CONTINUO_HOME','BUN_BE_BUN','npm_config_yes','npm_config_offline']";
    const code = `require('fs').writeFileSync('env.json',JSON.stringify(${names}.map((n)=>process.env[n]??null)))`;
    const world = await worldWith(runCheck(code));
    world.request();
    await world.run({ env: { ...world.env, SHOP_TOKEN: "kept", BUN_BE_BUN: "1" } });
    const { default: seen } = await import(join(world.root, "env.json"), { with: { type: "json" } });
    expect(seen).toEqual(["kept", null, null, "false", "true"]);
  });
});

describe("requests", () => {
  it("are not served once the project is no longer trusted or the command no longer accepted", async () => {
    const world = await worldWith(runCheck(RECORD));
    for (const shown of [undefined, "guards"]) {
      await setTrust(world.home, world.project.id, shown, 0);
      world.request();
      await world.run();
    }
    expect(world.calls()).toEqual([]);
    expect(hasRequests(world.home, world.project.id)).toBe(false);
  });

  it("of one session are one: a later one adds its files", async () => {
    const world = await worldWith(runCheck(RECORD));
    write(world.root, { "b.ts": "" });
    world.request(["a.ts"]);
    world.request(["b.ts", "gone.ts"]);
    await world.run();
    expect(world.calls()).toEqual([["b.ts", "a.ts"]]);
  });

  it("that are damaged or old are dropped", async () => {
    const world = await worldWith(runCheck(RECORD));
    world.request();
    expect(takeRequest(world.home, world.project.id, Date.now() + 2 * 60 * 60_000)).toBeUndefined();
    write(requestFolder(world.home, world.project.id), { "cli~x.json": '{"version":1,"pro' });
    await world.run();
    expect(world.calls()).toEqual([]);
    expect(readdirSync(requestFolder(world.home, world.project.id))).toEqual([]);
  });

  it("are left to the runner that is at work, which looks again before it ends", async () => {
    const world = await worldWith(runCheck(`${RECORD};setTimeout(()=>{},300)`));
    const lock = join(world.home.locks, `run-${fingerprint(world.project.id)}`);
    world.request();
    await withLock(lock, () => world.run(), { waitMs: 0 });
    expect(world.calls()).toEqual([]);
    expect(world.failures()).toEqual([]);
    const first = world.run();
    await expect.poll(() => world.calls().length, PATIENT).toBe(1);
    world.request();
    await Promise.all([first, world.run()]);
    expect(world.calls()).toHaveLength(2);
  });

  it("that a runner has no time for are left, and it ends", async () => {
    const world = await worldWith(runCheck(RECORD));
    world.request();
    await world.run({ maxMs: 0 });
    expect(world.calls()).toEqual([]);
    expect(hasRequests(world.home, world.project.id)).toBe(true);
  });
});

describe("the runner's process", () => {
  it("runs the commands after its starter went on, and leaves no process and no request behind", async () => {
    const code = `require('fs').writeFileSync('pids',process.ppid+' '+process.pid);${RECORD};console.log('bad');process.exit(1)`;
    const world = await worldWith(runCheck(code));
    world.request();
    const failed: Error[] = [];
    launchRunner(world.home, world.project.id, world.env, (error) => failed.push(error));
    await expect.poll(() => world.results().length, PATIENT).toBe(1);
    const pids = readFileSync(join(world.root, "pids"), "utf8").split(" ").map(Number);
    expect(pids[0]).not.toBe(process.pid);
    for (const pid of pids) await expect.poll(() => isRunning(pid), PATIENT).toBe(false);
    expect(world.calls()).toEqual([["a.ts"]]);
    expect({ failed, failures: world.failures() }).toEqual({ failed: [], failures: [] });
    expect(existsSync(requestFolder(world.home, world.project.id))).toBe(true);
    expect(hasRequests(world.home, world.project.id)).toBe(false);
  });

  it.skipIf(process.platform === "win32")(
    "has not the little processor time of a hook or a resident server",
    async () => {
      const check = runCheck("", { command: ["/bin/sh", "-c", "ulimit -S -t; exit 1"] });
      const world = await worldWith(check);
      world.request();
      const script = await childScript(
        world.root,
        `import { launchRunner } from "./src/sources/rules/run/start-runs.ts";
       const [root, project, dist] = process.argv.slice(2);
       launchRunner({ root }, project, process.env, (error) => { throw error; }, dist);`,
      );
      const args = [process.execPath, script, world.home.root, world.project.id, join(ROOT, "dist")];
      execFileSync("/bin/sh", ["-c", 'ulimit -S -t 77; exec "$@"', "sh", ...args], {
        env: world.env,
      });
      await expect.poll(() => world.results().length, PATIENT).toBe(1);
      const [{ found } = { found: undefined }] = world.results();
      expect(found).toMatchObject({ kind: "broken", output: expect.not.stringMatching(/^77$/) });
      await runnerEnded(world.home, world.project.id);
    },
  );

  it("that is told to end ends what it runs", async () => {
    const code =
      "process.on('SIGTERM',()=>{});require('fs').writeFileSync('pids',process.ppid+' '+process.pid);setInterval(()=>{},1e6)";
    const world = await worldWith(runCheck(code));
    world.request();
    launchRunner(world.home, world.project.id, world.env, () => undefined);
    const pids = () => {
      const path = join(world.root, "pids");
      return existsSync(path) ? readFileSync(path, "utf8").split(" ").map(Number) : [];
    };
    await expect.poll(() => pids().length, PATIENT).toBe(2);
    const [runner = 0, command = 0] = pids();
    process.kill(runner, "SIGTERM");
    for (const pid of [runner, command]) await expect.poll(() => isRunning(pid), PATIENT).toBe(false);
    expect(world.results()).toEqual([]);
  });
});
