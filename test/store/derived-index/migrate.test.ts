import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { openIndex } from "../../../src/store/derived-index/open.ts";
import { type Migration, SHAPE } from "../../../src/store/derived-index/shape.ts";
import { steps } from "./children.ts";

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), "continuo-index-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

function schemaAfter(file: string, sets: readonly (readonly Migration[])[]): unknown[] {
  const onRebuilt = vi.fn();
  for (const set of sets.slice(0, -1)) openIndex({ path: file, migrations: set, onRebuilt }).close();
  const db = openIndex({ path: file, migrations: sets.at(-1)!, onRebuilt });
  expect(onRebuilt).not.toHaveBeenCalled();
  const schema = db.all("SELECT type, name, sql FROM sqlite_schema ORDER BY type, name");
  const version = db.get("PRAGMA user_version");
  db.close();
  return [version, ...schema];
}

describe.each([
  ["five made-up steps", steps],
  ["the indexes' own", SHAPE],
])("migrating: %s", (_, all) => {
  const older = all.map((__, index) => index);

  it.each(older)("from version %i gives the schema of a new index", (version) => {
    const fresh = schemaAfter(path.join(dir, "fresh.db"), [all]);
    const upgraded = schemaAfter(path.join(dir, "old.db"), [all.slice(0, version), all, all]);
    expect(upgraded).toEqual(fresh);
  });
});

describe("a migration that fails", () => {
  const failing: Migration = {
    id: 6,
    name: "fails",
    up(db) {
      db.exec("CREATE TABLE half (a)");
      if (db.get("SELECT 1 FROM one") !== undefined) throw new Error("cannot do this content");
    },
  };

  it("on this content, gives up the content", () => {
    const file = path.join(dir, "index.db");
    const old = openIndex({ path: file, migrations: steps });
    old.run("INSERT INTO one VALUES (1)");
    old.close();
    const onRebuilt = vi.fn();
    const db = openIndex({ path: file, migrations: [...steps, failing], onRebuilt });
    expect(onRebuilt).toHaveBeenCalledExactlyOnceWith("cannot do this content", `${file}.bad-1`);
    expect(db.all("SELECT * FROM half")).toEqual([]);
    db.close();
  });

  it("on a new index, is a bug and is thrown, leaving nothing half done", () => {
    const always: Migration = {
      id: 6,
      name: "always",
      up: (db) => db.exec("CREATE TABLE half (a); nonsense"),
    };
    const file = path.join(dir, "index.db");
    expect(() => openIndex({ path: file, migrations: [...steps, always] })).toThrow(
      /new index is unusable.*nonsense/,
    );
    const db = openIndex({ path: file, migrations: steps });
    expect(() => db.all("SELECT * FROM half")).toThrow(/no such table/);
    db.close();
  });

  it("numbered wrongly, is refused before anything is touched", () => {
    const file = path.join(dir, "index.db");
    expect(() => openIndex({ path: file, migrations: steps.slice(1) })).toThrow(/has id 2/);
  });
});
