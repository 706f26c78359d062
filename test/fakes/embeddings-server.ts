import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface EmbeddingsRequest {
  readonly url: string | undefined;
  readonly key: string | undefined;
  readonly body: { readonly model: string; readonly input: readonly string[] };
}

export interface EmbeddingsServer {
  /** Of the API. */
  readonly url: string;
  readonly requests: EmbeddingsRequest[];
  close(): Promise<void>;
}

/** An OpenAI-compatible `/embeddings` on the loopback. By default a text's vector tells its length and its place. */
export async function embeddingsServer(
  answer: (request: EmbeddingsRequest, response: ServerResponse) => unknown = ({ body }) => ({
    data: body.input.map((text, index) => ({ index, embedding: [text.length, index, 1] })).reverse(),
  }),
): Promise<EmbeddingsServer> {
  const requests: EmbeddingsRequest[] = [];
  const server = createServer(async (incoming: IncomingMessage, response) => {
    let text = "";
    for await (const part of incoming) text += part;
    const request = { url: incoming.url, key: incoming.headers.authorization, body: JSON.parse(text) };
    requests.push(request);
    const reply = answer(request, response);
    if (reply !== undefined)
      response.setHeader("content-type", "application/json").end(JSON.stringify(reply));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
