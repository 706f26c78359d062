/**
 * Keeps values that are costly to open, such as an index, open for reuse in a long-running process. Each value has one
 * user at a time; a second user opens another. Values that were not used for a while are closed. The pool does not keep
 * the process alive.
 */
interface Pool<T> {
  /** Takes a value that was put back under this key, if there is one. The caller puts it back or closes it. */
  take(key: string): T | undefined;
  put(key: string, value: T): void;
  /** Closes what is in the pool now. */
  clear(): void;
}

interface PoolOptions<T> {
  /** How many unused values are kept; the least recently used are closed first. */
  readonly most: number;
  /** How long an unused value is kept. */
  readonly idleMs: number;
  /** Must not throw. */
  close(value: T): void;
}

interface Entry<T> {
  readonly key: string;
  readonly value: T;
  readonly since: number;
}

/** All pools of this process, for `clearPools`. */
const pools = new Set<Pick<Pool<unknown>, "clear">>();

export function createPool<T>({ most, idleMs, close }: PoolOptions<T>): Pool<T> {
  /** The most recently used entry is last. */
  let entries: Entry<T>[] = [];
  let timer: NodeJS.Timeout | undefined;

  /** Closes everything put back before this time on the monotonic clock. */
  function closeOlder(before: number): void {
    const old = entries.filter(({ since }) => since < before);
    entries = entries.filter(({ since }) => since >= before);
    for (const { value } of old) close(value);
    plan();
  }

  /** One timer, for the oldest entry. An empty pool has none, so that an idle process does nothing at all. */
  function plan(): void {
    clearTimeout(timer);
    timer = undefined;
    const [oldest] = entries;
    if (oldest === undefined) return;
    timer = setTimeout(() => closeOlder(now() - idleMs + 1), Math.max(1, oldest.since + idleMs - now()));
    timer.unref();
  }

  const pool: Pool<T> = {
    take(key) {
      const at = entries.findLastIndex((entry) => entry.key === key);
      if (at === -1) return undefined;
      const [found] = entries.splice(at, 1);
      plan();
      return found?.value;
    },
    put(key, value) {
      closeAtExit();
      entries.push({ key, value, since: now() });
      for (const { value: old } of entries.splice(0, entries.length - most)) close(old);
      plan();
    },
    clear: () => closeOlder(Number.POSITIVE_INFINITY),
  };
  pools.add(pool);
  return pool;
}

/** Closes all unused values of this process. */
export function clearPools(): void {
  for (const pool of pools) pool.clear();
}

let isClosedAtExit = false;

/** Closing an index removes its log file, and Windows does not delete files that are open. */
function closeAtExit(): void {
  if (isClosedAtExit) return;
  isClosedAtExit = true;
  process.once("exit", clearPools);
}

function now(): number {
  return Number(process.hrtime.bigint() / 1_000_000n);
}
