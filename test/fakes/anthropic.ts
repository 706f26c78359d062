import type { IncomingMessage, ServerResponse } from "node:http";
import { type Message, messageFrom, type Reply, sseFrom } from "./anthropic-reply.ts";
import type { MessagesBody, ModelRequest, RecordedRequest } from "./anthropic-wire.ts";
import { json, startLoopback } from "./loopback.ts";

export type { Block, MessagesBody, ModelRequest, RecordedRequest, WireMessage } from "./anthropic-wire.ts";

export type Responder = (request: ModelRequest, index: number) => Reply | Promise<Reply>;

export interface FakeAnthropicOptions {
  respond?: Responder;
}

export interface FakeAnthropic {
  url: string;
  /** Everything that arrived, in order, including what was answered with 404. */
  all: RecordedRequest[];
  /** Only what went to the model. */
  requests: ModelRequest[];
  /** Changes the script between two runs of one test. */
  respondWith(respond: Responder): void;
  close(): Promise<void>;
}

/** Implements enough of the Messages API for a real host to finish its turns, and records every byte. */
export async function startFakeAnthropic(options: FakeAnthropicOptions = {}): Promise<FakeAnthropic> {
  const all: RecordedRequest[] = [];
  const requests: ModelRequest[] = [];
  let respond: Responder = options.respond ?? (() => ({ text: "ok" }));

  async function serve(incoming: IncomingMessage, outgoing: ServerResponse, raw: string): Promise<void> {
    const request = record(incoming, raw);
    all.push(request);
    if (request.method !== "POST" || !request.body) return json(outgoing, 404, errorBody(404, "not found"));
    if (request.path === "/v1/messages/count_tokens") {
      return json(outgoing, 200, { input_tokens: roughTokens(request.raw) });
    }
    if (request.path !== "/v1/messages") return json(outgoing, 404, errorBody(404, "not found"));

    const modelRequest: ModelRequest = { ...request, body: request.body, index: requests.length };
    all[all.indexOf(request)] = modelRequest;
    requests.push(modelRequest);
    const reply = await respond(modelRequest, modelRequest.index);
    if (reply.delayMs) await new Promise((resolve) => setTimeout(resolve, reply.delayMs));
    if ("status" in reply) return json(outgoing, reply.status, errorBody(reply.status, reply.error));
    const message = messageFrom(reply, modelRequest.body.model, modelRequest.index, roughTokens(request.raw));
    if (modelRequest.body.stream) return stream(outgoing, message);
    json(outgoing, 200, message);
  }

  const server = await startLoopback(serve);
  return {
    url: server.url,
    all,
    requests,
    respondWith: (next) => {
      respond = next;
    },
    close: server.close,
  };
}

function record(incoming: IncomingMessage, raw: string): RecordedRequest {
  const time = Date.now();
  const path = new URL(incoming.url ?? "/", "http://127.0.0.1").pathname;
  const method = incoming.method ?? "GET";
  return { index: -1, method, path, headers: incoming.headers, raw, body: parsed(raw), time };
}

function parsed(raw: string): MessagesBody | undefined {
  try {
    return JSON.parse(raw) as MessagesBody;
  } catch {
    return undefined;
  }
}

function stream(outgoing: ServerResponse, message: Message): void {
  outgoing.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  outgoing.end(sseFrom(message));
}

function errorBody(status: number, message: string): unknown {
  const type =
    status === 404 ? "not_found_error" : status === 429 ? "rate_limit_error" : "invalid_request_error";
  return { type: "error", error: { type, message } };
}

/** Close enough for a host that decides by size when to compact. */
function roughTokens(raw: string): number {
  return Math.ceil(raw.length / 4);
}
