import { spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { onTestFinished } from "vitest";
import { CONTINUO } from "./child.ts";
import { temporaryWorld } from "./world.ts";

export const INITIALIZE = {
  method: "initialize",
  params: {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "claude-code", version: "2.1.325" },
  },
};

/** The built server, as Claude Code starts it unless `more` is empty, and what it answers. */
export function startMcpProcess({
  world = temporaryWorld(),
  more = { CLAUDECODE: "1" },
  script = CONTINUO,
}: {
  readonly world?: ReturnType<typeof temporaryWorld>;
  readonly more?: Readonly<Record<string, string>>;
  readonly script?: string;
} = {}) {
  const child = spawn(process.execPath, [script, "mcp"], {
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
