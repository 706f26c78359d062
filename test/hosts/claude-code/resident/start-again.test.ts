import type { ChildProcess } from "node:child_process";
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { isRunning } from "../../../../src/store/running.ts";
import { INITIALIZE, startMcpProcess } from "../../../support/mcp-process.ts";

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
    const { child, ask, ended } = startMcpProcess();
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
      const { child, ask, ended } = startMcpProcess();
      await ask(INITIALIZE);
      const worker = await nextWorker(child);
      child.kill(signal);
      await ended;
      await expect.poll(() => isRunning(worker)).toBe(false);
    }
  });

  it("ends when the shell is killed", async () => {
    const { child, ask } = startMcpProcess();
    await ask(INITIALIZE);
    const worker = await nextWorker(child);
    child.kill("SIGKILL");
    await expect.poll(() => isRunning(worker)).toBe(false);
  });

  it("is the host's own child in every other host", async () => {
    const { child, ask } = startMcpProcess({ more: {} });
    await ask(INITIALIZE);
    expect(workerOf(child)).toBeUndefined();
    expect(readFileSync(`/proc/${child.pid}/cmdline`, "utf8")).toMatch(/continuo\.cjs/);
  });
});
