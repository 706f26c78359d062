import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { lineTransport } from "../../../src/hosts/mcp/transport.ts";
import { CONTINUO } from "../../support/child.ts";
import { temporaryWorld } from "../../support/world.ts";
import { startServer } from "./server.ts";

/** What a client can get wrong, and the code of the answer. */
const MALFORMED: readonly (readonly [string, Readonly<Record<string, unknown>>, number])[] = [
  ["params that are a list", { jsonrpc: "2.0", method: "tools/list", params: [] }, -32602],
  ["params that are a text", { jsonrpc: "2.0", method: "tools/list", params: "all" }, -32602],
  ["params that are null", { jsonrpc: "2.0", method: "tools/list", params: null }, -32602],
  ["metadata that is a text", { jsonrpc: "2.0", method: "tools/list", params: { _meta: "x" } }, -32602],
  ["a method that is a number", { jsonrpc: "2.0", method: 7, params: {} }, -32600],
  ["no method", { jsonrpc: "2.0" }, -32600],
  ["another version", { jsonrpc: "1.0", method: "tools/list" }, -32600],
  ["no version", { method: "tools/list" }, -32600],
  ["a key that is not in the protocol", { jsonrpc: "2.0", method: "tools/list", extra: 1 }, -32600],
  ["a method and a result", { jsonrpc: "2.0", method: "tools/list", result: {} }, -32600],
];

/** The transport alone: what it sends, and which messages go through. */
function connected() {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const transport = lineTransport(input, output, 1_000);
  const [received, errors, sent]: [unknown[], string[], unknown[]] = [[], [], []];
  let isClosed = false;
  transport.onmessage = (message) => void received.push(message);
  transport.onerror = (error) => void errors.push(error.message);
  transport.onclose = () => {
    isClosed = true;
  };
  output.on("data", (chunk: Buffer) => {
    for (const line of chunk.toString().trim().split("\n")) sent.push(JSON.parse(line));
  });
  void transport.start();
  const settled = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  return {
    received,
    errors,
    sent,
    isClosed: () => isClosed,
    async write(...chunks: readonly (string | Buffer)[]) {
      for (const chunk of chunks) input.write(chunk);
      await settled();
    },
  };
}

describe("a JSON-RPC request that is not well-formed", () => {
  it.each(MALFORMED)("gets an error with its id: %s", async (_what, request, code) => {
    for (const id of [1, "a", 0, ""]) {
      const { write, sent, received, errors } = connected();
      await write(`${JSON.stringify({ ...request, id })}\n`);
      expect(sent).toEqual([{ jsonrpc: "2.0", id, error: { code, message: expect.any(String) } }]);
      expect(received).toEqual([]);
      expect(errors).toEqual(["received a message that is no proper JSON-RPC message"]);
    }
  });

  it("gets an error for each request of a list, because the protocol has no lists any more", async () => {
    const { write, sent } = connected();
    const ping = (id: number) => ({ jsonrpc: "2.0", id, method: "ping" });
    await write(`${JSON.stringify([ping(1), { jsonrpc: "2.0", method: "a/notification" }, ping(2)])}\n`);
    expect(sent).toMatchObject([
      { id: 1, error: { code: -32600, message: expect.stringContaining("a line of its own") } },
      { id: 2, error: { code: -32600 } },
    ]);
  });

  it("gets none if it names no request, or is an answer", async () => {
    const { write, sent, received } = connected();
    const lines = [
      '{"hello": "world"}',
      '{"jsonrpc": "2.0", "method": "a/notification", "params": []}',
      '{"jsonrpc": "2.0", "id": 1, "result": "a text"}',
      '{"jsonrpc": "2.0", "id": 1, "error": "a text"}',
      '{"jsonrpc": "2.0", "id": {"a": 1}, "method": "ping"}',
      "no JSON {",
      "[]",
      "null",
      "",
    ];
    await write(`${lines.join("\n")}\n`);
    expect({ sent, received }).toEqual({ sent: [], received: [] });
  });
});

describe("the lines of the MCP server's transport", () => {
  it("are messages, wherever the stream is cut", async () => {
    const messages = ["é\u{1f600}", "b", "c"].map((text, id) => ({
      jsonrpc: "2.0",
      id,
      method: "ping",
      params: { text },
    }));
    const bytes = Buffer.from(messages.map((one) => `${JSON.stringify(one)}\r\n`).join(""));
    for (const step of [1, 2, 7, bytes.length]) {
      const { write, received } = connected();
      const pieces = Array.from({ length: Math.ceil(bytes.length / step) }, (_, i) =>
        bytes.subarray(i * step, (i + 1) * step),
      );
      await write(...pieces);
      expect(received).toEqual(messages);
    }
  });

  it("end the connection if one has no end, but not if many are long together", async () => {
    const long = connected();
    await long.write(`"${"x".repeat(600)}"\n"${"x".repeat(600)}"\n`);
    expect(long.isClosed()).toBe(false);
    await long.write("x".repeat(600), "x".repeat(600));
    expect(long.isClosed()).toBe(true);
    expect(long.errors.at(-1)).toContain("maximum size");
  });
});

describe("the MCP server", () => {
  it("answers every request with an id, whatever else is in it", async () => {
    const { root, env } = temporaryWorld();
    const server = startServer(CONTINUO, env, root);
    await server.initialize();
    const methods = [
      "tools/list",
      "tools/call",
      "prompts/get",
      "resources/read",
      "ping",
      "no/such",
      "__proto__",
    ];
    const others = ["completion/complete", "server/discover", "initialize", "subscriptions/listen", 3];
    const params = [undefined, null, 7, "x", [], {}, { name: 3 }, { _meta: 1 }, { uri: "x://y" }];
    const extras = [{}, { jsonrpc: "1.0" }, { extra: 1 }, { result: {} }];
    const kinds = [...methods, ...others].flatMap((method) =>
      params.flatMap((given) => extras.map((extra) => ({ method, params: given, ...extra }))),
    );
    const asked = kinds.map((kind, i) => ({ jsonrpc: "2.0", id: 1_000 + i, ...kind }));
    const answered = new Set<number>();
    let rest = "";
    server.child.stdout.on("data", (chunk: Buffer) => {
      const lines = (rest + chunk.toString()).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) answered.add((JSON.parse(line) as { id: number }).id);
    });
    for (const request of asked) server.sendLine(JSON.stringify(request));
    const open = () => asked.filter(({ id }) => !answered.has(id));
    await expect.poll(open, { timeout: 30_000 }).toEqual([]);
  });
});
