import { ContinuoError } from "../../base/errors.ts";
import type { Database, Driver, Params, Statement, Value } from "./types.ts";

const NO_PARAMS: Params = [];

/** The implementation that Node and Bun share, on top of either driver. */
export function databaseOver(driver: Driver, path: string, readOnly: boolean): Database {
  const statements = statementCache((sql) => driver.prepare(sql));
  let depth = 0;
  let closed = false;

  function assertUsable(): void {
    if (closed) throw new Error(`${path} is closed`);
    // On a full disk SQLite rolls back by itself; code that caught that error would then run outside of any
    // transaction.
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
      // `sql` may change the schema, and in Node 22 and Bun 1.3 a prepared `SELECT *` keeps its old columns.
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
      // Bun closes the file only after its last statement is finalised; until then the -wal file remains.
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

interface Prepared {
  readonly statement: Statement;
  readonly expected: Expected;
}

interface StatementCache {
  get(sql: string): Prepared;
  clear(): void;
}

/**
 * Caches prepared statements, because preparing takes longer than most queries. Bounded, because SQL with a varying `IN
 * (…)` is never reused.
 */
export function statementCache(prepare: (sql: string) => Statement, limit = 128): StatementCache {
  const cache = new Map<string, Prepared>();
  return {
    get(sql) {
      const found = cache.get(sql);
      const prepared = found ?? { statement: prepare(sql), expected: expectedParams(sql) };
      // A Map keeps insertion order: moving a hit to the end makes the first key the least recently used.
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

/** The parameters that a statement expects: a number of positions, or a set of names. */
interface Expected {
  readonly count: number;
  readonly names: ReadonlySet<string>;
}

// Literals, quoted names and comments come first, so that a `?` or `$.path` inside them is not a parameter.
const TOKENS =
  /'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`|\[[^\]]*\]|--[^\n]*|\/\*[\s\S]*?\*\/|[:@$](?<name>[A-Za-z_]\w*)|\?(?<index>\d*)/g;

export function expectedParams(sql: string): Expected {
  const names = new Set<string>();
  let count = 0;
  for (const { groups } of sql.matchAll(TOKENS)) {
    if (groups?.["name"] !== undefined) names.add(groups["name"]);
    else if (groups?.["index"] !== undefined) count = Math.max(count + 1, Number(groups["index"]));
  }
  return { count, names };
}

/**
 * The runtimes differ: Node turns a missing parameter into NULL and refuses an unknown one, Bun does the reverse. Both
 * are programming errors, and an accidental NULL would be found only weeks later.
 */
function checkParams(sql: string, expected: Expected, params: Params): void {
  if (Array.isArray(params)) {
    const { count, names } = expected;
    if (names.size > 0) throw wrong(sql, `it takes names (${[...names].join(", ")}), not positions`);
    if (params.length !== count) throw wrong(sql, `it takes ${count} values, not ${params.length}`);
    for (const [index, value] of params.entries()) checkValue(sql, String(index + 1), value);
    return;
  }
  const given = params as Readonly<Record<string, Value>>;
  if (expected.count > 0) throw wrong(sql, "it takes positions, not names");
  for (const name of expected.names) {
    if (!Object.hasOwn(given, name)) throw wrong(sql, `"${name}" is missing`);
    checkValue(sql, name, given[name]);
  }
  const unknown = Object.keys(given).find((name) => !expected.names.has(name));
  if (unknown !== undefined) throw wrong(sql, `it has no "${unknown}"`);
}

function checkValue(sql: string, name: string, value: unknown): void {
  const type = typeof value;
  if (type === "string" || type === "number" || type === "bigint" || value === null) return;
  if (value instanceof Uint8Array) return;
  throw wrong(sql, `${name} is ${type === "object" ? "not a Uint8Array" : type}`);
}

function wrong(sql: string, why: string): TypeError {
  return new TypeError(`parameters do not fit: ${why}. In: ${sql.replaceAll(/\s+/g, " ").slice(0, 200)}`);
}
