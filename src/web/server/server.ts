import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener, RequestError } from "@hono/node-server";
import { Hono } from "hono";
import { ContinuoError, describeError, systemCode } from "../../base/errors.ts";
import { checkAccess, checkHost, ENTRY } from "./access.ts";
import { controlRoute } from "./control.ts";
import { failure, failureHandler, SEE_WHY, unknownAddress } from "./failures.ts";
import { createLive } from "./follow/live.ts";
import { securityHeaders } from "./headers.ts";
import { type KeptAccess, readKeptAccess, writeKeptAccess } from "./kept-access.ts";
import { applyLimits, isWithin, LIMITS, type Limits, optionsFor } from "./limits.ts";
import { pageFiles } from "./page-files.ts";
import { createRateLimit } from "./rate-limit.ts";
import { createSignIn } from "./sign-in.ts";
import { createEventStream, eventsRoute, STREAM_LIMITS, type StreamLimits } from "./stream.ts";
import type { Area, Web } from "./web.ts";

export interface ServerOptions {
  /** 0 means any free port. */
  readonly port: number;
  readonly areas: readonly Area[];
  /** If set, another process of this user can ask for a link. */
  readonly secret?: string;
  /** The command that indexes new sessions while a page is open. */
  readonly indexCommand?: readonly string[];
  readonly limits?: Limits;
  readonly streamLimits?: StreamLimits;
}

export interface RunningServer {
  readonly port: number;
  /** The page's origin, such as `http://127.0.0.1:40123`. */
  readonly origin: string;
  /** A link that signs in once, then opens `path`. */
  link(path?: string): string;
  /** Closes the server at once, including open streams. */
  close(): Promise<void>;
}

/** Loopback only: other machines cannot connect. */
const ADDRESS = "127.0.0.1";

export async function startServer(web: Web, options: ServerOptions): Promise<RunningServer> {
  const { areas, secret, indexCommand, limits = LIMITS, streamLimits = STREAM_LIMITS } = options;
  const server = createServer(optionsFor(limits));
  const isKnown = applyLimits(server, limits);
  const port = await listen(server, options.port);
  const origin = `http://${ADDRESS}:${port}`;
  const signIn = createSignIn(web.now, readKeptAccess(web.home, web.now()).pages, (pages) =>
    keepAccess(web, port, pages),
  );
  const stream = createEventStream(streamLimits);
  const unsubscribe = web.subscribe(stream.send);
  const live = createLive(web, {
    isPageOpen: () => stream.size > 0,
    command: indexCommand,
  });
  const link = (path = "/"): string => `${origin}${ENTRY}${signIn.newToken()}${path === "/" ? "" : path}`;

  const app = new Hono();
  app.onError(failureHandler(web));
  app.use(securityHeaders(), checkHost(port));
  if (secret !== undefined) controlRoute(app, secret, link);
  const isOpen = (path: string): boolean => areas.some((area) => area.isOpen?.(path) === true);
  app.use(checkAccess({ port, signIn, rate: createRateLimit(web.now), isOpen }));
  app.use("/api/*", ({ env }, next) => {
    const { incoming } = (env ?? {}) as { readonly incoming?: IncomingMessage };
    if (incoming !== undefined) isKnown(incoming.socket);
    live.onRequest();
    return next();
  });
  const api = createApi(web, areas, (routes) => eventsRoute(routes, stream, live.onPage));
  app.route("/", api);
  app.notFound(pageFiles(web.packageRoot, unknownAddress(api)));

  const listener = getRequestListener(app.fetch, {
    overrideGlobalObjects: false,
    errorHandler(error) {
      if (error instanceof RequestError)
        return Response.json(failure("invalid-request", "this is not a valid address"), { status: 400 });
      web.report("web-request", describeError(error).message);
      return Response.json(failure("unexpected", "the server failed", SEE_WHY), { status: 500 });
    },
  });
  server.on("request", (incoming, outgoing) => {
    if (isWithin(limits, incoming, outgoing)) void listener(incoming, outgoing);
  });
  return {
    port,
    origin,
    link,
    async close() {
      unsubscribe();
      stream.close();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
}

/** If this fails, open pages need a new link after a restart; nothing else is lost. */
function keepAccess(web: Web, port: number, pages: KeptAccess["pages"]): void {
  try {
    writeKeptAccess(web.home, { port, pages });
  } catch (error) {
    web.report("web-pages", describeError(error).message);
  }
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

/** The routes of all areas, with the handling of failures. Callers add the access check. */
export function createApi(web: Web, areas: readonly Area[], more?: (app: Hono) => void): Hono {
  const app = new Hono();
  app.onError(failureHandler(web));
  app.notFound(unknownAddress(app));
  more?.(app);
  for (const area of areas) area.routes(app, web);
  return app;
}
