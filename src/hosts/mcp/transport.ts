import type { Readable, Writable } from "node:stream";
import {
  type JSONRPCMessage,
  ProtocolErrorCode,
  parseJSONRPCMessage,
  serializeMessage,
  type Transport,
} from "@modelcontextprotocol/server";
import { isRecord } from "../../base/json.ts";

const NEWLINE = 0x0a;

/**
 * MCP on two streams, one message per line. The SDK's own transport drops a malformed request, and its client then
 * waits until it times out; here it gets an error. Input that is not JSON gets no answer, because it names no request.
 */
export function lineTransport(input: Readable, output: Writable, maxBytes: number): Transport {
  let pieces: Buffer[] = []; // the beginning of a line that is not complete yet
  let size = 0;
  let isClosed = false;

  const transport: Transport = {
    async start() {
      // The stream may have ended before this, and then emits no more events.
      if (input.readableEnded || input.destroyed) setImmediate(close);
      input.on("data", read).on("error", report).on("end", close).on("close", close);
      output.on("error", (error) => {
        if (!isClosed) report(error);
        close();
      });
    },
    send: (message) =>
      new Promise((resolve, reject) => {
        if (isClosed) return reject(new Error("the connection is closed"));
        output.write(serializeMessage(message), (error) => (error ? reject(error) : resolve()));
      }),
    close: async () => close(),
  };
  const report = (error: Error) => transport.onerror?.(error);

  function close(): void {
    if (isClosed) return;
    isClosed = true;
    input.off("data", read).off("end", close).off("close", close).pause();
    pieces = [];
    transport.onclose?.();
  }

  function read(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0 && !isClosed; end = chunk.indexOf(NEWLINE, start)) {
      const line = Buffer.concat([...pieces, chunk.subarray(start, end)]).toString("utf8");
      pieces = [];
      size = 0;
      start = end + 1;
      receive(line);
    }
    size += chunk.length - start;
    pieces.push(chunk.subarray(start));
    if (size <= maxBytes || isClosed) return;
    report(new Error(`a message exceeds the maximum size of ${maxBytes} bytes`));
    close();
  }

  function receive(line: string): void {
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      return; // output of another program, such as a line printed by a shell's profile
    }
    let message: JSONRPCMessage;
    try {
      message = parseJSONRPCMessage(value);
    } catch {
      refuse(value);
      return;
    }
    try {
      transport.onmessage?.(message);
    } catch (error) {
      report(error instanceof Error ? error : new Error(String(error)));
    }
  }

  function refuse(value: unknown): void {
    report(new Error("received a message that is no proper JSON-RPC message"));
    // The protocol has no batches any more, so each request in one is refused.
    for (const one of Array.isArray(value) ? value : [value]) {
      if (isRecord(one) && isRequest(one)) transport.send(refusal(one)).catch(report);
    }
  }

  return transport;
}

type Id = string | number;

/** Answers are never answered: two confused programs would never stop. */
function isRequest(
  value: Readonly<Record<string, unknown>>,
): value is { readonly id: Id; readonly [key: string]: unknown } {
  const { id } = value;
  const isNamed = typeof id === "string" || typeof id === "number";
  return isNamed && ("method" in value || !("result" in value || "error" in value));
}

const KEYS: readonly string[] = ["jsonrpc", "id", "method", "params"];

function refusal(request: { readonly id: Id; readonly [key: string]: unknown }): JSONRPCMessage {
  const [code, message] = problemIn(request);
  return { jsonrpc: "2.0", id: request.id, error: { code, message } };
}

function problemIn(request: Readonly<Record<string, unknown>>): readonly [ProtocolErrorCode, string] {
  const { InvalidParams, InvalidRequest } = ProtocolErrorCode;
  const { jsonrpc, id, method, params } = request;
  if (jsonrpc !== "2.0") return [InvalidRequest, 'jsonrpc has to be "2.0"'];
  if (typeof id === "number" && !Number.isInteger(id)) return [InvalidRequest, "id has to be a whole number"];
  if (typeof method !== "string") return [InvalidRequest, "method has to be a text"];
  const other = Object.keys(request).some((key) => !KEYS.includes(key));
  if (other) return [InvalidRequest, `a request has no other keys than ${KEYS.join(", ")}`];
  if (params !== undefined && !isRecord(params)) return [InvalidParams, "params has to be an object"];
  const hasMeta = params?.["_meta"] !== undefined;
  return hasMeta
    ? [InvalidParams, "params._meta is not as the protocol says"]
    : [InvalidRequest, "send each request in a line of its own, not in a list"];
}
