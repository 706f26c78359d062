import { appendFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { appendRecord, readRecords } from "../../src/store/journal.ts";
import { temporaryFolder } from "../support/world.ts";

describe("journal", () => {
  it("starts the next number if a file is full, and loses nothing", () => {
    const journal = { folder: join(temporaryFolder(), "j"), prefix: "log", maxBytes: 200 };
    for (let i = 0; i < 40; i++) appendRecord(journal, { i });
    expect(readRecords(journal).records).toEqual(Array.from({ length: 40 }, (_, i) => ({ i })));
    expect(readdirSync(journal.folder).length).toBeGreaterThan(1);
  });

  it("keeps only as many files as asked", () => {
    const journal = { folder: join(temporaryFolder(), "j"), prefix: "log", maxBytes: 50, keep: 2 };
    for (let i = 0; i < 40; i++) appendRecord(journal, { i });
    expect(readdirSync(journal.folder)).toHaveLength(2);
    expect(readRecords(journal).records.at(-1)).toEqual({ i: 39 });
  });

  it("does not join a record to an incomplete line, and counts the damage", () => {
    const journal = { folder: join(temporaryFolder(), "j"), prefix: "log", maxBytes: 1000 };
    appendRecord(journal, { a: 1 });
    appendFileSync(join(journal.folder, "log-000001.jsonl"), '{"half":');
    appendRecord(journal, { b: 2 });
    expect(readRecords(journal)).toEqual({ records: [{ a: 1 }, { b: 2 }], damaged: 1 });
  });
});
