import type { IncomingMessage, Server, ServerOptions, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { systemCode } from "../../base/errors.ts";
import { failure } from "./failures.ts";

/** Limits of each connection and of all together. They apply before any route is called. */
export interface Limits {
  readonly mostConnections: number;
  /**
   * The most connections without an authorised request so far: beyond that the oldest one is closed, not the newest.
   */
  readonly mostStrangers: number;
  readonly headerBytes: number;
  readonly mostHeaders: number;
  readonly addressCharacters: number;
  /** Time limits for the headers, and for the whole request with its body. */
  readonly headersMs: number;
  readonly requestMs: number;
  /** How often both limits are checked. */
  readonly checkEveryMs: number;
  /** A connection without traffic for this long is closed. Event streams send something more often. */
  readonly silentMs: number;
}

export const LIMITS: Limits = {
  mostConnections: 1500,
  mostStrangers: 500,
  headerBytes: 16 * 1024,
  mostHeaders: 100,
  addressCharacters: 8 * 1024,
  headersMs: 10_000,
  requestMs: 30_000,
  checkEveryMs: 15_000,
  silentMs: 5 * 60_000,
};

export function optionsFor({ headerBytes, headersMs, requestMs, checkEveryMs }: Limits): ServerOptions {
  return {
    maxHeaderSize: headerBytes,
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    connectionsCheckingInterval: checkEveryMs,
    keepAliveTimeout: 5000,
  };
}

/** Returns a function to call for each connection with an authorised request. */
export function applyLimits(
  server: Server,
  { mostConnections, mostStrangers, silentMs }: Limits,
): (socket: Socket) => void {
  server.maxConnections = mostConnections;
  const strangers = new Set<Socket>();
  server.on("connection", (socket) => {
    strangers.add(socket);
    socket.once("close", () => strangers.delete(socket));
    const [oldest] = strangers;
    if (strangers.size > mostStrangers) oldest?.destroy();
  });
  server.setTimeout(silentMs);
  server.on("clientError", (error, socket) => refuseBroken(error, socket as Socket));
  return (socket) => void strangers.delete(socket);
}

/** Answers a request that is too large before anything processes it; then returns false. */
export function isWithin(
  { mostHeaders, addressCharacters }: Limits,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): boolean {
  const [status, code, message] =
    incoming.rawHeaders.length > 2 * mostHeaders
      ? ([431, "headers-too-large", "the request has too many headers"] as const)
      : (incoming.url ?? "").length > addressCharacters
        ? ([414, "address-too-long", "the address is too long"] as const)
        : ([undefined, "", ""] as const);
  if (status === undefined) return true;
  outgoing.writeHead(status, { "content-type": "application/json", connection: "close" });
  outgoing.end(JSON.stringify(failure(code, message)));
  return false;
}

/** Answers what Node could not parse, or waited for too long. */
function refuseBroken(error: Error, socket: Socket): void {
  if (!socket.writable || socket.destroyed) return;
  const [line, code, message] = BROKEN[systemCode(error) ?? ""] ?? [
    "400 Bad Request",
    "invalid-request",
    "this is not a valid HTTP request",
  ];
  const body = JSON.stringify(failure(code, message));
  socket.end(
    `HTTP/1.1 ${line}\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  );
}

const BROKEN: Readonly<Record<string, readonly [line: string, code: string, message: string]>> = {
  HPE_HEADER_OVERFLOW: [
    "431 Request Header Fields Too Large",
    "headers-too-large",
    "the headers are too large",
  ],
  ERR_HTTP_REQUEST_TIMEOUT: ["408 Request Timeout", "request-late", "the request took too long"],
};
