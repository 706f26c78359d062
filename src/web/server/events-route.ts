import type { ServerResponse } from "node:http";
import type { Hono } from "hono";
import { ContinuoError } from "../../base/errors.ts";
import type { EventStream } from "./stream.ts";

/** `GET /api/events`. Browsers send the last id themselves when they reconnect; a script may give it as `last`. */
export function eventsRoute(app: Hono, stream: EventStream, onPage?: () => void): void {
  app.get("/api/events", (context) => {
    const last = context.req.header("last-event-id") ?? context.req.query("last");
    // Nobody would read it, so that it would never end.
    if (context.req.method === "HEAD") throw new ContinuoError("wrong-method", "read events with GET");
    // Without a socket, in tests, there is none.
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
