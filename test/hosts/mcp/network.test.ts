import { spawn, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { writeSession } from "../../sources/sessions/written.ts";
import { CONTINUO, finished } from "../../support/child.ts";
import { temporaryFolder, temporaryWorld } from "../../support/world.ts";

/** Elsewhere than on Linux, or where tracing is not allowed, there is nothing to look through. */
const { status } = spawnSync("strace", ["-f", "-o", "/dev/null", "true"]);
const reason = status === 0 ? "" : " (skipped: strace is not here, or may not trace)";

const REQUESTS = [
  [
    "initialize",
    { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } },
  ],
  [
    "tools/call",
    { name: "set_relevant_context", arguments: { setName: "endpoints", items: ["http://localhost:1"] } },
  ],
  ["resources/list", {}],
  ["resources/read", { uri: "rules://tests" }],
  ["prompts/get", { name: "why" }],
  ["tools/call", { name: "query_session", arguments: { session: "last", question: "why retry?" } }],
] as const;

describe.skipIf(reason !== "")(`the MCP server's network${reason}`, () => {
  it("is not used: its only socket is the one below its home that hooks ask", async () => {
    const { root, env } = temporaryWorld({ ".continuo/rules/tests.md": "Run the tests." });
    const said = ["Why do we retry?", "Because the gateway is slow."];
    writeSession(String(env["HOME"]), root, { id: "11111111-0000-4000-8000-000000000001", said });
    const bare =
      "process.stdin.resume(); require('node:net').connect(9, '127.0.0.1').on('error', () => process.exit())";
    expect(await networkCalls(["-e", bare], env, root), "the trace sees a connection").toContain("connect(");
    const calls = (await networkCalls([CONTINUO, "mcp"], env, root)).split("\n");
    // A Unix socket is no network: it is a file that only this user can open.
    const elsewhere = calls.filter(
      (call) =>
        !/\b(socket\(AF_UNIX|listen\(|bind\(\d+, \{sa_family=AF_UNIX, sun_path="[^"]+\/sockets\/)/.test(call),
    );
    expect(elsewhere.join("\n")).toBe("");
  });
});

/** What a process asked of the network, apart from looking at the pipes that it was started with. */
async function networkCalls(args: readonly string[], env: NodeJS.ProcessEnv, cwd: string): Promise<string> {
  const log = join(temporaryFolder(), "trace");
  const child = spawn("strace", ["-f", "-e", "trace=network", "-o", log, process.execPath, ...args], {
    env,
    cwd,
  });
  const ended = finished(child);
  child.stdin.on("error", () => undefined);
  for (const [id, [method, params]] of REQUESTS.entries()) {
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
  }
  let answers = 0;
  child.stdout.on("data", (chunk: Buffer) => {
    answers += chunk.toString().split("\n").length - 1;
    if (answers === REQUESTS.length) child.stdin.end();
  });
  await ended;
  if (args[0] === CONTINUO) expect(answers).toBe(REQUESTS.length);
  const lines = readFileSync(log, "utf8").split("\n");
  return lines.filter((line) => /\b(socket|connect|bind|listen|sendto|sendmsg)\(/.test(line)).join("\n");
}
