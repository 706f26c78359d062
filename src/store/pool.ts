/**
 * What is costly to open and used again and again by a process that lives on, such as an index. One user at a time has it;
 * a second one opens its own. What nobody used for a while is closed. Nothing in here keeps the process alive.
 */
interface Pool<T> {
  /** Takes one that was put back under this key, if there is one. The caller puts it back, or closes it. */
  take(key: string): T | undefined;
  put(key: string, value: T): void;
  /** Closes what is in the pool now. */
  clear(): void;
}

interface PoolOptions<T> {
  /** How many unused ones are kept, those used last. */
  readonly most: number;
  /** How long one is kept unused. */
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
  /** The one that was used last is the last. */
  let entries: Entry<T>[] = [];
  let timer: NodeJS.Timeout | undefined;

  /** Closes all that were put back before this time, by the monotonic clock. */
  function closeOlder(before: number): void {
    const old = entries.filter(({ since }) => since < before);
    entries = entries.filter(({ since }) => since >= before);
    for (const { value } of old) close(value);
    plan();
  }

  /** One timer for the oldest entry: an empty pool has none, so an idle process does nothing at all. */
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

/** Closes everything that is kept and unused in this process. */
export function clearPools(): void {
  for (const pool of pools) pool.clear();
}

let isClosedAtExit = false;

/** A closed index leaves no log beside it, and Windows deletes no open file. */
function closeAtExit(): void {
  if (isClosedAtExit) return;
  isClosedAtExit = true;
  process.once("exit", clearPools);
}

function now(): number {
  return Number(process.hrtime.bigint() / 1_000_000n);
}
