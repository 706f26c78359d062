import { type Expected, expectedParams } from "./params.ts";
import type { Statement } from "./types.ts";

export interface Prepared {
  readonly statement: Statement;
  readonly expected: Expected;
}

export interface StatementCache {
  get(sql: string): Prepared;
  clear(): void;
}

/** Preparing costs more than most of our queries. Bounded, because SQL with a varying `IN (…)` never repeats. */
export function statementCache(prepare: (sql: string) => Statement, limit = 128): StatementCache {
  const cache = new Map<string, Prepared>();
  return {
    get(sql) {
      const found = cache.get(sql);
      const prepared = found ?? { statement: prepare(sql), expected: expectedParams(sql) };
      // A Map keeps insertion order: putting a hit back at the end makes the first key the least recently used.
      if (found !== undefined) cache.delete(sql);
      cache.set(sql, prepared);
      if (cache.size > limit) evictOldest(cache);
      return prepared;
    },
    clear() {
      for (const { statement } of cache.values()) statement.finalize();
      cache.clear();
    },
  };
}

function evictOldest(cache: Map<string, Prepared>): void {
  for (const [sql, { statement }] of cache) {
    statement.finalize();
    cache.delete(sql);
    return;
  }
}
