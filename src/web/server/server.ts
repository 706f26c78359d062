import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { Hono } from "hono";
import { ContinuoError, systemCode } from "../../base/errors.ts";
import { checkAccess, ENTRY } from "./access.ts";
import { createApi } from "./api.ts";
import { failureHandler } from "./failures.ts";
import { securityHeaders } from "./headers.ts";
import { createRateLimit } from "./rate-limit.ts";
import { createSignIn } from "./sign-in.ts";
import type { Area, Web } from "./web.ts";

export interface ServerOptions {
  /** 0: any free port. */
  readonly port: number;
  readonly areas: readonly Area[];
}

export interface RunningServer {
  readonly port: number;
  /** The page's origin, such as `http://127.0.0.1:40123`. */
  readonly origin: string;
  /** A link that signs in once and goes on to `path`. */
  link(path?: string): string;
  /** Ends it at once, with open streams. */
  close(): Promise<void>;
}

/** Loopback only: other machines cannot connect. */
const ADDRESS = "127.0.0.1";

export async function startServer(web: Web, { port, areas }: ServerOptions): Promise<RunningServer> {
  const server = createServer();
  const bound = await listen(server, port);
  const signIn = createSignIn(web.now);
  const app = new Hono();
  app.onError(failureHandler(web));
  app.use(securityHeaders());
  app.use(
    checkAccess({
      port: bound,
      signIn,
      rate: createRateLimit(web.now),
      isOpen: (path) => areas.some((area) => area.isOpen?.(path) === true),
    }),
  );
  app.route("/", createApi(web, areas));
  server.on("request", getRequestListener(app.fetch, { overrideGlobalObjects: false }));
  const origin = `http://${ADDRESS}:${bound}`;
  return {
    port: bound,
    origin,
    link: (path = "/") => `${origin}${ENTRY}${signIn.newToken()}${path === "/" ? "" : path}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function listen(server: ReturnType<typeof createServer>, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", (error) => reject(listenFailure(error, port)));
    server.listen({ port, host: ADDRESS }, () => resolve((server.address() as AddressInfo).port));
  });
}

function listenFailure(error: Error, port: number): ContinuoError {
  const code = systemCode(error);
  if (code === "EADDRINUSE")
    return new ContinuoError("port-busy", `port ${port} is used by another program`, {
      hint: "choose another port, or leave out --port",
    });
  if (code === "EACCES")
    return new ContinuoError("port-refused", `this user may not use port ${port}`, {
      hint: "choose a port above 1023, or leave out --port",
    });
  return new ContinuoError("listen", `the server cannot listen on ${ADDRESS}: ${error.message}`, {
    cause: error,
  });
}
