import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ContinuoError } from "../../../src/base/errors.ts";
import { mergeSome } from "../../../src/search/merge.ts";
import type { TextMeaning } from "../../../src/search/vectors/embed-texts.ts";
import { refreshVectors } from "../../../src/search/vectors/refresh.ts";
import { openDatabase } from "../../../src/store/sqlite/open.ts";
import { temporaryFolder } from "../../support/world.ts";
import { storedVectors } from "./stored.ts";
import { emptyIndex, put } from "./text-index.ts";
import { wordMeaning } from "./word-meaning.ts";

type Notes = Map<number, readonly string[]>;

const textsIn = (notes: Notes) => (ids: readonly number[]) =>
  new Map([...notes].filter(([note]) => ids.includes(note)));

function madeAtOnce(notes: Notes): Map<number, string[]> {
  const db = emptyIndex();
  put(db, notes, wordMeaning());
  const made = storedVectors(db);
  db.close();
  return made;
}

const never = (): boolean => false;
const manyNotes = (count: number, passages: number): Notes =>
  new Map(
    Array.from({ length: count }, (_, note) => [
      note + 1,
      Array.from({ length: passages }, (_, at) => (at % 7 === 3 ? " " : `note${note} passage${at}`)),
    ]),
  );

const text = fc.constantFrom("cache", "login page", "", "\n", "!?", "\u0000", "窓 cache", "\ud800 x");
const step = fc.record({
  notes: fc.array(fc.tuple(fc.integer({ min: 1, max: 9 }), fc.array(text, { maxLength: 4 })), {
    maxLength: 4,
  }),
  made: fc.constantFrom("words-1", "words-2", undefined),
  merges: fc.boolean(),
});

describe("pending vectors", () => {
  it("are made once, although another process with another table makes them again and again", async () => {
    const db = emptyIndex();
    const notes = manyNotes(8, 100);
    put(db, notes, wordMeaning("words-2"));
    let parts = 0;
    const contested = async (ids: readonly number[]) => {
      expect(++parts).toBeLessThanOrEqual(4);
      await refreshVectors(db, () => wordMeaning("words-2"), textsIn(notes), never);
      return textsIn(notes)(ids);
    };
    await refreshVectors(db, () => wordMeaning(), contested, never);
    expect(parts).toBe(4);
    db.close();
  });

  it("of any tables, merged or not, become those of the table at hand", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 14 }), async (steps) => {
        const db = emptyIndex();
        const notes: Notes = new Map();
        for (const { notes: given, made, merges } of steps) {
          const changed = new Map(given);
          for (const [note, texts] of changed) notes.set(note, texts);
          put(db, changed, made === undefined ? undefined : wordMeaning(made));
          if (merges) mergeSome(db);
        }
        expect(await refreshVectors(db, () => wordMeaning(), textsIn(notes), never)).toBe(true);
        expect(storedVectors(db)).toEqual(madeAtOnce(notes));
        db.close();
      }),
      { numRuns: 60 },
    );
  });

  it("are made a part at a time: stopped anywhere, continued, nothing is made twice", async () => {
    const db = emptyIndex();
    const notes = manyNotes(30, 40); // notes that lie in two parts
    put(db, notes, undefined);
    expect([...storedVectors(db).values()].flat().every((one) => one === "pending")).toBe(true);
    const meaning = wordMeaning();
    let calls = 0;
    let slices = 1;
    const onePart = (): boolean => calls++ % 2 === 1;
    while (!(await refreshVectors(db, () => meaning, textsIn(notes), onePart))) slices++;
    expect(slices).toBe(5);
    expect(storedVectors(db)).toEqual(madeAtOnce(notes));
    const { embedded } = meaning;
    expect(embedded).toBe([...notes.values()].flat().filter((one) => one.trim() !== "").length);
    expect(await refreshVectors(db, () => meaning, textsIn(notes), never)).toBe(true);
    expect(meaning.embedded).toBe(embedded);
    db.close();
  });

  it("are made by two connections at once, while a third changes and merges the notes", async () => {
    const path = join(temporaryFolder(), "index.db");
    const dbs = [emptyIndex(path), openDatabase(path), openDatabase(path)];
    const [first, second, third] = dbs;
    if (first === undefined || second === undefined || third === undefined) throw new Error("unreachable");
    const notes = manyNotes(60, 30);
    for (const [note, texts] of notes) put(first, new Map([[note, texts]]), undefined);
    const slowly = async (ids: readonly number[]) => {
      await new Promise((resolve) => setImmediate(resolve));
      return textsIn(notes)(ids);
    };
    const change = async (): Promise<void> => {
      for (let note = 1; note <= 60; note += 7) {
        notes.set(note, [`changed${note}`]);
        put(third, new Map([[note, [`changed${note}`]]]), note % 2 === 0 ? undefined : wordMeaning());
        mergeSome(third);
        await new Promise((resolve) => setImmediate(resolve));
      }
    };
    await Promise.all([
      refreshVectors(first, () => wordMeaning(), slowly, never),
      refreshVectors(second, () => wordMeaning(), slowly, never),
      change(),
    ]);
    await refreshVectors(first, () => wordMeaning(), slowly, never);
    expect(storedVectors(second)).toEqual(madeAtOnce(notes));
    for (const db of dbs) db.close();
  });

  it("stay pending without a table and with a damaged one; what was made before is kept", async () => {
    const db = emptyIndex();
    const notes = manyNotes(2, 3);
    put(db, notes, undefined);
    const made = storedVectors(db);
    expect(await refreshVectors(db, () => undefined, textsIn(notes), never)).toBe(true);
    const damaged: TextMeaning = {
      version: "words-1",
      embed() {
        throw new ContinuoError("meaning-damaged", "the table is damaged");
      },
    };
    expect(await refreshVectors(db, () => damaged, textsIn(notes), never)).toBe(true);
    expect(storedVectors(db)).toEqual(made);
    db.close();
  });

  it("of notes whose text is not available are left out, the others are made", async () => {
    const db = emptyIndex();
    const notes = manyNotes(4, 2);
    put(db, notes, undefined);
    const some = new Map([...notes].filter(([note]) => note !== 2));
    expect(await refreshVectors(db, () => wordMeaning(), textsIn(some), never)).toBe(true);
    const expected = madeAtOnce(notes);
    expect(storedVectors(db)).toEqual(expected.set(2, ["", ""]));
    db.close();
  });

  it("do not open the table for an index without passages", async () => {
    const db = emptyIndex();
    const opened = (): TextMeaning => {
      throw new Error("opened");
    };
    expect(await refreshVectors(db, opened, () => new Map(), never)).toBe(true);
    db.close();
  });
});
