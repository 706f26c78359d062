import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import { json, type Loopback, startLoopback } from "./loopback.ts";

export interface JsonRequest {
  readonly url: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
}

/** JSON in, JSON out, on the loopback. If the handler returns undefined, it writes the response itself. */
export async function jsonServer(
  answer: (request: JsonRequest, response: ServerResponse) => unknown,
): Promise<Loopback> {
  const server = await startLoopback(async ({ url, headers }, response, raw) => {
    const reply = answer({ url, headers, body: JSON.parse(raw) }, response);
    // The handler may have set another status.
    if (reply !== undefined) json(response, response.statusCode, reply);
  });
  return { ...server, url: `${server.url}/v1` };
}
