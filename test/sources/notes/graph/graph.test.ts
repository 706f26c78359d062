import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DEFAULT_DECAY, decaySettings, decayWeight } from "../../../../src/sources/notes/decay.ts";
import { buildContext, previewOf } from "../../../../src/sources/notes/graph/build-context.ts";
import {
  communitySiblings,
  detectCommunities,
  updateCommunities,
} from "../../../../src/sources/notes/graph/communities.ts";
import { directRelations, expandedRelations } from "../../../../src/sources/notes/graph/relations.ts";
import { similarConcepts } from "../../../../src/sources/notes/graph/similar.ts";
import { DAY, LOOK, library, NOW, uriOf } from "./library.ts";

describe("relations of a concept", () => {
  it("count the notes that name both, and rank fresh ones before old ones", () => {
    const { db, put } = library();
    put("one", ["cache", "prompt", "host"]);
    put("two", ["cache", "prompt"], 1);
    for (const name of ["x", "y", "z"]) put(name, ["cache", "attic"], 400);
    const relations = directRelations(db, "cache", 10, LOOK);
    expect(relations.map(({ name, notes }) => [name, notes])).toEqual([
      ["prompt", 2],
      ["host", 1],
      ["attic", 3],
    ]);
    expect(relations[0]?.files).toEqual([uriOf("one"), uriOf("two")]);
  });

  it("are those of the current notes: an edit or a deletion leaves nothing behind", () => {
    const { db, put, remove } = library();
    put("one", ["a", "b"]);
    put("two", ["a", "b"]);
    put("one", ["a", "c"]);
    remove("two");
    expect(directRelations(db, "a", 10, LOOK).map(({ name }) => name)).toEqual(["c"]);
    expect(directRelations(db, "b", 10, LOOK)).toEqual([]);
    expect(db.all("SELECT name FROM concept ORDER BY name")).toMatchObject([{ name: "a" }, { name: "c" }]);
  });

  it("after any sequence of changes are those of the remaining notes", () => {
    const name = fc.constantFrom("n1", "n2", "n3", "n4");
    const concepts = fc.uniqueArray(fc.constantFrom("a", "b", "c", "d", "e"), { maxLength: 4 });
    const step = fc.oneof(
      fc.tuple(fc.constant("put"), name, concepts),
      fc.tuple(fc.constant("remove"), name),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
        const changed = library();
        const left = new Map<string, readonly string[]>();
        for (const [what, note, named = []] of steps) {
          if (what === "put") changed.put(note, named);
          else changed.remove(note);
          if (what === "put") left.set(note, named);
          else left.delete(note);
        }
        const rebuilt = library();
        for (const [note, named] of [...left].sort()) rebuilt.put(note, named);
        for (const { db } of [changed, rebuilt]) updateCommunities(db);
        for (const concept of ["a", "b", "c", "d", "e"]) {
          const context = (of: typeof changed) =>
            buildContext(of.db, { conceptName: concept, depth: 3 }, LOOK, () => undefined);
          expect(context(changed)).toEqual(context(rebuilt));
        }
        expect(facts(changed)).toEqual(facts(rebuilt));
      }),
      { numRuns: 60 },
    );
  });

  it("of a note with ten thousand links are those of its first links, not fifty million pairs", () => {
    const { db, put } = library();
    put(
      "huge",
      Array.from({ length: 10_000 }, (_, i) => `c${i}`),
    );
    expect(directRelations(db, "c1", 20, LOOK)).toHaveLength(20);
    expect(count(db, "mention")).toBe(10_000);
    expect(count(db, "edge")).toBe(64 * 63);
    put("huge", ["c1"]);
    expect(count(db, "edge")).toBe(0);
  });

  it("may be none: a concept alone in a note, or far down in a long list, still leads to its notes", () => {
    const { db, put } = library();
    const many = Array.from({ length: 80 }, (_, i) => `c${i}`);
    put("long", many);
    put("alone", ["slo"], 3);
    put("new", ["slo"]);
    const contextOf = (conceptName: string) => buildContext(db, { conceptName }, LOOK, () => undefined);
    expect(contextOf("c79")).toMatchObject({ direct: [], notes: [uriOf("long")] });
    expect(contextOf("slo")).toMatchObject({ direct: [], notes: [uriOf("new"), uriOf("alone")] });
    expect(contextOf("c1")).toMatchObject({ notes: [uriOf("long")] });
    expect(contextOf("unknown").notes).toEqual([]);
  });

  it("are followed in steps, each concept once, and not beyond the given depth", () => {
    const { db, put } = library();
    put("1", ["a", "b"]);
    put("2", ["b", "c"]);
    put("3", ["c", "d"]);
    put("4", ["d", "e"]);
    const names = (depth: number) =>
      expandedRelations(db, "a", { depth, limit: 10 }).map(({ name, hops }) => `${name}${hops}`);
    expect(names(1)).toEqual([]);
    expect(names(2)).toEqual(["c2"]);
    expect(names(4)).toEqual(["c2", "d3", "e4"]);
    expect(expandedRelations(db, "a", { depth: 9, limit: 2 })).toHaveLength(2);
  });
});

describe("communities", () => {
  it("are two when two groups are joined by one weak edge", () => {
    const clique = (from: number) => [
      { a: from, b: from + 1, weight: 3 },
      { a: from + 1, b: from + 2, weight: 3 },
      { a: from, b: from + 2, weight: 3 },
    ];
    expect(detectCommunities(6, [...clique(0), ...clique(3), { a: 2, b: 3, weight: 1 }])).toEqual([
      0, 0, 0, 1, 1, 1,
    ]);
  });

  it("are deleted when a note changes, and show siblings that no note names together", () => {
    const { db, put } = library();
    for (const shared of ["x", "y", "z"]) {
      put(`p-${shared}`, ["postgres", shared]);
      put(`m-${shared}`, ["mysql", shared]);
    }
    for (const base of ["base", "again"]) put(base, ["x", "y", "z"]);
    put("far", ["cat", "dog"]);
    updateCommunities(db);
    expect(communitySiblings(db, "postgres")).toMatchObject([
      { name: "mysql", sharedNeighbours: 3, overlap: 1 },
    ]);
    put("far", ["cat", "bird"]);
    expect(communitySiblings(db, "postgres")).toEqual([]);
  });
});

describe("similar concepts", () => {
  it("are those with a similar spelling and those with the same neighbours", () => {
    const { db, put } = library();
    put("1", ["postgres", "sql", "index"]);
    put("2", ["postgresql", "sql", "index"]);
    put("3", ["cat", "dog"]);
    const names = similarConcepts(db, "postgres", 5).map(({ name }) => name);
    expect(names[0]).toBe("postgresql");
    expect(names).not.toContain("cat");
  });
});

describe("the preview of a note for a concept", () => {
  it("is the section that links the concept, in whole sentences", () => {
    const body = `# T\n\nIntro.\n\n## One\n\nAbout cats.\n\n## Two\n\nAbout [[Prompt Cache]]. ${"More words. ".repeat(60)}`;
    expect(previewOf(body, "prompt-cache")).toMatch(/^## Two\n\nAbout \[\[Prompt Cache\]\]\. .*words\.$/s);
    expect(previewOf(body, "nowhere")).toMatch(/^# T/);
  });
});

describe("decay", () => {
  const weight = (days: number, uri = "memory://a", settings = DEFAULT_DECAY) =>
    decayWeight({ uri, at: NOW - days * DAY }, NOW, settings);

  it("begins after a grace period that depends on the kind of note", () => {
    expect([weight(28), weight(29), weight(32)]).toEqual([1, 1, 0.5]);
    expect(weight(11, "memory://thinking/sequential/2026/x")).toBe(0.5);
    expect(weight(18, "memory://thinking/workflow/2026/x")).toBe(0.5);
  });

  it("can be configured, and ignores values that are not numbers", () => {
    const env = { MAENIFOLD_DECAY_FUNCTION: "exponential", MAENIFOLD_DECAY_HALF_LIFE_DAYS: "10" };
    expect(weight(38, "memory://a", decaySettings(env))).toBe(0.5);
    expect(decaySettings({ MAENIFOLD_DECAY_GRACE_DAYS_DEFAULT: "soon" })).toEqual(DEFAULT_DECAY);
  });
});

function count(db: ReturnType<typeof library>["db"], table: string): number | undefined {
  return db.get<{ n: number }>(`SELECT count(*) AS n FROM ${table}`)?.n;
}

function facts({ db }: ReturnType<typeof library>): unknown {
  return db.all(`SELECT n.uri, c.name, c.notes FROM mention AS m JOIN note AS n ON n.id = m.note
    JOIN concept AS c ON c.id = m.concept ORDER BY n.uri, c.name`);
}
