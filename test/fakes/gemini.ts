import type { IncomingMessage, ServerResponse } from "node:http";
import { json, startLoopback } from "./loopback.ts";

export interface GeminiPart {
  readonly text?: string;
  readonly functionCall?: { readonly name: string; readonly args: Record<string, unknown> };
  readonly functionResponse?: { readonly name: string; readonly response: unknown };
  readonly [field: string]: unknown;
}

export interface GeminiContent {
  readonly role?: string;
  readonly parts: readonly GeminiPart[];
}

export interface GeminiBody {
  readonly contents: readonly GeminiContent[];
  readonly systemInstruction?: GeminiContent;
  readonly tools?: readonly { readonly functionDeclarations?: readonly { readonly name: string }[] }[];
  readonly generationConfig?: Readonly<Record<string, unknown>>;
  readonly [field: string]: unknown;
}

export interface GeminiRequest {
  readonly model: string;
  readonly body: GeminiBody;
}

export type GeminiReply =
  | { readonly text: string }
  | { readonly call: { readonly name: string; readonly args: Record<string, unknown> } };

export interface FakeGemini {
  readonly url: string;
  readonly requests: readonly GeminiRequest[];
  respondWith(next: (request: GeminiRequest) => GeminiReply): void;
  close(): Promise<void>;
}

/** Google's generative language API as Gemini CLI uses it: streamed or whole, loopback only, no key checked. */
export async function startFakeGemini(): Promise<FakeGemini> {
  const requests: GeminiRequest[] = [];
  let respond: (request: GeminiRequest) => GeminiReply = () => ({ text: "ok" });
  async function serve(incoming: IncomingMessage, outgoing: ServerResponse, raw: string): Promise<void> {
    const [, model = "", method = ""] =
      /\/models\/([^:]+):(\w+)/.exec(decodeURIComponent(incoming.url ?? "")) ?? [];
    if (method === "countTokens") return json(outgoing, 200, { totalTokens: 100 });
    if (method !== "generateContent" && method !== "streamGenerateContent")
      return json(outgoing, 404, { error: { code: 404, message: "not found", status: "NOT_FOUND" } });
    const request = { model, body: JSON.parse(raw) as GeminiBody };
    requests.push(request);
    const answer = answerFrom(respond(request), model);
    if (method === "generateContent") return json(outgoing, 200, answer);
    outgoing.writeHead(200, { "content-type": "text/event-stream" });
    outgoing.end(`data: ${JSON.stringify(answer)}\n\n`);
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

function answerFrom(reply: GeminiReply, model: string): unknown {
  const part = "text" in reply ? reply : { functionCall: reply.call };
  return {
    candidates: [{ content: { role: "model", parts: [part] }, finishReason: "STOP", index: 0 }],
    usageMetadata: { promptTokenCount: 100, candidatesTokenCount: 10, totalTokenCount: 110 },
    modelVersion: model,
  };
}
