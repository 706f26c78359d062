import { join } from "node:path";
import { expect, it } from "vitest";
import { fingerprint } from "../../../src/base/fingerprint.ts";
import { openIndex } from "../../../src/store/derived-index/open.ts";
import { SHAPE, shape } from "../../../src/store/derived-index/shape.ts";
import { REDACTION } from "../../../src/store/redact.ts";
import type { Database } from "../../../src/store/sqlite/types.ts";
import { temporaryFolder } from "../../support/world.ts";

const BASE = "CREATE TABLE kept (a TEXT); CREATE TABLE also (b TEXT);";
const words = (column: string) => ({
  schema: `CREATE TABLE words (${column} TEXT); INSERT INTO words SELECT a FROM kept;`,
  earlier: [] as readonly string[],
});
const open = (): Database => openIndex({ path: join(temporaryFolder(), "index.db"), migrations: SHAPE });
const rows = (db: Database, table: string) =>
  db.all<object>(`SELECT * FROM ${table}`).map((row) => ({ ...row }));

it("derived tables that change are made again, from the other tables, which are kept", () => {
  const db = open();
  shape(db, BASE, words("x"));
  db.exec(
    "INSERT INTO kept VALUES ('heron'); INSERT INTO words VALUES ('lost'); CREATE INDEX by_x ON words (x)",
  );
  shape(db, BASE, words("x"));
  expect(rows(db, "words")).toEqual([{ x: "lost" }]);
  shape(db, BASE, words("y"));
  expect(rows(db, "kept")).toEqual([{ a: "heron" }]);
  expect(rows(db, "words")).toEqual([{ y: "heron" }]);
  db.close();
});

it("everything is emptied when the other tables change", () => {
  const db = open();
  shape(db, BASE, words("x"));
  db.exec("INSERT INTO kept VALUES ('heron')");
  shape(db, `${BASE} -- more`, words("x"));
  expect(rows(db, "kept")).toEqual([]);
  expect(rows(db, "words")).toEqual([]);
  db.close();
});

it("an index from before there were derived tables is kept if it is listed", () => {
  const before = `${BASE} CREATE TABLE words (old TEXT);`;
  for (const [earlier, kept] of [
    [[fingerprint(`${before} redaction ${REDACTION}`)], ["heron"]],
    [[], []],
  ] as const) {
    const db = open();
    shape(db, before);
    db.exec("INSERT INTO kept VALUES ('heron')");
    shape(db, BASE, { ...words("x"), earlier });
    expect(rows(db, "kept")).toEqual(kept.map((a) => ({ a })));
    expect(rows(db, "words")).toEqual(kept.map((x) => ({ x })));
    db.close();
  }
});

it("when more is redacted, only the derived tables are made again, and an index without them is emptied", () => {
  const earlier = (schema: string) => fingerprint(`${schema} redaction ${REDACTION - 1}`);
  const db = open();
  shape(db, BASE, words("x"));
  db.exec("INSERT INTO kept VALUES ('heron'); INSERT INTO words VALUES ('lost')");
  db.run("UPDATE shape SET fingerprint = ?", [`${earlier(BASE)} ${fingerprint(words("x").schema)}`]);
  shape(db, BASE, words("x"));
  expect(rows(db, "words")).toEqual([{ x: "heron" }]);
  db.run("UPDATE shape SET fingerprint = ?", [earlier(BASE)]);
  shape(db, BASE);
  expect(rows(db, "kept")).toEqual([]);
  db.close();
});
