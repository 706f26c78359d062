/** What the tab that reads tells the others, and what a new one asks it. */
export interface Tabs<T> {
  /** To all other tabs. */
  tell(message: T): void;
}

interface Roles<T> {
  /** This tab reads now, until the promise is settled. `isFirst`: no other has read before. */
  read(isFirst: boolean): Promise<void>;
  /** Another tab told this. */
  hear(message: T): void;
  /** Another tab was opened and asks how things are. */
  greet(): void;
  /** Another tab reads already: from now on this one hears what that one tells. */
  joined(): void;
}

const NAME = "continuo.events";
const HELLO = "hello";

/**
 * One tab of a browser reads the event stream and tells the others: with HTTP/1.1 a browser has six connections to a
 * server, and a stream holds one for as long as its tab is open. When the tab closes, the next one reads. A browser that
 * cannot share reads in every tab.
 */
export function shareAmongTabs<T extends object>({ read, hear, greet, joined }: Roles<T>): Tabs<T> {
  if (!("locks" in navigator) || typeof BroadcastChannel === "undefined") {
    void read(true);
    return { tell: () => undefined };
  }
  const channel = new BroadcastChannel(NAME);
  let isReader = false;
  channel.onmessage = ({ data }: MessageEvent<T | typeof HELLO>) => {
    if (data !== HELLO) hear(data);
    else if (isReader) greet();
  };
  const take = (isFirst: boolean): Promise<void> => {
    isReader = true;
    return read(isFirst).finally(() => {
      isReader = false;
    });
  };
  void (async () => {
    const isFirst = await navigator.locks.request(NAME, { ifAvailable: true }, async (lock) => {
      if (lock !== null) await take(true);
      return lock !== null;
    });
    if (isFirst) return;
    channel.postMessage(HELLO);
    joined();
    await navigator.locks.request(NAME, () => take(false));
  })();
  return { tell: (message) => channel.postMessage(message) };
}
