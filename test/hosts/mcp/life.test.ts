import { spawn } from "node:child_process";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { withLock } from "../../../src/store/lock.ts";
import { isRunning } from "../../../src/store/running.ts";
import { CONTINUO } from "../../support/child.ts";
import { quickest } from "../../support/quickest.ts";
import { temporaryWorld } from "../../support/world.ts";
import { startServer } from "./server.ts";

const SECOND_MS = 1_000;
const PING = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" });

describe("the MCP server's life", () => {
  it("ends within a second of its stdin, used or not", async () => {
    for (const isUsed of [true, false]) {
      const { root, env } = temporaryWorld();
      const end = async () => {
        const server = startServer(CONTINUO, env, root);
        if (isUsed) await server.initialize();
        // An unused one may still be starting: that is no part of the second.
        else await sleep(500);
        const before = Date.now();
        server.child.stdin.end();
        const { code, stderr } = await server.ended;
        const took = Date.now() - before;
        expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
        return took;
      };
      expect(await quickest(SECOND_MS, end)).toBeLessThan(SECOND_MS);
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
        let isAnswered = false;
        const call = server.call("set_relevant_context", { setName: "ports", items: ["1"] });
        void call.then(() => {
          isAnswered = true;
        });
        await server.request("ping"); // it has read the call
        server.child.stdin.end();
        await server.ended;
        // A server that waited would have said in the end that the lock is taken.
        expect(isAnswered).toBe(false);
      },
    );
    await whileHeld();
  });

  it.skipIf(process.platform === "win32")("ends at once when it is told to by a signal", async () => {
    for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) {
      const { root, env } = temporaryWorld();
      const end = async () => {
        const server = startServer(CONTINUO, env, root);
        await server.initialize();
        const before = Date.now();
        server.child.kill(signal);
        await server.ended;
        const took = Date.now() - before;
        expect(server.child.signalCode).toBe(signal);
        return took;
      };
      expect(await quickest(SECOND_MS, end), signal).toBeLessThan(SECOND_MS);
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
      child.stdin.write('${PING}\\n');`;
    expect(await quickest(SECOND_MS, () => goneAfterParent(code))).toBeLessThan(SECOND_MS);
  });

  it.skipIf(process.platform === "win32")(
    "ends when its parent is killed and another program holds its stdin open",
    async () => {
      // The server has begun once it has answered, which is read from a file: no pipe of its tells it of the parent's end.
      const code = `
        const { openSync, statSync } = require("node:fs");
        execFileSync("mkfifo", ["in"]);
        const holder = spawn("sh", ["-c", ${JSON.stringify(`exec 3<>in; echo '${PING}' >&3; exec sleep 600`)}], { stdio: "ignore" });
        const stdio = [openSync("in", "r"), openSync("out", "w"), "ignore"];
        const child = spawn(process.execPath, [${JSON.stringify(CONTINUO)}, "mcp"], { stdio });
        const waiting = setInterval(() => {
          if (statSync("out").size === 0) return;
          clearInterval(waiting);
          console.log(child.pid, holder.pid);
        }, 20);`;
      expect(await quickest(4 * SECOND_MS, () => goneAfterParent(code))).toBeLessThan(4 * SECOND_MS);
    },
  );
});

/** Runs a parent that prints the numbers of its children, kills it, and measures how long the first child stays. */
async function goneAfterParent(code: string): Promise<number> {
  const { root, env } = temporaryWorld();
  const prelude = 'const { execFileSync, spawn } = require("node:child_process");';
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
