import type { Driver, Params, Statement, Value } from "./types.ts";

/** The part of bun:sqlite in use; Bun's own types would bring its globals into every file. */
export interface BunSqlite {
  readonly Database: new (
    path: string,
    options: { readonly?: boolean; readwrite?: boolean; create?: boolean; strict: boolean },
  ) => BunDatabase;
}

interface BunDatabase {
  readonly inTransaction: boolean;
  run(sql: string): unknown;
  prepare(sql: string): BunStatement;
  close(): void;
}

interface BunStatement {
  run(...params: unknown[]): { changes: number; lastInsertRowid: number | bigint };
  get(...params: unknown[]): unknown;
  all(...params: unknown[]): unknown[];
  finalize(): void;
}

export function bunDriver(sqlite: BunSqlite, path: string, readOnly: boolean): Driver {
  const mode = readOnly ? { readonly: true } : { readwrite: true, create: true };
  // strict: parameter names without their prefix, as on Node.
  const db = new sqlite.Database(path, { ...mode, strict: true });
  return {
    exec: (sql) => void db.run(sql),
    prepare: (sql) => statement(db.prepare(sql)),
    inTransaction: () => db.inTransaction,
    close: () => db.close(),
  };
}

function statement(raw: BunStatement): Statement {
  return {
    run(params) {
      const { changes, lastInsertRowid } = raw.run(...bind(params));
      return { changes, lastId: Number(lastInsertRowid) };
    },
    get: (params) => raw.get(...bind(params)) ?? undefined,
    all: (params) => raw.all(...bind(params)),
    finalize: () => raw.finalize(),
  };
}

function bind(params: Params): unknown[] {
  if (Array.isArray(params)) return params.map(wellFormed);
  const named = Object.entries(params as Record<string, Value>).map(([name, value]) => [
    name,
    wellFormed(value),
  ]);
  return named.length === 0 ? [] : [Object.fromEntries(named)];
}

/** Bun 1.3 fuses half a surrogate pair (a string cut mid-emoji) with its neighbour; Node stores U+FFFD. */
function wellFormed(value: Value): Value {
  return typeof value === "string" ? (value as string & { toWellFormed(): string }).toWellFormed() : value;
}
