import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface Loopback {
  /** Without a path. */
  readonly url: string;
  close(): Promise<void>;
}

/** The base of all fake servers. `raw` is the request's body. */
export async function startLoopback(
  serve: (incoming: IncomingMessage, outgoing: ServerResponse, raw: string) => Promise<void>,
): Promise<Loopback> {
  const server = createServer(async (incoming, outgoing) => {
    try {
      const chunks: Buffer[] = [];
      for await (const chunk of incoming) chunks.push(chunk as Buffer);
      await serve(incoming, outgoing, Buffer.concat(chunks).toString("utf8"));
    } catch (error) {
      // If a responder throws, the test must see a failed request and not a hang.
      if (outgoing.headersSent) outgoing.destroy();
      else json(outgoing, 400, { error: { message: `fake server: ${String(error)}` } });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        // The only error is "not running", which is the goal.
        server.close(() => resolve());
        // A host that is still attached would keep the test process alive for its keep-alive time.
        server.closeAllConnections();
      }),
  };
}

export function json(outgoing: ServerResponse, status: number, body: unknown): void {
  outgoing.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
