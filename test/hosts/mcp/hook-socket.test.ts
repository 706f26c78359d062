import { spawn } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { type AnswerCall, listenForHooks, type SocketCall } from "../../../src/hosts/mcp/hook-socket.ts";
import { ASK as ASK_FILE, SOCKETS } from "../../../src/hosts/names.ts";
import { hookCommand } from "../../../src/hosts/shared/install/hook-command.ts";
import { finished, ROOT } from "../../support/child.ts";
import { WIRING } from "../../support/wiring.ts";
import { temporaryWorld } from "../../support/world.ts";

const PERL = "/usr/bin/perl";
const ASK = join(ROOT, "src", "entries", ASK_FILE);
const PAYLOAD = '{"session_id":"s1","prompt":"naïve \\u0000 ☃"}\n';

function place() {
  const { home } = temporaryWorld();
  const folder = join(home.root, SOCKETS);
  const path = join(folder, String(process.pid));
  /** Asks as a hook command does, and says what the server could not be asked for. */
  const ask = async (payload = PAYLOAD, path_ = path) => {
    mkdirSync(home.root, { recursive: true });
    const script = join(home.root, "continuo.cjs");
    writeFileSync(script, "process.stdin.pipe(process.stdout)");
    const words = [script, "hook", "codex", "PostToolUse"];
    const child = spawn(PERL, [ASK, path_, process.execPath, ...words], {
      env: { PATH: process.env["PATH"], WORD: "a=b\nc" },
    });
    child.stdin.on("error", () => undefined);
    child.stdin.end(payload);
    const { code, stdout } = await finished(child);
    return { code, stdout };
  };
  return { home, folder, path, ask };
}

/** Waits until the socket is there. */
async function listening(here: ReturnType<typeof place>, answer: AnswerCall): Promise<() => void> {
  const stop = listenForHooks(here.home, process.pid, answer);
  onTestFinished(stop);
  await expect.poll(() => existsSync(here.path)).toBe(true);
  return stop;
}

/** Another program at the socket's place. */
async function squatter({ folder, path }: ReturnType<typeof place>, on: Parameters<typeof createServer>[1]) {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const server: Server = createServer(on);
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(path, resolve));
}

const NOT_ASKED = { code: 1, stdout: "" };

describe.skipIf(process.platform === "win32" || !existsSync(PERL))("a hook that asks the server", () => {
  it("hands over its event, environment and payload, and prints the answer as it is", async () => {
    const here = place();
    const calls: SocketCall[] = [];
    await listening(here, async (call) => {
      calls.push(call);
      return '{"text":"☃"}\n\n';
    });
    expect(await here.ask()).toEqual({ code: 0, stdout: '{"text":"☃"}\n\n' });
    expect(calls.map(({ host, event }) => `${host} ${event}`)).toEqual(["codex PostToolUse"]);
    expect(calls[0]?.payload.toString()).toBe(PAYLOAD);
    expect(calls[0]?.env["WORD"]).toBe("a=b\nc");
    const large = "x".repeat(3_000_000);
    await here.ask(large);
    expect(calls[1]?.payload.length).toBe(large.length);
    expect(await here.ask("")).toMatchObject({ code: 0 });
  });

  it("reads nothing where no server answers: none, one that has ended, one that stands still, another program", async () => {
    const none = place();
    expect(await none.ask()).toEqual(NOT_ASKED);
    const ended = place();
    mkdirSync(ended.folder, { recursive: true, mode: 0o700 });
    const leave = `require("net").createServer().listen(${JSON.stringify(ended.path)},()=>process.kill(process.pid,"SIGKILL"))`;
    await finished(spawn(process.execPath, ["-e", leave]));
    expect(existsSync(ended.path)).toBe(true);
    expect(await ended.ask()).toEqual(NOT_ASKED);
    const still = place();
    await squatter(still, () => undefined);
    expect(await still.ask()).toEqual(NOT_ASKED);
    const other = place();
    await squatter(other, (socket) => void socket.end("220 mail ready\n"));
    expect(await other.ask()).toEqual(NOT_ASKED);
    const elsewhere = place();
    await squatter(elsewhere, (socket) => void socket.write("continuo 1 pid:[1]\n"));
    expect(await elsewhere.ask()).toEqual(NOT_ASKED);
  });

  it("asks nobody in a folder that others may write to, and the server listens in none", async () => {
    const here = place();
    await listening(here, async () => "{}");
    chmodSync(here.folder, 0o777);
    expect(await here.ask()).toEqual(NOT_ASKED);
    const stop = listenForHooks(here.home, process.pid + 1, async () => "{}");
    onTestFinished(stop);
    expect(readdirSync(here.folder)).toEqual([String(process.pid)]);
  });

  it("starts its process, with what it has read, if the server ends or refuses before it has answered", async () => {
    const here = place();
    await listening(here, () => Promise.reject(new Error("it ended")));
    expect(await here.ask()).toEqual({ code: 0, stdout: PAYLOAD });
    const tooLarge = "x".repeat(8 * 1024 * 1024 + 1);
    expect((await here.ask(tooLarge)).stdout.length).toBe(tooLarge.length);
  });

  it("tells the work when the host does not wait any longer", async () => {
    const here = place();
    const begun = Promise.withResolvers<AbortSignal>();
    await listening(here, (_, signal) => {
      begun.resolve(signal);
      return new Promise<string>(() => undefined);
    });
    const child = spawn(PERL, [ASK, here.path, process.execPath, "x.cjs", "hook", "codex", "Stop"]);
    child.stdin.end(PAYLOAD);
    const signal = await begun.promise;
    expect(signal.aborted).toBe(false);
    child.kill("SIGKILL");
    await expect.poll(() => signal.aborted).toBe(true);
  });

  it("starts its process, which is the new one, when the server's package was replaced", async () => {
    const here = place();
    let isReplaced = false;
    const answer = async () => "old";
    onTestFinished(listenForHooks(here.home, process.pid, answer, () => isReplaced));
    await expect.poll(() => existsSync(here.path)).toBe(true);
    expect((await here.ask()).stdout).toBe("old");
    isReplaced = true;
    expect(await here.ask()).toEqual(NOT_ASKED);
    expect(existsSync(here.path)).toBe(false);
  });

  it("leaves a socket that another server has put in its place, and removes its own", async () => {
    const here = place();
    const stopFirst = await listening(here, async () => "first");
    const { ino } = statSync(here.path);
    const stopSecond = listenForHooks(here.home, process.pid, async () => "second");
    await expect.poll(() => statSync(here.path).ino).not.toBe(ino);
    stopFirst();
    expect((await here.ask()).stdout).toBe("second");
    stopSecond();
    expect(existsSync(here.path)).toBe(false);
  });

  it("leaves no sockets of host processes that have ended, and opens none where the path would be too long", async () => {
    const here = place();
    mkdirSync(here.folder, { recursive: true, mode: 0o700 });
    writeFileSync(join(here.folder, "999999999"), "");
    await listening(here, async () => "{}");
    expect(readdirSync(here.folder)).toEqual([String(process.pid)]);
    const long = { ...here.home, root: join(here.home.root, "x".repeat(100)) };
    expect(() => listenForHooks(long, process.pid, async () => "{}")()).not.toThrow();
    expect(readdirSync(join(long.root, SOCKETS))).toEqual([]);
  });
});

describe.skipIf(process.platform === "win32" || !existsSync(PERL)).each(["/bin/sh", "bash"])(
  "a wired command in %s",
  (shell) => {
    /** As a host runs it. The process that it would start says so, and what it has read. */
    async function run(
      { home, folder }: ReturnType<typeof place>,
      scriptFolder = join(ROOT, "src", "entries"),
    ) {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      const runtime = join(home.root, "it's a node");
      writeFileSync(runtime, `#!/bin/sh\nprintf '{"process":'; cat; printf '}'\n`, { mode: 0o755 });
      const wiring = { ...WIRING, runtime, script: join(scriptFolder, "continuo.cjs") };
      const command = hookCommand("codex", wiring, "PostToolUse", { asks: true });
      const child = spawn(shell, ["-c", command], {
        env: { PATH: process.env["PATH"], HOME: home.root, CONTINUO_HOME: home.root },
      });
      child.stdin.on("error", () => undefined);
      child.stdin.end("{}");
      return finished(child);
    }
    const said = (stdout: string) => ({ code: 0, stdout, stderr: "" });

    it("asks the server of the host's process, and starts no process besides", async () => {
      const here = place();
      const calls: string[] = [];
      await listening(here, async ({ host, event }) => {
        calls.push(`${host} ${event}`);
        return '{"server":{}}';
      });
      expect(await run(here)).toEqual(said('{"server":{}}'));
      expect(calls).toEqual(["codex PostToolUse"]);
    });

    it("is silent when the server has nothing to say", async () => {
      const here = place();
      await listening(here, async () => "");
      expect(await run(here)).toEqual(said(""));
    });

    it("starts its process without a socket, in an open folder, and where the asking program is gone", async () => {
      const here = place();
      const fromProcess = said('{"process":{}}');
      expect(await run(here)).toEqual(fromProcess);
      await listening(here, async () => '{"server":{}}');
      expect(await run(here, join(here.home.root, "gone"))).toEqual(fromProcess);
      chmodSync(here.folder, 0o770);
      expect(await run(here)).toEqual(fromProcess);
    });
  },
);
