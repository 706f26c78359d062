import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import type { Driver, Params, Statement, Value } from "./types.ts";

export type NodeSqlite = typeof import("node:sqlite");

export function nodeDriver(sqlite: NodeSqlite, path: string, readOnly: boolean): Driver {
  const db: DatabaseSync = new sqlite.DatabaseSync(path, { readOnly });
  return {
    exec: (sql) => db.exec(sql),
    prepare: (sql) => statement(db.prepare(sql)),
    inTransaction: () => db.isTransaction,
    close: () => db.close(),
  };
}

function statement(raw: StatementSync): Statement {
  return {
    run(params) {
      const { changes, lastInsertRowid } = raw.run(...bind(params));
      return { changes: Number(changes), lastId: Number(lastInsertRowid) };
    },
    get: (params) => raw.get(...bind(params)),
    all: (params) => raw.all(...bind(params)),
    // Node has no call for this: closing the connection, or garbage collection, does it.
    finalize: () => undefined,
  };
}

// The type allows one named object first, then values; both are passed as arguments, in order.
type Arguments = SQLInputValue[];

function bind(params: Params): Arguments {
  if (Array.isArray(params)) return params.map(integer);
  const named = Object.entries(params as Record<string, Value>).map(([name, value]) => [
    name,
    integer(value),
  ]);
  return named.length === 0 ? [] : [Object.fromEntries(named) as unknown as SQLInputValue];
}

/** Node binds every Number as REAL, so `?/2` of 3 is 1.5 and `typeof(?)` is real; Bun binds integers as such. */
function integer(value: Value): SQLInputValue {
  return typeof value === "number" && Number.isSafeInteger(value) ? BigInt(value) : value;
}
