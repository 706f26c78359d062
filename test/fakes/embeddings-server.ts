import type { ServerResponse } from "node:http";
import { jsonServer } from "./json-server.ts";

export interface EmbeddingsRequest {
  readonly url: string | undefined;
  readonly key: string | undefined;
  readonly body: { readonly model: string; readonly input: readonly string[] };
}

export interface EmbeddingsServer {
  /** The base URL of the API. */
  readonly url: string;
  readonly requests: EmbeddingsRequest[];
  close(): Promise<void>;
}

/** An OpenAI-compatible `/embeddings` on the loopback. By default a text's vector encodes its length and its position. */
export async function embeddingsServer(
  answer: (request: EmbeddingsRequest, response: ServerResponse) => unknown = ({ body }) => ({
    data: body.input.map((text, index) => ({ index, embedding: [text.length, index, 1] })).reverse(),
  }),
): Promise<EmbeddingsServer> {
  const requests: EmbeddingsRequest[] = [];
  const server = await jsonServer(({ url, headers, body }, response) => {
    const request = { url, key: headers.authorization, body: body as EmbeddingsRequest["body"] };
    requests.push(request);
    return answer(request, response);
  });
  return { ...server, requests };
}
