import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { CONTINUO, finished } from "../support/child.ts";
import { doctorIn, failuresIn, hookProcess } from "../support/hooks.ts";
import { runInProcess } from "../support/in-process.ts";
import { temporaryWorld, write } from "../support/world.ts";

type World = ReturnType<typeof temporaryWorld>;

const RULE = { ".continuo/rules/a.md": "Rule A." };
const SILENT = { code: 0, stdout: "", stderr: "" };
const doctor = async (world: World) => JSON.stringify(await doctorIn(world));

describe("the hook, given bad input, exits 0 with empty output and doctor knows", () => {
  it.each([
    ["empty stdin", "", "payload-empty"],
    ["malformed JSON", '{"session_id":', "payload-not-json"],
    ["a JSON array", "[]", "payload-not-object"],
    ["no session id", "{}", "payload-incomplete"],
    ["invalid UTF-8", Buffer.from([0x7b, 0xff, 0xfe, 0x7d]), "payload-not-utf8"],
    ["50 MB", Buffer.alloc(50 * 1024 * 1024, 0x20), "payload-too-large"],
    ["deeply nested JSON", `${'{"a":'.repeat(200_000)}1${"}".repeat(200_000)}`, "payload-"],
  ])("%s", async (_, stdin, code) => {
    const world = temporaryWorld(RULE);
    expect(await hookProcess(world, "SessionStart", stdin)).toEqual(SILENT);
    expect((await failuresIn(world)).join("\n")).toContain(code);
  });

  it("an unknown event, and an unknown host", async () => {
    const world = temporaryWorld(RULE);
    expect(await hookProcess(world, "NoSuchEvent")).toEqual(SILENT);
    expect(await hookProcess(world, "SessionStart", {}, "claude")).toEqual(SILENT);
    const failures = (await failuresIn(world)).join("\n");
    for (const code of ["unknown-event", "unknown-host"]) expect(failures).toContain(code);
  });

  it.skipIf(process.execve === undefined).each([
    ["a socket, as Node hosts have it", ""],
    ["a socket with half of a payload", '{"session_id":'],
  ])("stdin that is never closed, %s: the process ends all the same", async (_, half) => {
    const world = temporaryWorld(RULE);
    const child = spawn(process.execPath, [CONTINUO, "hook", "claude-code", "SessionStart"], world);
    child.stdin.write(half);
    await expectEnd(world, child);
  });

  it.skipIf(process.execve === undefined)(
    "stdin that is never closed, a pipe: the process ends all the same",
    async () => {
      const world = temporaryWorld(RULE);
      const fifo = join(world.root, "pipe");
      execFileSync("mkfifo", [fifo]);
      const both = openSync(fifo, "r+"); // somebody may write to it as long as this is open
      const stdin = openSync(fifo, "r");
      onTestFinished(() => [both, stdin].forEach(closeSync));
      const child = spawn(process.execPath, [CONTINUO, "hook", "claude-code", "SessionStart"], {
        ...world,
        stdio: [stdin, "pipe", "pipe"],
      });
      await expectEnd(world, child);
    },
  );

  async function expectEnd(world: World, child: ChildProcess): Promise<void> {
    const hung = setTimeout(() => child.kill("SIGKILL"), 40_000);
    expect(await finished(child)).toEqual(SILENT);
    clearTimeout(hung);
    expect(await doctor(world)).toMatch(/moment-late|payload-late/);
  }
});

describe.skipIf(process.platform === "win32")("the hook in a folder that was deleted", () => {
  const inGoneFolder = ({ root, env }: World, args: string, payload: object) => {
    const gone = join(root, "gone");
    mkdirSync(gone);
    const command = `cd "$1" && rmdir "$1" && exec "$2" "$3" ${args}`;
    const child = spawn("sh", ["-c", command, "sh", gone, process.execPath, CONTINUO], { env });
    child.stdin.end(JSON.stringify({ session_id: "s1", ...payload }));
    return finished(child);
  };

  it("takes the folder that the payload names: rules are delivered, a trusted guard is asked", async () => {
    const world = temporaryWorld({
      ...RULE,
      ".continuo/rules/g.md": '---\nguard: { action: deny, tool: Bash, match: "pwd" }\n---\nNo pwd.\n',
    });
    const trusted = await runInProcess(["rules", "trust", "--yes"], {
      env: world.env,
      cwd: world.root,
    });
    expect(trusted.code).toBe(0);
    const cwd = world.root;
    const started = await inGoneFolder(world, "hook claude-code SessionStart", { cwd, source: "startup" });
    expect(started).toMatchObject({ code: 0, stderr: "" });
    expect(started.stdout).toContain("Rule A.");
    const tool = { tool_name: "Bash", tool_input: { command: "pwd" } };
    const judged = await inGoneFolder(world, "hook claude-code PreToolUse", { cwd, ...tool });
    expect(judged).toMatchObject({ code: 0, stderr: "" });
    expect(judged.stdout).toContain("deny");
  });

  it("without a folder in the payload: ends with 0, and the user's rules are delivered", async () => {
    const world = temporaryWorld();
    write(world.home.root, { "rules/mine.md": "My own rule." });
    const done = await inGoneFolder(world, "hook claude-code SessionStart", { source: "startup" });
    expect(done).toMatchObject({ code: 0, stderr: "" });
    expect(done.stdout).toContain("My own rule.");
  });

  it("other commands: doctor still answers", async () => {
    expect((await inGoneFolder(temporaryWorld(), "doctor --verbose", {})).stdout).toContain("runtime");
  });
});

describe("the hook in a crowd", () => {
  it("eighty processes at once: each exits 0, every file is whole, each session gets its rules once", async () => {
    const world = temporaryWorld(RULE);
    const runs = Array.from({ length: 80 }, (_, i) =>
      hookProcess(world, i % 4 === 0 ? "SessionStart" : "UserPromptSubmit", {
        session_id: `s${i % 10}`,
        source: "startup",
        prompt: "hi",
      }),
    );
    const done = await Promise.all(runs);
    expect(done.every((one) => one.code === 0 && one.stderr === "")).toBe(true);
    const texts = done.map((one) => one.stdout).filter((text) => text !== "");
    const sessions = readdirSync(join(world.home.state, "claude-code"));
    for (const name of sessions)
      JSON.parse(readFileSync(join(world.home.state, "claude-code", name), "utf8"));
    expect(sessions.every((name) => name.endsWith(".json"))).toBe(true);
    expect(texts.length).toBe(sessions.length);
    const late = (await doctor(world)).match(/moment-late|lock-busy|payload-late/g) ?? [];
    if (late.length === 0) expect(sessions).toHaveLength(10);
  }, 120_000);

  it("a clock that goes backwards changes nothing", async () => {
    const world = temporaryWorld(RULE);
    const clock = join(world.root, "clock.cjs");
    const start = async (year: number, source: string) => {
      const env = { ...world.env, CLOCK: String(Date.UTC(year, 0)), NODE_OPTIONS: `--require ${clock}` };
      return (await hookProcess({ ...world, env }, "SessionStart", { source })).stdout;
    };
    writeFileSync(clock, "const t = Number(process.env.CLOCK); Date.now = () => t;");
    const first = await start(2030, "startup");
    expect(first).toContain("Rule A.");
    const contextIn = (stdout: string) => JSON.parse(stdout).hookSpecificOutput;
    expect(contextIn(await start(2020, "resume"))).toEqual(contextIn(first));
    expect(await start(2021, "compact")).toContain("Rule A.");
    expect(statSync(join(world.home.state, "claude-code", "s1.json")).isFile()).toBe(true);
  });
});
