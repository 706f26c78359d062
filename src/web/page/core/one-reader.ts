/** How the reading tab and the others exchange messages. */
export interface Tabs<T> {
  /** Sends to all other tabs. */
  tell(message: T): void;
}

interface Roles<T> {
  /** Called when this tab has to read, until the promise settles. `isFirst`: no other tab has read before. */
  read(isFirst: boolean): Promise<void>;
  /** Called with another tab's message. */
  hear(message: T): void;
  /** Called when another tab was opened and asks for the current state. */
  greet(): void;
  /** Called when another tab already reads: from now on this tab receives that one's messages. */
  joined(): void;
}

const NAME = "continuo.events";
const HELLO = "hello";

/**
 * Lets one tab of a browser read the event stream and pass it to the others: with HTTP/1.1 a browser has six
 * connections to a server, and a stream uses one for as long as its tab is open. When that tab closes, another takes
 * over. If a browser does not support sharing, every tab reads.
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
