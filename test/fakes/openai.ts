import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { completionFrom, jsonFrom, type Reply, sseFrom } from "./openai-reply.ts";

export type { Reply } from "./openai-reply.ts";

export interface ChatMessage {
  role: string;
  content?: string | Array<{ type: string; text?: string }> | null;
  [field: string]: unknown;
}

export interface ChatBody {
  model: string;
  messages: ChatMessage[];
  tools?: Array<{ function: { name: string; parameters?: unknown } }>;
  stream?: boolean;
}

export interface ChatRequest {
  index: number;
  headers: IncomingHttpHeaders;
  /** The body exactly as sent, for byte comparisons. */
  raw: string;
  body: ChatBody;
}

export type Responder = (request: ChatRequest) => Reply | Promise<Reply>;

export interface FakeOpenAI {
  url: string;
  /** Method and path of everything that arrived, in order. */
  all: string[];
  /** Only what went to the model. */
  requests: ChatRequest[];
  respondWith(respond: Responder): void;
  close(): Promise<void>;
}

/** Speaks just enough of the chat completions API for a real host to finish its turns, and remembers every byte. */
export async function startFakeOpenAI(first: Responder = () => ({})): Promise<FakeOpenAI> {
  const all: string[] = [];
  const requests: ChatRequest[] = [];
  let respond = first;

  const server = createServer((incoming, outgoing) => {
    serve(incoming, outgoing).catch((error: unknown) => {
      // A responder that throws must be seen by the test as a failed request, not as a hang.
      if (outgoing.headersSent) outgoing.destroy();
      else json(outgoing, 400, { error: { message: `fake server: ${String(error)}` } });
    });
  });

  async function serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const raw = Buffer.concat(chunks).toString("utf8");
    all.push(`${incoming.method} ${incoming.url}`);
    if (incoming.method !== "POST" || incoming.url !== "/v1/chat/completions")
      return json(outgoing, 404, { error: { message: "not found" } });
    const body = JSON.parse(raw) as ChatBody;
    const request: ChatRequest = { index: requests.length, headers: incoming.headers, raw, body };
    requests.push(request);
    const reply = await respond(request);
    if (reply.delayMs) await new Promise((resolve) => setTimeout(resolve, reply.delayMs));
    const completion = completionFrom(reply, body.model, request.index, Math.ceil(raw.length / 4));
    if (!body.stream) return json(outgoing, 200, jsonFrom(completion));
    outgoing.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
    outgoing.end(sseFrom(completion));
  }

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    all,
    requests,
    respondWith: (next) => {
      respond = next;
    },
    close: () =>
      new Promise((resolve) => {
        // The only error is "not running", which is what was asked for.
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function json(outgoing: ServerResponse, status: number, body: unknown): void {
  outgoing.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
