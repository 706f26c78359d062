import type { IncomingMessage, ServerResponse } from "node:http";
import { json, startLoopback } from "./loopback.ts";

/** One entry of a Responses request's `input`; the fields that tests use are typed, the rest is kept. */
export interface ResponsesItem {
  readonly type?: string;
  readonly role?: string;
  readonly content?: string | readonly { readonly type: string; readonly text?: string }[];
  readonly [field: string]: unknown;
}

export interface ResponsesBody {
  readonly model: string;
  readonly instructions?: string;
  readonly input: readonly ResponsesItem[];
  readonly tools?: readonly { readonly name?: string; readonly type?: string }[];
  readonly [field: string]: unknown;
}

export interface ResponsesRequest {
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: ResponsesBody;
}

export type ResponsesReply =
  | { readonly text: string }
  | { readonly call: { readonly name: string; readonly arguments: unknown; readonly namespace?: string } }
  /** A tool that takes free text instead of JSON, as `apply_patch` does. */
  | { readonly custom: { readonly name: string; readonly input: string } };

export interface FakeResponses {
  readonly url: string;
  readonly requests: readonly ResponsesRequest[];
  respondWith(next: (request: ResponsesRequest) => ResponsesReply): void;
  close(): Promise<void>;
}

/** OpenAI's Responses API as Codex uses it: streamed answers only, loopback only, no key checked. */
export async function startFakeResponses(): Promise<FakeResponses> {
  const requests: ResponsesRequest[] = [];
  let respond: (request: ResponsesRequest) => ResponsesReply = () => ({ text: "ok" });
  async function serve(incoming: IncomingMessage, outgoing: ServerResponse, raw: string): Promise<void> {
    const path = new URL(incoming.url ?? "/", "http://127.0.0.1").pathname;
    if (incoming.method !== "POST" || path !== "/v1/responses")
      return json(outgoing, 404, { error: { message: "not found" } });
    const body = JSON.parse(raw) as ResponsesBody;
    const request = { path, headers: incoming.headers, body };
    const index = requests.push(request) - 1;
    outgoing.writeHead(200, { "content-type": "text/event-stream" });
    outgoing.end(sse(respond(request), index));
  }

  const server = await startLoopback(serve);
  return {
    url: server.url,
    requests,
    respondWith: (next) => {
      respond = next;
    },
    close: server.close,
  };
}

/** Ids are derived from the request's index, so two runs of one script give the same bytes. */
function sse(reply: ResponsesReply, index: number): string {
  const id = `resp_fake_${index}`;
  const item = itemFrom(reply, index);
  const usage = {
    input_tokens: 100,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: 10,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 110,
  };
  const events = [
    { type: "response.created", response: { id } },
    { type: "response.output_item.added", output_index: 0, item },
    { type: "response.output_item.done", output_index: 0, item },
    { type: "response.completed", response: { id, status: "completed", output: [item], usage } },
  ];
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join("");
}

function itemFrom(reply: ResponsesReply, index: number): ResponsesItem {
  const call_id = `call_fake_${index}`;
  if ("custom" in reply)
    return { type: "custom_tool_call", id: `ctc_fake_${index}`, call_id, ...reply.custom };
  if ("call" in reply) {
    const { arguments: input, ...call } = reply.call;
    return {
      type: "function_call",
      id: `fc_fake_${index}`,
      call_id,
      ...call,
      arguments: JSON.stringify(input),
    };
  }
  return {
    type: "message",
    role: "assistant",
    id: `msg_fake_${index}`,
    content: [{ type: "output_text", text: reply.text }],
  };
}
