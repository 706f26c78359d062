/**
 * A living process that answers hooks over Unix sockets that only their owner can open: one plain, one with HTTP for curl.
 * `node living.ts PLAIN HTTP`. It prints a line when it listens. An experiment, no part of the product.
 */
import { chmodSync } from "node:fs";
import { createServer as createHttpServer } from "node:http";
import { createServer } from "node:net";
import { HOOK_HOSTS, loadHistory } from "../../../src/hosts/index.ts";
import { parsePayload } from "../../../src/hosts/shared/hook/payload.ts";
import { runHook } from "../../../src/hosts/shared/hook/run-hook.ts";
import { SOURCES } from "../../../src/sources/index.ts";

const [, , plain = "", http = ""] = process.argv;
process.umask(0o077);

function answer(event: string, payload: Buffer): Promise<string> {
  return runHook({
    host: "claude-code",
    event,
    env: process.env,
    cwd: process.cwd(),
    now: Date.now,
    hosts: HOOK_HOSTS,
    sources: SOURCES,
    history: loadHistory,
    readPayload: async () => parsePayload(payload),
  });
}

const server = createServer({ allowHalfOpen: true }, async (socket) => {
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk as Buffer);
  const whole = Buffer.concat(chunks);
  const end = whole.indexOf(10);
  socket.end(await answer(whole.subarray(0, end).toString(), whole.subarray(end + 1)));
});
const web = createHttpServer(async (incoming, outgoing) => {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  outgoing.end(await answer((incoming.url ?? "").slice(1), Buffer.concat(chunks)));
});
await new Promise<void>((resolve) => server.listen(plain, resolve));
await new Promise<void>((resolve) => web.listen(http, resolve));
for (const path of [plain, http]) chmodSync(path, 0o600);
console.log(JSON.stringify({ listening: true }));
process.stdin.on("end", () => process.exit(0)).resume();
