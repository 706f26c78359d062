import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { onTestFinished } from "vitest";
import { finished, ROOT } from "../../support/child.ts";

/** Bundles a server with other capabilities than the registered ones. */
export async function bundledServer(folder: string, contents: string): Promise<string> {
  const outfile = join(folder, "mcp.cjs");
  await build({
    stdin: { contents, resolveDir: ROOT, loader: "ts" },
    absWorkingDir: ROOT,
    bundle: true,
    minify: true,
    platform: "node",
    target: "node20",
    format: "cjs",
    mainFields: ["module", "main"],
    external: ["node:sqlite", "bun:sqlite"],
    alias: { "@modelcontextprotocol/server/_shims": "./src/hosts/mcp/sdk-shims.ts" },
    logLevel: "warning",
    outfile,
  });
  return outfile;
}

export interface Answer {
  readonly id: number;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** What the client says to a request of the server's; undefined says nothing. */
export type AnswerToServer = (request: {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}) => object | undefined;

/** A server process and a client that writes lines to it. */
export function startServer(
  script: string,
  env: NodeJS.ProcessEnv,
  cwd: string,
  answerToServer?: AnswerToServer,
) {
  const child = spawn(process.execPath, [script, "mcp"], { env, cwd });
  const ended = finished(child);
  child.stdin.on("error", () => undefined); // it may be gone by then: the tests look at how it ended
  const waiting = new Map<number, (answer: Answer) => void>();
  const decoder = new TextDecoder();
  let [rest, count] = ["", 0];
  child.stdout.on("data", (chunk: Buffer) => {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      // Throws where anything but the protocol is printed.
      const answer = JSON.parse(line) as Answer & Parameters<AnswerToServer>[0];
      if (answer.method !== undefined) {
        const said = answerToServer?.(answer);
        if (said !== undefined) sendLine(JSON.stringify({ jsonrpc: "2.0", id: answer.id, ...said }));
        continue;
      }
      waiting.get(answer.id)?.(answer);
    }
  });
  onTestFinished(() => void child.kill("SIGKILL"));

  const sendLine = (line: string) => void child.stdin.write(`${line}\n`);
  function request(method: string, params: object = {}): Promise<Answer> {
    const id = ++count;
    const answer = new Promise<Answer>((resolve) => waiting.set(id, resolve));
    sendLine(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
    return answer;
  }
  return {
    child,
    ended,
    sendLine,
    /** The id of the last request. */
    count: () => count,
    request,
    call: (name: string, args: unknown, meta?: object) =>
      request("tools/call", { name, arguments: args, ...(meta === undefined ? {} : { _meta: meta }) }),
    async initialize(
      protocolVersion = "2025-11-25",
      name = "test",
      capabilities: object = {},
    ): Promise<Answer> {
      const clientInfo = { name, version: "1" };
      const answer = await request("initialize", { protocolVersion, capabilities, clientInfo });
      sendLine(JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" }));
      return answer;
    },
  };
}

/** Peak of the memory that a process really used, in megabytes. */
export function peakMegabytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024;
}

export function textOf({ result }: Answer): string {
  const content = result?.["content"] as { text: string }[] | undefined;
  return content?.map((one) => one.text).join("\n") ?? "";
}
