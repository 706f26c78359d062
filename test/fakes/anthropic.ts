import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type Message, messageFrom, type Reply, sseFrom } from "./anthropic-reply.ts";
import type { MessagesBody, ModelRequest, RecordedRequest } from "./anthropic-wire.ts";

export type { Block, MessagesBody, ModelRequest, RecordedRequest, WireMessage } from "./anthropic-wire.ts";

export type Responder = (request: ModelRequest, index: number) => Reply | Promise<Reply>;

export interface FakeAnthropicOptions {
  respond?: Responder;
}

export interface FakeAnthropic {
  url: string;
  /** Everything that arrived, in order, also what was answered with 404. */
  all: RecordedRequest[];
  /** Only what went to the model. */
  requests: ModelRequest[];
  /** Changes the script between two runs of one test. */
  respondWith(respond: Responder): void;
  close(): Promise<void>;
}

/** Speaks just enough of the Messages API for a real host to finish its turns, and remembers every byte. */
export async function startFakeAnthropic(options: FakeAnthropicOptions = {}): Promise<FakeAnthropic> {
  const all: RecordedRequest[] = [];
  const requests: ModelRequest[] = [];
  let respond: Responder = options.respond ?? (() => ({ text: "ok" }));

  const server = createServer((incoming, outgoing) => {
    serve(incoming, outgoing).catch((error: unknown) => {
      // A responder that throws must be seen by the test as a failed request, not as a hang.
      if (outgoing.headersSent) outgoing.destroy();
      else json(outgoing, 400, errorBody(400, `fake server: ${String(error)}`));
    });
  });

  async function serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const request = await record(incoming);
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

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    all,
    requests,
    respondWith: (next) => {
      respond = next;
    },
    close: () =>
      new Promise((resolve) => {
        // The only error is "not running", which is what was asked for.
        server.close(() => resolve());
        // A host that is still attached would keep the test process alive for its keep-alive time.
        server.closeAllConnections();
      }),
  };
}

async function record(incoming: IncomingMessage): Promise<RecordedRequest> {
  const time = Date.now();
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const raw = Buffer.concat(chunks).toString("utf8");
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

function json(outgoing: ServerResponse, status: number, body: unknown): void {
  outgoing.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
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

/** Near enough for a host that decides by size when to compact. */
function roughTokens(raw: string): number {
  return Math.ceil(raw.length / 4);
}
