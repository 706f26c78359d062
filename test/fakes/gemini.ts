import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

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
  const server = createServer((incoming, outgoing) => {
    serve(incoming, outgoing).catch((error: unknown) => {
      // A responder that throws must be seen by the test as a failed request, not as a hang.
      if (outgoing.headersSent) outgoing.destroy();
      else outgoing.writeHead(400).end(String(error));
    });
  });

  async function serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const [, model = "", method = ""] =
      /\/models\/([^:]+):(\w+)/.exec(decodeURIComponent(incoming.url ?? "")) ?? [];
    if (method === "countTokens") return json(outgoing, 200, { totalTokens: 100 });
    if (method !== "generateContent" && method !== "streamGenerateContent")
      return json(outgoing, 404, { error: { code: 404, message: "not found", status: "NOT_FOUND" } });
    const request = { model, body: JSON.parse(Buffer.concat(chunks).toString("utf8")) as GeminiBody };
    requests.push(request);
    const answer = answerFrom(respond(request), model);
    if (method === "generateContent") return json(outgoing, 200, answer);
    outgoing.writeHead(200, { "content-type": "text/event-stream" });
    outgoing.end(`data: ${JSON.stringify(answer)}\n\n`);
  }

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    respondWith: (next) => {
      respond = next;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
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

function json(outgoing: ServerResponse, status: number, body: unknown): void {
  outgoing.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
