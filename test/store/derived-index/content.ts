import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Migration } from "../../../src/store/derived-index/shape.ts";
import type { Database } from "../../../src/store/sqlite/types.ts";

/** What the tests' index is made of: the lines of all files in a folder. */
export const CONTENT: readonly Migration[] = [
  {
    id: 1,
    name: "content",
    up: (db) =>
      db.exec(`
        CREATE TABLE file (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
        CREATE TABLE entry (
          id INTEGER PRIMARY KEY, file INTEGER NOT NULL REFERENCES file (id) ON DELETE CASCADE, body TEXT NOT NULL
        );
      `),
  },
];

type Row = readonly [name: string, body: string];

/** Fills the index with the files that it does not have yet; returns how many rows were added. */
export function fill(db: Database, dir: string): number {
  return db.tx(() => {
    let rows = 0;
    for (const name of readdirSync(dir)) {
      const added = db.get<{ id: number }>("INSERT OR IGNORE INTO file (name) VALUES (?) RETURNING id", [
        name,
      ]);
      if (added === undefined) continue;
      for (const body of linesOf(path.join(dir, name)))
        rows += db.run("INSERT INTO entry (file, body) VALUES (?, ?)", [added.id, body]).changes;
    }
    return rows;
  });
}

export function rowsOf(db: Database): Row[] {
  const sql = "SELECT name, body FROM entry JOIN file ON file.id = entry.file ORDER BY name, entry.id";
  return db.all<{ name: string; body: string }>(sql).map(({ name, body }) => [name, body]);
}

export function rowsInFiles(dir: string): Row[] {
  return readdirSync(dir)
    .sort()
    .flatMap((name) => linesOf(path.join(dir, name)).map((body): Row => [name, body]));
}

function linesOf(file: string): string[] {
  return readFileSync(file, "utf8").split("\n").slice(0, -1);
}
