import { ContinuoError } from "../../base/errors.ts";
import { checkParams, statementCache } from "./statements.ts";
import type { Database, Driver, Params, Statement } from "./types.ts";

const NO_PARAMS: Params = [];

/** The half that Node and Bun share, on top of either driver. */
export function databaseOver(driver: Driver, path: string, readOnly: boolean): Database {
  const statements = statementCache((sql) => driver.prepare(sql));
  let depth = 0;
  let closed = false;

  function assertUsable(): void {
    if (closed) throw new Error(`${path} is closed`);
    // On a full disk SQLite rolls back by itself; code that caught that error would continue outside of any transaction.
    if (depth > 0 && !driver.inTransaction()) {
      throw new ContinuoError(
        "sqlite-rolled-back",
        `SQLite has already rolled back this transaction on ${path}`,
      );
    }
  }

  function statementFor(sql: string, params: Params): Statement {
    assertUsable();
    const { statement, expected } = statements.get(sql);
    if (params !== NO_PARAMS || expected.count + expected.names.size > 0) checkParams(sql, expected, params);
    return statement;
  }

  return {
    path,
    exec(sql) {
      assertUsable();
      // It may change the schema, and in Node 22 and Bun 1.3 a prepared `SELECT *` keeps its old columns.
      statements.clear();
      driver.exec(sql);
    },
    run: (sql, params = NO_PARAMS) => statementFor(sql, params).run(params),
    get: <T>(sql: string, params = NO_PARAMS) => statementFor(sql, params).get(params) as T | undefined,
    all: <T>(sql: string, params = NO_PARAMS) => statementFor(sql, params).all(params) as T[],
    tx(fn) {
      assertUsable();
      const [begin, commit, rollback] = depth === 0 ? outermost(readOnly) : savepoint(depth);
      driver.exec(begin);
      depth += 1;
      try {
        const result = fn();
        if (isThenable(result))
          throw new TypeError("tx takes a synchronous function: it would commit too early");
        driver.exec(commit);
        return result;
      } catch (error) {
        if (driver.inTransaction()) driver.exec(rollback);
        throw error;
      } finally {
        depth -= 1;
      }
    },
    close() {
      if (closed) return;
      closed = true;
      // Bun closes the file only once no statement is left; until then the -wal file remains.
      statements.clear();
      driver.close();
    },
  };
}

/**
 * IMMEDIATE, because a transaction that first reads and then writes fails at once, without waiting, if another process
 * wrote in between.
 */
function outermost(readOnly: boolean): [string, string, string] {
  return [readOnly ? "BEGIN" : "BEGIN IMMEDIATE", "COMMIT", "ROLLBACK"];
}

function savepoint(depth: number): [string, string, string] {
  const name = `nested_${depth}`;
  return [`SAVEPOINT ${name}`, `RELEASE ${name}`, `ROLLBACK TO ${name}; RELEASE ${name}`];
}

function isThenable(value: unknown): boolean {
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}
