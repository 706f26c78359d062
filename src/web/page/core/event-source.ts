import { distrustServer, pageKey, provedServer } from "./page-key.ts";

interface SourceListener {
  onOpen(): void;
  onLost(): void;
  onMessage(id: string, data: string): void;
  /** The id of the last message, from which a reopened stream continues. */
  lastId(): string | undefined;
}

const FIRST_RETRY_MS = 500;
const LAST_RETRY_MS = 10_000;

/**
 * Reads the event stream until the server refuses this page, which is final. Does not use the browser's EventSource,
 * which cannot send the page's key and reconnects to whatever uses the port.
 */
export async function readEvents(listener: SourceListener): Promise<void> {
  let retryMs = FIRST_RETRY_MS;
  while (await provedServer()) {
    await readOnce(listener, () => {
      retryMs = FIRST_RETRY_MS;
      listener.onOpen();
    });
    distrustServer();
    listener.onLost();
    await new Promise((resolve) => setTimeout(resolve, retryMs));
    retryMs = Math.min(retryMs * 2, LAST_RETRY_MS);
  }
}

/** Reads until the connection ends. */
async function readOnce(listener: SourceListener, onOpen: () => void): Promise<void> {
  const last = listener.lastId();
  try {
    const response = await fetch(`/api/events${last === undefined ? "" : `?last=${last}`}`, {
      headers: { "x-continuo-page": await pageKey() },
    });
    if (!response.ok || response.body === null) return;
    onOpen();
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      const messages = (rest + piece.value).split("\n\n");
      rest = messages.pop() ?? "";
      for (const message of messages) tell(message, listener);
    }
  } catch {
    // the connection broke, or there was no answer
  }
}

/** Parses one message: lines with `id:` and `data:`; a line that begins with a colon only keeps the connection open. */
function tell(message: string, listener: SourceListener): void {
  const lines = message.split("\n");
  const valuesOf = (name: string) =>
    lines.flatMap((line) => (line.startsWith(`${name}:`) ? [line.slice(name.length + 1).trimStart()] : []));
  const data = valuesOf("data");
  if (data.length > 0) listener.onMessage(valuesOf("id").join(""), data.join("\n"));
}
