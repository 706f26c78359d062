import { hasAccess } from "./api.ts";

export interface SourceListener {
  onOpen(): void;
  onLost(): void;
  onMessage(id: string, data: string): void;
  /** Of the last message, where a stream that is opened again goes on. */
  lastId(): string | undefined;
}

const FIRST_RETRY_MS = 500;
const LAST_RETRY_MS = 10_000;

/**
 * Reads the event stream until the server refuses this page's cookie, which it does for ever. The browser resumes a
 * connection that broke; where the server answered with an error, we open another.
 */
export function readEvents(listener: SourceListener): Promise<void> {
  return new Promise((refused) => {
    let retryMs = FIRST_RETRY_MS;
    const open = (): void => {
      const last = listener.lastId();
      const source = new EventSource(`/api/events${last === undefined ? "" : `?last=${last}`}`);
      source.onopen = () => {
        retryMs = FIRST_RETRY_MS;
        listener.onOpen();
      };
      source.onmessage = ({ lastEventId, data }) => listener.onMessage(lastEventId, String(data));
      source.onerror = () => {
        listener.onLost();
        if (source.readyState !== EventSource.CLOSED) return;
        setTimeout(() => void retry(), retryMs);
        retryMs = Math.min(retryMs * 2, LAST_RETRY_MS);
      };
    };
    const retry = async (): Promise<void> => {
      const status = await fetch("/api/overview", { method: "HEAD" }).then(
        (response) => response.status,
        () => 0,
      );
      if (status !== 401) return open();
      hasAccess.value = false;
      refused();
    };
    open();
  });
}
