import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { CONTINUO } from "../../support/child.ts";
import { temporaryWorld } from "../../support/world.ts";

const INITIALIZE = {
  method: "initialize",
  params: {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "claude-code", version: "2.1.325" },
  },
};

/** The server as Claude Code starts it, and what it answers. */
function started(more: Record<string, string> = { CLAUDECODE: "1" }) {
  const world = temporaryWorld();
  const child = spawn(process.execPath, [CONTINUO, "mcp"], {
    cwd: world.root,
    env: { ...world.env, ...more },
    stdio: ["pipe", "pipe", "ignore"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let text = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk;
  });
  let id = 0;
  const ended = new Promise<number | null>((resolve) => child.on("exit", (code) => resolve(code)));
  return {
    child,
    ended,
    async ask(request: object): Promise<Record<string, unknown>> {
      child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: ++id, ...request })}\n`);
      for (;;) {
        const line = text.split("\n").find((one) => one.includes(`"id":${id}`));
        if (line !== undefined) return JSON.parse(line);
        await sleep(10);
      }
    },
  };
}

/** The server's process below the one that the host started. */
function workerOf({ pid = 0 }: ChildProcess): number | undefined {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ");
  return Number(children[0]) || undefined;
}

async function nextWorker(child: ChildProcess, before?: number): Promise<number> {
  for (;;) {
    const found = workerOf(child);
    if (found !== undefined && found !== before) return found;
    await sleep(10);
  }
}

const LIST = { method: "tools/list", params: {} };

describe.skipIf(process.platform !== "linux")("the MCP server that Claude Code starts", () => {
  it("is started again on the same pipes when it is killed, and answers without a new handshake", async () => {
    const { child, ask, ended } = started();
    await ask(INITIALIZE);
    let worker = await nextWorker(child);
    for (let i = 0; i < 2; i++) {
      process.kill(worker, "SIGKILL");
      expect(await ask(LIST)).toHaveProperty("result.tools");
      worker = await nextWorker(child, worker);
    }
    child.stdin?.end();
    expect(await ended).toBe(0);
  });

  it("ends with a signal from the host, and its shell with it", async () => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) {
      const { child, ask, ended } = started();
      await ask(INITIALIZE);
      const worker = await nextWorker(child);
      child.kill(signal);
      await ended;
      await expect.poll(() => isRunning(worker)).toBe(false);
    }
  });

  it("ends when the shell is killed", async () => {
    const { child, ask } = started();
    await ask(INITIALIZE);
    const worker = await nextWorker(child);
    child.kill("SIGKILL");
    await expect.poll(() => isRunning(worker)).toBe(false);
  });

  it("is the host's own child in every other host", async () => {
    const { child, ask } = started({});
    await ask(INITIALIZE);
    expect(workerOf(child)).toBeUndefined();
    expect(readFileSync(`/proc/${child.pid}/cmdline`, "utf8")).toMatch(/continuo\.cjs/);
  });
});

function isRunning(id: number): boolean {
  try {
    return process.kill(id, 0);
  } catch {
    return false; // it has ended
  }
}
