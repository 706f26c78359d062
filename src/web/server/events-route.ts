import type { ServerResponse } from "node:http";
import type { Hono } from "hono";
import type { EventStream } from "./stream.ts";

/** `GET /api/events`. Browsers send the last id themselves when they reconnect; a script may give it as `last`. */
export function eventsRoute(app: Hono, stream: EventStream, onPage?: () => void): void {
  app.get("/api/events", (context) => {
    const last = context.req.header("last-event-id") ?? context.req.query("last");
    // Without a socket, in tests, there is none.
    const { outgoing } = (context.env ?? {}) as { readonly outgoing?: ServerResponse };
    const body = stream.open(last || undefined, () => void outgoing?.destroy());
    onPage?.();
    return context.body(body, 200, {
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-store",
    });
  });
}
