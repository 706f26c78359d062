import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface JsonRequest {
  readonly url: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
}

/** JSON in, JSON out, on the loopback. An answer of undefined leaves the response to whoever answers. */
export async function jsonServer(
  answer: (request: JsonRequest, response: ServerResponse) => unknown,
): Promise<{ readonly url: string; close(): Promise<void> }> {
  const server = createServer(async (incoming, response) => {
    let text = "";
    for await (const part of incoming) text += part;
    const reply = answer({ url: incoming.url, headers: incoming.headers, body: JSON.parse(text) }, response);
    if (reply !== undefined)
      response.setHeader("content-type", "application/json").end(JSON.stringify(reply));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
