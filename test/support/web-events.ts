import type { WebEvent } from "../../src/web/api/events.ts";
import type { Web } from "../../src/web/server/web.ts";

export interface Listening {
  readonly events: readonly WebEvent[];
  /** The first event, of those that came and those that will come, that fits. */
  first(isWanted: (event: WebEvent) => boolean): Promise<WebEvent>;
}

/** Collects what is published. */
export function listen(web: Pick<Web, "subscribe">): Listening {
  const events: WebEvent[] = [];
  const waiting = new Set<() => void>();
  web.subscribe((event) => {
    events.push(event);
    for (const look of [...waiting]) look();
  });
  return {
    events,
    first: (isWanted) =>
      new Promise((resolve) => {
        const look = (): void => {
          const found = events.find(isWanted);
          if (found === undefined) return;
          waiting.delete(look);
          resolve(found);
        };
        waiting.add(look);
        look();
      }),
  };
}

/** Reads a stream of server-sent events. */
export async function* messages(
  body: ReadableStream<Uint8Array> | null,
): AsyncGenerator<{ readonly id?: string; readonly event?: WebEvent; readonly comment?: string }> {
  let text = "";
  const decoder = new TextDecoder();
  for await (const piece of body ?? []) {
    text += decoder.decode(piece, { stream: true });
    for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
      const block = text.slice(0, end);
      text = text.slice(end + 2);
      const [, id] = /^id: (.*)$/m.exec(block) ?? [];
      const [, data] = /^data: (.*)$/m.exec(block) ?? [];
      const [, comment] = /^: (.*)$/m.exec(block) ?? [];
      yield {
        ...(id === undefined ? {} : { id }),
        ...(data === undefined ? {} : { event: JSON.parse(data) as WebEvent }),
        ...(comment === undefined ? {} : { comment }),
      };
    }
  }
}
