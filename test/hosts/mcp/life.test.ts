import { spawn } from "node:child_process";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { withLock } from "../../../src/store/lock.ts";
import { CONTINUO } from "../../support/child.ts";
import { temporaryWorld } from "../../support/world.ts";
import { isRunning, startServer } from "./server.ts";

describe("the MCP server's life", () => {
  it("ends within a second of its stdin, used or not", async () => {
    for (const isUsed of [true, false]) {
      const { root, env } = temporaryWorld();
      const server = startServer(CONTINUO, env, root);
      if (isUsed) await server.initialize();
      // An unused one may still be starting: that is no part of the second.
      else await sleep(500);
      const before = Date.now();
      server.child.stdin.end();
      const { code, stderr } = await server.ended;
      const took = Date.now() - before;
      expect(took).toBeLessThan(await aSecond());
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    }
  });

  it("ends although a tool is still waiting for a lock", async () => {
    const { root, env, home } = temporaryWorld();
    const server = startServer(CONTINUO, env, root);
    await server.initialize();
    const stripes = Array.from({ length: 64 }, (_, i) => join(home.locks, `meta-${i}`));
    const whileHeld = stripes.reduceRight(
      (inner: () => Promise<void>, lock) => () => withLock(lock, inner, { waitMs: 1_000 }),
      async () => {
        void server.call("set_relevant_context", { setName: "ports", items: ["1"] });
        await sleep(200);
        const before = Date.now();
        server.child.stdin.end();
        await server.ended;
        const took = Date.now() - before;
        expect(took).toBeLessThan(await aSecond());
      },
    );
    await whileHeld();
  });

  it.skipIf(process.platform === "win32")("ends at once when it is told to by a signal", async () => {
    for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) {
      const { root, env } = temporaryWorld();
      const server = startServer(CONTINUO, env, root);
      await server.initialize();
      const before = Date.now();
      server.child.kill(signal);
      await server.ended;
      const took = Date.now() - before;
      expect(took, signal).toBeLessThan(await aSecond());
      expect(server.child.signalCode).toBe(signal);
    }
  });

  it("ends quietly when nobody reads its answers any more", async () => {
    const { root, env } = temporaryWorld();
    const server = startServer(CONTINUO, env, root);
    await server.initialize();
    server.child.stdout.destroy();
    void server.request("tools/list");
    void server.request("tools/list");
    const { code, stderr } = await server.ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  });

  it.skipIf(process.platform === "win32")("ends when its parent is killed", async () => {
    const code = `
      const child = spawn(process.execPath, [${JSON.stringify(CONTINUO)}, "mcp"]);
      child.stdout.once("data", () => console.log(child.pid));
      child.stdin.write(${JSON.stringify(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" })}\n`)});`;
    expect(await goneAfterParent(code)).toBeLessThan(await aSecond());
  });

  it.skipIf(process.platform === "win32")(
    "ends when its parent is killed and another program holds its stdin open",
    async () => {
      const code = `
        const holder = spawn("sleep", ["30"], { stdio: ["ignore", "pipe", "ignore"] });
        const child = spawn(process.execPath, [${JSON.stringify(CONTINUO)}, "mcp"], { stdio: [holder.stdout, "ignore", "ignore"] });
        setTimeout(() => console.log(child.pid, holder.pid), 1000);`;
      expect(await goneAfterParent(code)).toBeLessThan(4 * (await aSecond()));
    },
  );
});

/** In milliseconds, where a process starts and ends within a tenth of that; longer on a machine that is busy right now. */
async function aSecond(): Promise<number> {
  const before = Date.now();
  const bare = spawn(process.execPath, ["-e", "0"]);
  await new Promise((resolve) => bare.on("exit", resolve));
  return Math.max(1_000, 10 * (Date.now() - before));
}

/** Runs a parent that prints the numbers of its children, kills it, and measures how long the first child stays. */
async function goneAfterParent(code: string): Promise<number> {
  const { root, env } = temporaryWorld();
  const prelude = 'const { spawn } = require("node:child_process");';
  const parent = spawn(process.execPath, ["-e", prelude + code], { env, cwd: root });
  onTestFinished(() => void parent.kill("SIGKILL"));
  const pids = await new Promise<number[]>((resolve) =>
    parent.stdout.once("data", (chunk: Buffer) => resolve(chunk.toString().trim().split(" ").map(Number))),
  );
  onTestFinished(() => {
    for (const pid of pids) if (isRunning(pid)) process.kill(pid, "SIGKILL");
  });
  const [pid = 0] = pids;
  expect(isRunning(pid)).toBe(true);
  parent.kill("SIGKILL");
  const from = Date.now();
  while (isRunning(pid) && Date.now() < from + 40_000) await sleep(20);
  return Date.now() - from;
}
