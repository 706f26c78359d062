import { signal } from "@preact/signals";
import type { WebEvent } from "../../api/events.ts";
import { hasAccess } from "./api.ts";

export type Connection = "connecting" | "open" | "lost" | "back";

/** How the event stream is. `back` for a moment after it was lost. */
export const connection = signal<Connection>("connecting");

const BACK_MS = 3000;
const FIRST_RETRY_MS = 500;
const LAST_RETRY_MS = 10_000;

const listeners = new Set<(event: WebEvent) => void>();
let retryMs = FIRST_RETRY_MS;

/** Returns a function that unsubscribes. */
export function onEvent(listener: (event: WebEvent) => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

/** Opens the stream. The browser resumes it by the last event's id; when the server refuses, we try again ourselves. */
export function followEvents(): void {
  const source = new EventSource("/api/events");
  source.onopen = () => {
    retryMs = FIRST_RETRY_MS;
    const wasLost = connection.value === "lost";
    connection.value = wasLost ? "back" : "open";
    if (!wasLost) return;
    tell({ type: "reset" });
    setTimeout(() => {
      if (connection.value === "back") connection.value = "open";
    }, BACK_MS);
  };
  source.onmessage = ({ data }) => tell(JSON.parse(String(data)) as WebEvent);
  source.onerror = () => {
    connection.value = "lost";
    if (source.readyState !== EventSource.CLOSED) return; // the browser tries again by itself
    setTimeout(() => void retry(), retryMs);
    retryMs = Math.min(retryMs * 2, LAST_RETRY_MS);
  };
}

/** A refused cookie stays refused: then the page says what to do instead of asking for ever. */
async function retry(): Promise<void> {
  const status = await fetch("/api/overview", { method: "HEAD" }).then(
    (response) => response.status,
    () => 0,
  );
  if (status === 401) hasAccess.value = false;
  else followEvents();
}

function tell(event: WebEvent): void {
  for (const listener of [...listeners]) listener(event);
}
