import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { json, startLoopback } from "./loopback.ts";
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

/** Implements enough of the chat completions API for a real host to finish its turns, and records every byte. */
export async function startFakeOpenAI(first: Responder = () => ({})): Promise<FakeOpenAI> {
  const all: string[] = [];
  const requests: ChatRequest[] = [];
  let respond = first;

  async function serve(incoming: IncomingMessage, outgoing: ServerResponse, raw: string): Promise<void> {
    all.push(`${incoming.method} ${incoming.url}`);
    if (incoming.method !== "POST" || incoming.url !== "/v1/chat/completions")
      return json(outgoing, 404, { error: { message: "not found" } });
    const body = JSON.parse(raw) as ChatBody;
    const request: ChatRequest = { index: requests.length, headers: incoming.headers, raw, body };
    requests.push(request);
    const reply = await respond(request);
    if (reply.delayMs) await new Promise((resolve) => setTimeout(resolve, reply.delayMs));
    if (reply.answer !== undefined) return reply.answer(outgoing);
    const completion = completionFrom(reply, body.model, request.index, Math.ceil(raw.length / 4));
    if (!body.stream) return json(outgoing, 200, jsonFrom(completion));
    outgoing.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
    outgoing.end(sseFrom(completion));
  }

  const server = await startLoopback(serve);
  return {
    url: `${server.url}/v1`,
    all,
    requests,
    respondWith: (next) => {
      respond = next;
    },
    close: server.close,
  };
}
