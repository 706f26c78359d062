import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import path from "node:path";
import { Sqlite, sqliteCode } from "../../../src/store/sqlite/errors.ts";
import type { Database, OpenOptions } from "../../../src/store/sqlite/types.ts";
import { runChildren } from "./children.ts";

/**
 * What every SQLite driver must do. Uses node:assert only: the same cases run under vitest and, bundled, on
 * runtimes that vitest does not run on.
 */
export interface Setting {
  /** An empty folder for this case only. */
  readonly dir: string;
  /** The file that this runtime starts as a child process. */
  readonly program: string;
  open(file: string, options?: OpenOptions): Database;
}

export interface Case {
  readonly name: string;
  run(setting: Setting): void | Promise<void>;
}

const plain = (rows: unknown): unknown => JSON.parse(JSON.stringify(rows));

function withTable({ open }: Setting, columns: string): Database {
  const db = open("a.db");
  db.exec(`CREATE TABLE t (${columns})`);
  return db;
}

export const sqliteContract: readonly Case[] = [
  {
    name: "opens with WAL, NORMAL, foreign keys and a busy timeout",
    run({ open }) {
      const db = open("a.db");
      assert.deepEqual(plain(db.get("PRAGMA journal_mode")), { journal_mode: "wal" });
      assert.deepEqual(plain(db.get("PRAGMA synchronous")), { synchronous: 1 });
      assert.deepEqual(plain(db.get("PRAGMA foreign_keys")), { foreign_keys: 1 });
      assert.deepEqual(plain(db.get("PRAGMA busy_timeout")), { timeout: 2000 });
      assert.equal(path.basename(db.path), "a.db");
    },
  },
  {
    name: "run tells what changed; get gives one row or undefined; all gives every row",
    run(setting) {
      const db = withTable(setting, "id INTEGER PRIMARY KEY, a TEXT");
      assert.deepEqual(db.run("INSERT INTO t (a) VALUES ('x'), ('y')"), { changes: 2, lastId: 2 });
      assert.deepEqual(db.run("UPDATE t SET a = 'z' WHERE id = ?", [9]).changes, 0);
      assert.deepEqual(plain(db.get("SELECT * FROM t WHERE id = ?", [1])), { id: 1, a: "x" });
      assert.equal(db.get("SELECT * FROM t WHERE id = ?", [3]), undefined);
      assert.deepEqual(plain(db.all("SELECT a FROM t ORDER BY id")), [{ a: "x" }, { a: "y" }]);
      assert.deepEqual(db.all("SELECT a FROM t WHERE id > ?", [2]), []);
      assert.deepEqual(plain(db.get("INSERT INTO t (a) VALUES ('r') RETURNING id")), { id: 3 });
      assert.equal(db.all("SELECT 1 FROM t").length, 3);
    },
  },
  {
    name: "takes named parameters without prefix, whichever prefix the SQL uses, also twice",
    run({ open }) {
      const row = open("a.db").get("SELECT $a AS a, :b AS b, @c AS c, $a AS again", {
        a: 1,
        b: "two",
        c: null,
      });
      assert.deepEqual(plain(row), { a: 1, b: "two", c: null, again: 1 });
    },
  },
  {
    name: "refuses parameters that do not fit, instead of storing NULL",
    run({ open }) {
      const db = open("a.db");
      const fits = { name: "TypeError", message: /parameters do not fit/ };
      assert.throws(() => db.get("SELECT $a, $b", { a: 1 }), fits);
      assert.throws(() => db.get("SELECT $a", { a: 1, z: 2 }), fits);
      assert.throws(() => db.get("SELECT ?, ?", [1]), fits);
      assert.throws(() => db.get("SELECT ?", [1, 2]), fits);
      assert.throws(() => db.get("SELECT ?"), fits);
      assert.throws(() => db.get("SELECT ?", { a: 1 }), fits);
      assert.throws(() => db.get("SELECT $a", [1]), fits);
      assert.throws(() => db.get("SELECT ?", [undefined as unknown as null]), fits);
      assert.throws(() => db.get("SELECT $a", { a: true as unknown as null }), fits);
      const odd = db.get("SELECT '?:x' AS a, '$.b' AS \"c?\", ? AS d -- ?", [1]);
      assert.deepEqual(plain(odd), { a: "?:x", "c?": "$.b", d: 1 });
    },
  },
  {
    name: "keeps integers integers and returns them as Number",
    run({ open }) {
      const db = open("a.db");
      const sql = "SELECT typeof(?) AS a, ? / 2 AS b, ? AS c, ? AS d, typeof(?) AS e, ? AS f";
      const row = db.get(sql, [1, 3, 2 ** 40, -(2 ** 53 - 1), 1.5, 10n]);
      assert.deepEqual(plain(row), { a: "integer", b: 1, c: 2 ** 40, d: -(2 ** 53 - 1), e: "real", f: 10 });
      assert.deepEqual(plain(db.get("SELECT typeof($n) AS a, $n / 2 AS b", { n: 7 })), {
        a: "integer",
        b: 3,
      });
    },
  },
  {
    name: "keeps blobs as Uint8Array, also empty ones and Buffers",
    run(setting) {
      const db = withTable(setting, "id INTEGER PRIMARY KEY, b BLOB");
      const bytes = Uint8Array.from({ length: 70_000 }, (_, index) => index % 256);
      for (const blob of [bytes, new Uint8Array(0), Buffer.from(bytes.subarray(3, 9))]) {
        const { lastId } = db.run("INSERT INTO t (b) VALUES (?)", [blob]);
        const row = db.get<{ b: Uint8Array; t: string }>("SELECT b, typeof(b) AS t FROM t WHERE id = ?", [
          lastId,
        ]);
        assert.ok(row && row.b instanceof Uint8Array && row.t === "blob");
        assert.ok(Buffer.from(row.b).equals(blob));
      }
    },
  },
  {
    name: "keeps unicode, and replaces half a surrogate pair",
    run(setting) {
      const db = withTable(setting, "a TEXT");
      for (const text of [
        "",
        "naïve café",
        "日本語 한국어 עברית",
        "👩🏽‍💻🇪🇺",
        "e\u0301 \u200b\ufeff",
        "a'b\"c\\d\n\t$x?",
      ]) {
        assert.deepEqual(plain(db.get("SELECT ? AS a, ? AS b", [text, text])), {
          a: text,
          b: text,
        });
        db.run("INSERT INTO t VALUES ($a)", { a: text });
        assert.equal(db.all("SELECT 1 FROM t WHERE a = ?", [text]).length, 1);
      }
      assert.deepEqual(plain(db.get("SELECT ? AS a", ["cut \ud83d|"])), { a: "cut \ufffd|" });
      assert.deepEqual(plain(db.get("SELECT $a AS a", { a: "cut \ud83d" })), { a: "cut \ufffd" });
    },
  },
  {
    name: "reuses a statement: other values, after an error, after the schema changed",
    run(setting) {
      const db = withTable(setting, "id INTEGER PRIMARY KEY");
      const insert = "INSERT INTO t (id) VALUES (?)";
      for (let id = 1; id <= 300; id += 1) db.run(insert, [id]);
      assert.throws(() => db.run(insert, [7]), /UNIQUE/);
      assert.equal(db.run(insert, [301]).changes, 1);
      assert.deepEqual(plain(db.get("SELECT * FROM t WHERE id = ?", [301])), { id: 301 });
      db.exec("ALTER TABLE t ADD COLUMN more TEXT DEFAULT 'm'");
      assert.deepEqual(plain(db.get("SELECT * FROM t WHERE id = ?", [301])), { id: 301, more: "m" });
      for (let n = 0; n < 400; n += 1) assert.deepEqual(plain(db.get(`SELECT ${n} AS n`)), { n });
    },
  },
  {
    name: "get leaves nothing open: other writes are seen and the log can be emptied",
    run(setting) {
      const { open } = setting;
      const db = withTable(setting, "id INTEGER PRIMARY KEY");
      for (const id of [1, 2, 3]) db.run("INSERT INTO t VALUES (?)", [id]);
      const other = open("a.db");
      assert.deepEqual(plain(other.get("SELECT id FROM t ORDER BY id")), { id: 1 });
      db.run("INSERT INTO t VALUES (0)");
      assert.deepEqual(plain(other.get("SELECT id FROM t ORDER BY id")), { id: 0 });
      assert.equal(db.get<{ busy: number }>("PRAGMA wal_checkpoint(TRUNCATE)")?.busy, 0);
    },
  },
  {
    name: "finds text with FTS5, ranked",
    run({ open }) {
      const db = open("a.db");
      db.exec("CREATE VIRTUAL TABLE f USING fts5(body, tokenize = 'porter unicode61')");
      for (const body of ["compaction loses context", "context context context", "cafés in Zürich"]) {
        db.run("INSERT INTO f (body) VALUES (?)", [body]);
      }
      const find = (query: string) =>
        db
          .all<{ rowid: number }>("SELECT rowid FROM f WHERE f MATCH ? ORDER BY bm25(f)", [query])
          .map((r) => r.rowid);
      assert.deepEqual(find("context"), [2, 1]);
      assert.deepEqual(find("compacted"), [1]);
      assert.deepEqual(find("cafe AND zurich"), [3]);
      assert.throws(() => find('"unclosed'));
      assert.deepEqual(find("nothing"), []);
    },
  },
  {
    name: "tx commits, returns, rolls back on throw, and nests as savepoints",
    run(setting) {
      const db = withTable(setting, "id INTEGER PRIMARY KEY");
      const add = (id: number) => db.run("INSERT INTO t VALUES (?)", [id]);
      const ids = () => db.all<{ id: number }>("SELECT id FROM t").map((row) => row.id);
      assert.equal(
        db.tx(() => add(1).lastId),
        1,
      );
      const stop = new Error("stop");
      const failing = (id: number) => () => {
        add(id);
        throw stop;
      };
      const nestedThenFailing = (id: number) => () => {
        db.tx(() => add(id));
        failing(id + 1)();
      };
      assert.throws(() => db.tx(failing(2)), stop);
      assert.deepEqual(ids(), [1]);
      db.tx(() => {
        add(3);
        assert.throws(() => db.tx(failing(4)), stop);
        db.tx(() => db.tx(() => add(5)));
        assert.throws(() => db.tx(nestedThenFailing(6)), stop);
      });
      assert.deepEqual(ids(), [1, 3, 5]);
      assert.throws(() => db.tx(nestedThenFailing(8)), stop);
      assert.deepEqual(ids(), [1, 3, 5]);
    },
  },
  {
    name: "tx refuses an asynchronous function and rolls it back",
    run(setting) {
      const db = withTable(setting, "id INTEGER PRIMARY KEY");
      assert.throws(() => db.tx(async () => db.run("INSERT INTO t VALUES (1)")), TypeError);
      assert.deepEqual(db.all("SELECT * FROM t"), []);
      db.tx(() => db.run("INSERT INTO t VALUES (2)"));
    },
  },
  {
    name: "after SQLite rolled back by itself, the same tx writes no more",
    run(setting) {
      const db = withTable(setting, "b BLOB");
      db.exec("PRAGMA max_page_count = 10");
      const fill = () => {
        for (;;) db.run("INSERT INTO t VALUES (zeroblob(3000))");
      };
      const goOn = () => {
        assert.throws(fill, (error) => sqliteCode(error) === Sqlite.full);
        db.run("INSERT INTO t VALUES (zeroblob(1))");
      };
      assert.throws(() => db.tx(goOn), { code: "sqlite-rolled-back" });
      assert.deepEqual(db.all("SELECT * FROM t"), []);
      db.tx(() => db.run("INSERT INTO t VALUES (zeroblob(1))"));
      assert.equal(db.all("SELECT * FROM t").length, 1);
    },
  },
  {
    name: "readOnly reads, also in a tx, and refuses to write or to create",
    run(setting) {
      const db = withTable(setting, "id INTEGER PRIMARY KEY");
      db.run("INSERT INTO t VALUES (1)");
      const reader = setting.open("a.db", { readOnly: true });
      assert.deepEqual(plain(reader.tx(() => reader.all("SELECT id FROM t"))), [{ id: 1 }]);
      const refused = (error: unknown) => sqliteCode(error) === Sqlite.readOnly;
      assert.throws(() => reader.run("INSERT INTO t VALUES (2)"), refused);
      assert.throws(() => reader.exec("CREATE TABLE u (a)"), refused);
      const missing = (error: unknown) => sqliteCode(error) === Sqlite.cantOpen;
      assert.throws(() => setting.open("none.db", { readOnly: true }), missing);
      assert.equal(existsSync(path.join(setting.dir, "none.db")), false);
    },
  },
  {
    name: "waits for another's lock, then says busy",
    run(setting) {
      const db = withTable(setting, "id INTEGER PRIMARY KEY");
      const other = setting.open("a.db", { busyTimeoutMs: 60 });
      db.tx(() => {
        const begun = performance.now();
        const busy = (error: unknown) => sqliteCode(error) === Sqlite.busy;
        assert.throws(() => other.tx(() => undefined), busy);
        assert.throws(() => other.run("INSERT INTO t VALUES (1)"), busy);
        assert.ok(performance.now() - begun > 90);
      });
      other.tx(() => other.run("INSERT INTO t VALUES (1)"));
    },
  },
  {
    name: "close may be called twice, leaves no log behind, and ends all use",
    run(setting) {
      const db = withTable(setting, "id INTEGER PRIMARY KEY");
      db.all("SELECT * FROM t WHERE id = ?", [1]);
      assert.ok(existsSync(`${db.path}-wal`));
      db.close();
      db.close();
      assert.equal(existsSync(`${db.path}-wal`), false);
      assert.throws(() => db.get("SELECT 1"), /is closed/);
      assert.throws(() => db.tx(() => 1), /is closed/);
    },
  },
  {
    name: "processes that create the same file at the same moment all get it",
    async run({ dir, program }) {
      await runChildren(
        program,
        [1, 2, 3, 4].map(() => ["create", dir, "80"]),
      );
    },
  },
  {
    name: "four processes create the file and write 100 transactions each: every row, sound file",
    async run({ dir, program, open }) {
      const file = path.join(dir, "shared.db");
      await runChildren(
        program,
        [1, 2, 3, 4].map((writer) => ["write", file, String(writer), "100"]),
      );
      const db = open("shared.db");
      const rows = db.all<{ writer: number; n: number }>(
        "SELECT writer, count(DISTINCT i) AS n FROM w GROUP BY writer",
      );
      assert.deepEqual(
        plain(rows),
        [1, 2, 3, 4].map((writer) => ({ writer, n: 100 })),
      );
      assert.deepEqual(plain(db.get("SELECT count(*) AS n FROM f WHERE f MATCH 'row'")), { n: 400 });
      assert.deepEqual(plain(db.get("PRAGMA integrity_check")), { integrity_check: "ok" });
    },
  },
];
