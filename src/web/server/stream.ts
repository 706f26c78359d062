import { randomBytes } from "node:crypto";
import type { ServerResponse } from "node:http";
import type { Hono } from "hono";
import { ContinuoError } from "../../base/errors.ts";
import type { WebEvent } from "../api/events.ts";

/**
 * The event stream of all open pages (server-sent events). An event's id is `RUN-N`: this server's run and a number. A
 * page that reconnects sends the last id that it saw and gets what it missed, or `reset` if that is no longer stored.
 */
export interface EventStream {
  /** Opens a stream for one page. */
  open(last: string | undefined, connection: Connection): ReadableStream<Uint8Array>;
  send(event: WebEvent): void;
  /** The number of connected pages. */
  readonly size: number;
  close(): void;
}

export interface Connection {
  /** Closes the connection at once, even with unsent data. */
  drop(): void;
  /** Calls back when it has ended, even if it ended before anything was sent. */
  onEnd(forget: () => void): void;
}

export interface StreamLimits {
  readonly mostStreams: number;
  /** How many events are stored for pages that reconnect. */
  readonly keptEvents: number;
  readonly keptBytes: number;
  /** A page that is further behind is disconnected; it can reconnect. Must exceed `keptBytes`. */
  readonly mostBehindBytes: number;
  readonly heartbeatMs: number;
}

export const STREAM_LIMITS: StreamLimits = {
  mostStreams: 64,
  keptEvents: 1000,
  keptBytes: 256 * 1024,
  mostBehindBytes: 512 * 1024,
  heartbeatMs: 20_000,
};

interface Reader {
  readonly controller: ReadableStreamDefaultController<Uint8Array>;
  readonly connection: Connection;
}

/** How long browsers wait before they reconnect. */
const RETRY_MS = 1000;
/** A comment, which pages ignore. It shows that the connection is alive. */
const HEARTBEAT = new TextEncoder().encode(": still here\n\n");

export function createEventStream(limits: StreamLimits = STREAM_LIMITS): EventStream {
  const run = randomBytes(6).toString("hex");
  const readers = new Set<Reader>();
  const kept: { readonly number: number; readonly bytes: Uint8Array }[] = [];
  const encoder = new TextEncoder();
  let number = 0;
  let bytesKept = 0;
  let heartbeat: NodeJS.Timeout | undefined;

  const remove = (reader: Reader): void => {
    readers.delete(reader);
    if (readers.size > 0) return;
    clearInterval(heartbeat);
    heartbeat = undefined;
  };
  const end = (reader: Reader): void => {
    remove(reader);
    try {
      reader.controller.close();
    } catch {
      // The page has already closed it.
    }
    reader.connection.drop();
  };
  const write = (reader: Reader, bytes: Uint8Array): void => {
    const { controller } = reader;
    controller.enqueue(bytes);
    if ((controller.desiredSize ?? 0) < 0) end(reader);
  };
  const frame = (at: number, event: WebEvent): Uint8Array =>
    encoder.encode(`id: ${run}-${at}\ndata: ${JSON.stringify(event)}\n\n`);
  const missedSince = (last: string): Uint8Array[] => {
    const [, ofRun, at] = /^([0-9a-f]+)-(\d{1,15})$/.exec(last) ?? [];
    const from = Number(at);
    const isKnown = ofRun === run && from <= number && from >= number - kept.length;
    if (!isKnown) return [frame(number, { type: "reset" })];
    return kept.filter((one) => one.number > from).map((one) => one.bytes);
  };

  return {
    get size() {
      return readers.size;
    },
    open(last, connection) {
      if (readers.size >= limits.mostStreams)
        throw new ContinuoError("too-many-streams", `${limits.mostStreams} pages are open already`, {
          hint: "close some of them",
        });
      let reader: Reader | undefined;
      const missed = last === undefined ? [] : missedSince(last);
      return new ReadableStream<Uint8Array>(
        {
          start(controller) {
            const opened: Reader = { controller, connection };
            reader = opened;
            readers.add(opened);
            connection.onEnd(() => remove(opened));
            heartbeat ??= setInterval(() => {
              for (const one of [...readers]) write(one, HEARTBEAT);
            }, limits.heartbeatMs).unref();
            // Only an id, so that a page that reconnects before the first event can say where it was.
            controller.enqueue(
              encoder.encode(`retry: ${RETRY_MS}\n${missed.length > 0 ? "" : `id: ${run}-${number}\n`}\n`),
            );
            for (const bytes of missed) controller.enqueue(bytes);
          },
          cancel() {
            if (reader !== undefined) remove(reader);
          },
        },
        { highWaterMark: limits.mostBehindBytes, size: (piece) => piece.byteLength },
      );
    },
    send(event) {
      number += 1;
      const bytes = frame(number, event);
      kept.push({ number, bytes });
      bytesKept += bytes.byteLength;
      while (kept.length > limits.keptEvents || bytesKept > limits.keptBytes)
        bytesKept -= kept.shift()?.bytes.byteLength ?? 0;
      for (const reader of [...readers]) write(reader, bytes);
    },
    close() {
      for (const reader of [...readers]) end(reader);
    },
  };
}

/** `GET /api/events`. Browsers send the last id themselves when they reconnect; a script may pass it as `last`. */
export function eventsRoute(app: Hono, stream: EventStream, onPage?: () => void): void {
  app.get("/api/events", (context) => {
    const last = context.req.header("last-event-id") ?? context.req.query("last");
    // A HEAD request would never end, because nobody reads the stream.
    if (context.req.method === "HEAD") throw new ContinuoError("wrong-method", "read events with GET");
    // There is no socket in tests.
    const { outgoing } = (context.env ?? {}) as { readonly outgoing?: ServerResponse };
    const body = stream.open(last || undefined, {
      drop: () => void outgoing?.destroy(),
      onEnd(forget) {
        if (outgoing?.destroyed === true) queueMicrotask(forget);
        else outgoing?.once("close", forget);
      },
    });
    onPage?.();
    return context.body(body, 200, {
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-store",
    });
  });
}
