/** What SQLite stores. Integers come back as Number, so keep them within ±2^53; blobs come back as Uint8Array. */
export type Value = null | number | bigint | string | Uint8Array;

/** Positional (`?`) as an array, or named (`$a`, `:a`, `@a`) as an object without the prefix. Never both. */
export type Params = readonly Value[] | Readonly<Record<string, Value>>;

interface Changes {
  readonly changes: number;
  readonly lastId: number;
}

/**
 * One SQLite connection, the same on Node and Bun. Synchronous on purpose: a hook has a deadline and one thread, and
 * transactions cannot be interleaved by mistake.
 *
 * Rows have no prototype (neither runtime gives them one). Text containing U+0000 is cut there by Node 22.
 */
export interface Database {
  readonly path: string;
  /** One or more statements without parameters: schema and pragmas. */
  exec(sql: string): void;
  run(sql: string, params?: Params): Changes;
  get<T>(sql: string, params?: Params): T | undefined;
  all<T>(sql: string, params?: Params): T[];
  /** All of `fn` or nothing. The outermost `tx` takes the write lock at once; a nested one is a savepoint. */
  tx<T>(fn: () => T): T;
  /** May be called more than once. */
  close(): void;
}

export interface OpenOptions {
  readonly readOnly?: boolean;
  /** How long to wait for another process's lock. */
  readonly busyTimeoutMs?: number;
}

/** The minimal interface to each runtime's own SQLite; everything above it is shared. */
export interface Driver {
  exec(sql: string): void;
  prepare(sql: string): Statement;
  inTransaction(): boolean;
  close(): void;
}

export interface Statement {
  run(params: Params): Changes;
  get(params: Params): unknown;
  all(params: Params): unknown[];
  finalize(): void;
}
