import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Ran, runCommand } from "../../../../src/sources/rules/run/run-command.ts";
import { isRunning } from "../../../../src/store/running.ts";
import { temporaryFolder } from "../../../support/world.ts";

/** Far longer than any of these commands needs: a test that reaches it fails. */
const PLENTY_MS = 50_000;

interface Limits {
  readonly timeoutMs?: number;
  readonly graceMs?: number;
  readonly signal?: AbortSignal;
}

function node(folder: string, code: string, limits: Limits = {}, args: readonly string[] = []): Promise<Ran> {
  return runCommand({
    program: process.execPath,
    args: ["-e", code, ...args],
    cwd: folder,
    env: process.env,
    timeoutMs: PLENTY_MS,
    ...limits,
  });
}

const pidIn = (folder: string, name: string) => Number(readFileSync(join(folder, name), "utf8"));

/** Resolves once the file is there and complete. */
async function written(folder: string, name: string): Promise<void> {
  await expect
    .poll(() => existsSync(join(folder, name)) && readFileSync(join(folder, name), "utf8") !== "", {
      timeout: PLENTY_MS,
    })
    .toBe(true);
}

async function gone(folder: string, ...names: string[]): Promise<void> {
  for (const name of names)
    await expect.poll(() => isRunning(pidIn(folder, name)), { timeout: PLENTY_MS }).toBe(false);
}

/** Writes its own pid and then waits for ever, whatever SIGTERM says. */
const STUBBORN = (name: string) =>
  `process.on('SIGTERM',()=>{});require('fs').writeFileSync('${name}',String(process.pid));setInterval(()=>{},1e6)`;
const START = (code: string, options: string) =>
  `require('child_process').spawn(process.execPath,['-e',${JSON.stringify(code)}],${options}).unref();`;

describe("a command", () => {
  it("ends with its code and the last lines of both of its outputs", async () => {
    const folder = temporaryFolder();
    expect(await node(folder, "console.log('fine')")).toEqual({ kind: "ended", code: 0, output: "fine" });
    const code = "console.log('one');console.error('two');process.exitCode=3";
    const ran = await node(folder, code);
    expect(ran).toMatchObject({ kind: "ended", code: 3 });
    expect((ran as { output: string }).output.split("\n").sort()).toEqual(["one", "two"]);
  });

  it("gets its arguments as they are, no shell, and an input that is closed", async () => {
    const folder = temporaryFolder();
    const args = ["a b.ts", "$(touch x)", "`touch y`", "; touch z", "*", "'\"", "./-rf"];
    const code =
      "process.stdin.on('data',()=>{}).on('end',()=>console.log(JSON.stringify(process.argv.slice(1))))";
    const ran = await node(folder, code, {}, ["--", ...args]);
    expect(ran).toEqual({ kind: "ended", code: 0, output: JSON.stringify(args) });
    for (const name of ["x", "y", "z"]) expect(existsSync(join(folder, name))).toBe(false);
  });

  it("that does not exist, or is no program, is missing", async () => {
    const folder = temporaryFolder();
    const common = { args: [], cwd: folder, env: process.env, timeoutMs: PLENTY_MS };
    const missing = { kind: "failed", why: "missing" };
    expect(await runCommand({ ...common, program: join(folder, "absent") })).toMatchObject(missing);
    writeFileSync(join(folder, "text"), "hello", { mode: 0o600 });
    expect(await runCommand({ ...common, program: join(folder, "text") })).toMatchObject(missing);
    expect(await runCommand({ ...common, program: process.execPath, args: ["\0"] })).toMatchObject(missing);
    const gone = { ...common, program: process.execPath, cwd: join(folder, "gone") };
    expect(await runCommand(gone)).toMatchObject(missing);
  });

  it("that is killed has no result", async () => {
    const ran = await node(temporaryFolder(), "process.kill(process.pid,'SIGKILL')");
    expect(ran).toEqual({ kind: "failed", why: "killed", detail: "it was killed by SIGKILL" });
  });

  it("that hangs is ended at its time limit, also if it ignores the request to end", async () => {
    const folder = temporaryFolder();
    const ran = await node(folder, STUBBORN("pid"), { timeoutMs: 2000, graceMs: 100 });
    expect(ran).toEqual({ kind: "failed", why: "late", detail: "it took longer than 2 s" });
    if (existsSync(join(folder, "pid"))) await gone(folder, "pid");
  });

  it("that prints without end is stopped after 1 MB", async () => {
    const folder = temporaryFolder();
    const code = `require('fs').writeFileSync('pid',String(process.pid));
      const line='x'.repeat(65536);const more=()=>{while(process.stdout.write(line));process.stdout.once('drain',more)};more()`;
    const ran = await node(folder, code, { graceMs: 100 });
    expect(ran).toEqual({ kind: "failed", why: "too-much", detail: "it printed more than 1 MB" });
    await gone(folder, "pid");
  });

  it("takes down what it started: children that ignore the request to end, and those that left its group", async () => {
    const folder = temporaryFolder();
    const stop = new AbortController();
    const code =
      START(STUBBORN("child"), "{stdio:'inherit'}") +
      START(STUBBORN("left"), "{stdio:'ignore',detached:true}") +
      STUBBORN("parent");
    const running = node(folder, code, { graceMs: 100, signal: stop.signal });
    await Promise.all(["parent", "child", "left"].map((name) => written(folder, name)));
    stop.abort();
    expect(await running).toMatchObject({ kind: "failed", why: "stopped" });
    // Only Linux shows the environment by which one that left the group is found.
    await gone(folder, "parent", "child", ...(process.platform === "linux" ? ["left"] : []));
  });

  it("that ends and leaves a child behind, which holds its output open, does not wait for it and takes it down", async () => {
    const folder = temporaryFolder();
    const wait = "setInterval(()=>require('fs').existsSync('left')&&process.exit(1),20);";
    const ran = await node(
      folder,
      `${START(STUBBORN("left"), "{stdio:'inherit'}")}${wait}console.log('done')`,
    );
    expect(ran).toEqual({ kind: "ended", code: 1, output: "done" });
    await gone(folder, "left");
  });

  it("knows that it was told to end before it began", async () => {
    const ran = await node(temporaryFolder(), "setInterval(()=>{},1e6)", {
      graceMs: 100,
      signal: AbortSignal.abort(),
    });
    expect(ran).toMatchObject({ kind: "failed", why: "stopped" });
  });
});
