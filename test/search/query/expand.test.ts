import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { mergeSome } from "../../../src/search/merge.ts";
import { BASE, COUNT, DERIVED, eachOccurrence, IN_TITLE, INFLECTED } from "../../../src/search/postings.ts";
import { type ExpandOptions, expandQuery } from "../../../src/search/query/expand.ts";
import { noticesOf } from "../../../src/search/query/notices.ts";
import { parseQuery } from "../../../src/search/query/parse.ts";
import { addSegment, listsOf, SEGMENT_SCHEMA, tombstone } from "../../../src/search/segment.ts";
import { SegmentBuilder } from "../../../src/search/segment-builder.ts";
import { openDatabase } from "../../../src/store/sqlite/open.ts";
import type { Database } from "../../../src/store/sqlite/types.ts";
import { temporaryFolder } from "../../support/world.ts";

interface Text {
  readonly title?: string;
  readonly text?: string;
}

/** Each list of texts is a segment. */
function indexOf(...segments: readonly (readonly Text[])[]): Database {
  const db = openDatabase(join(temporaryFolder(), "text.db"));
  onTestFinished(() => db.close());
  db.exec(SEGMENT_SCHEMA);
  let note = 0;
  for (const texts of segments) {
    const builder = new SegmentBuilder();
    for (const { title = "", text = "" } of texts) builder.put(++note, [text], title);
    const { list, ...passages } = builder.passages();
    addSegment(db, passages, (pages) => builder.fill(list, pages));
  }
  return db;
}

const TEXTS = new WeakMap<Database, readonly string[]>();

function textsOf(...texts: readonly string[]): Database {
  const db = indexOf(texts.map((text) => ({ text })));
  TEXTS.set(db, texts);
  return db;
}

/** How each word of a query is matched: `how term+term`. */
function expanded(db: Database, query: string, options: ExpandOptions = {}) {
  const { terms, replaced } = expandQuery(db, parseQuery(query), options);
  const matches = terms.map(({ matches }) => matches.map(({ how, terms }) => `${how} ${terms.join("+")}`));
  return { matches, notices: noticesOf(replaced, "note", TEXTS.get(db) ?? []) };
}

describe("a query's word", () => {
  it("is matched by its stem, with the form that was typed", () => {
    const db = textsOf("A product.", "Products in production.");
    const [product, production, both] = ["product", "production", "product production"].map(
      (query) => expandQuery(db, parseQuery(query)).terms,
    );
    expect(product).toEqual([
      { word: "product", matches: [{ terms: ["product"], weight: 1, form: BASE, how: "word" }] },
    ]);
    expect(production?.[0]?.matches[0]).toMatchObject({ terms: ["product"], form: DERIVED });
    expect(both?.map(({ matches }) => matches[0]?.form)).toEqual([BASE | DERIVED]);
    const flags: number[] = [];
    for (const list of listsOf(db, Buffer.from("product")).values())
      eachOccurrence(list, (_passage, one) => flags.push(one));
    expect(flags).toEqual([1 | BASE, 2 | INFLECTED | DERIVED]);
  });

  it("that nothing has is matched by nothing", () => {
    expect(expanded(textsOf("A product."), "zeppelin")).toEqual({ matches: [[]], notices: [] });
  });

  it("that only deleted texts have counts as one that nothing has", () => {
    const db = textsOf("A migration.", "The migartion.");
    tombstone(db, [2]);
    expect(expanded(db, "migartion").matches).toEqual([["typo migrat"]]);
  });
});

describe("a compound", () => {
  it.each(["Rollback", "roll-back", "Roll back", "It was rolled back", "rollBack"])(
    "written as %s is found however it is typed",
    (text) => {
      const db = textsOf(text, "Something else.");
      expect(expanded(db, "rollback").matches[0]?.[0]).toBe("word rollback");
      for (const query of ["roll back", "roll-back", "rolled back"]) {
        const { matches, notices } = expanded(db, query);
        expect(matches).toHaveLength(2);
        for (const one of matches) expect(one).toContain("joined rollback");
        expect(notices).toEqual([]);
      }
    },
  );

  it("with a stop word is found in either form", () => {
    const db = textsOf("The setup fails.", "We set up a cluster.");
    expect(expanded(db, "set up").matches).toEqual([["word set", "joined setup"]]);
    expect(expanded(db, "setup").matches).toEqual([["word setup"]]);
  });

  it("is made of any two words that the index has as one", () => {
    const db = textsOf("The database is down.", "Data at the base.");
    expect(expanded(db, "data base").matches).toEqual([
      ["word data", "joined databas"],
      ["word base", "joined databas"],
    ]);
    expect(expanded(db, "base data").matches).toEqual([["word base"], ["word data"]]);
  });

  it("that nothing has is split into words that the index has", () => {
    const db = textsOf("The code has a base class.", "Another code.", "Another base.");
    expect(expanded(db, "codebase")).toEqual({
      matches: [["split code+base"]],
      notices: ['no note has "codebase": searched for "code base"'],
    });
  });

  it("is not split into a word and an ending", () => {
    const db = textsOf("A short text.", "en", "ing and ment", "A short run.", "run");
    for (const word of ["shortened", "running", "shortening", "shortment"])
      expect(
        expanded(db, word)
          .matches.flat()
          .filter((one) => one.startsWith("split")),
      ).toEqual([]);
  });

  it("that is rare is also searched for in two words, without a notice", () => {
    const db = textsOf("The codebase.", "The code has a base class.");
    expect(expanded(db, "codebase")).toEqual({
      matches: [["word codebas", "split code+base"]],
      notices: [],
    });
  });

  it("of a name is the name as well as its words", () => {
    const db = textsOf("Call getUserName first.", "The name of the user.");
    expect(expanded(db, "get_user_name").matches).toEqual([
      ["word user", "joined getusernam"],
      ["word name", "joined getusernam"],
    ]);
  });
});

describe("a typing error", () => {
  const db = () =>
    textsOf(
      "Kubernetes runs the migration.",
      "The migration of Kubernetes.",
      "Received the deployment.",
      "La configuración",
    );

  it.each([
    ["migartion", "migration", "migrat"],
    ["kuberntes", "kubernetes", "kubernet"],
    ["kubernettes", "kubernetes", "kubernet"],
    ["ukbernetes", "kubernetes", "kubernet"],
    ["recieved", "received", "receiv"],
    ["deploymant", "deployment", "deploy"],
    ["MIGARTION", "migration", "migrat"],
  ])("in %s finds %s, and says so", (typed, meant, term) => {
    expect(expanded(db(), typed)).toEqual({
      matches: [[`typo ${term}`]],
      notices: [`no note has "${typed.toLowerCase()}": searched for "${meant}"`],
    });
  });

  it("is reported with the word of the text, or with its stem where no text has it", () => {
    const { replaced } = expandQuery(db(), parseQuery("migartion kuberntes"));
    const texts = ["About Migrations.", "migration"];
    expect(noticesOf(replaced, "session", texts)).toEqual([
      'no session has "migartion": searched for "migrations"',
      'no session has "kuberntes": searched for "kubernet…"',
    ]);
  });

  it.each(["deplyomant", "migr4tion", "runz"])("is not corrected in %s", (typed) => {
    expect(expanded(db(), typed)).toEqual({ matches: [[]], notices: [] });
  });

  it("means the most frequent words", () => {
    const texts = ["A table.", "The table.", "Tables.", "The cable."];
    expect(expanded(textsOf(...texts), "xable").matches).toEqual([[]]);
    expect(expanded(textsOf(...texts), "tabel").matches).toEqual([["typo tabl"]]);
    expect(expanded(textsOf("A context.", "We connect."), "contect").matches[0]?.toSorted()).toEqual([
      "typo connect",
      "typo context",
    ]);
  });

  it('means a word in a form that occurs: not "stately" where only "state" does', () => {
    const db = textsOf("The state.", "A state.", "The strategy.");
    expect(expanded(db, "stategy").matches).toEqual([["typo strategi"]]);
  });

  it("is no form of a word that exists, nor a word of developers", () => {
    const db = textsOf("Close it, closed.", "The copies.", "A logic error.", "The emoji.", "A compaction.");
    const isWord = (word: string) => ["clone", "copy"].includes(word);
    for (const word of ["clone", "cloned", "cloning", "clones", "copied", "login", "logins", "parsed"])
      expect(expanded(db, word, { isWord }).notices).toEqual([]);
    expect(expanded(db, "the error when cloning", { isWord }).matches).toEqual([["word error"], []]);
    expect(expanded(db, "emojji compction", { isWord }).matches).toEqual([["typo emoji"], ["typo compact"]]);
    expect(expanded(db, "clsed", { isWord }).matches).toEqual([["typo close"]]);
  });

  it("is not looked for when nobody reads the notices, or among many words", () => {
    expect(expanded(db(), "migartion", { isLenient: false })).toEqual({ matches: [[]], notices: [] });
    const { notices } = expanded(db(), "migartion of one two three four five six");
    expect(notices).toEqual([]);
  });
});

describe("the beginning of a word", () => {
  it("finds the words that begin with it, and says so", () => {
    const db = textsOf("A migration.", "Migrants migrate.", "Migratory birds.");
    expect(expanded(db, "migr")).toEqual({
      matches: [["prefix migrat", "prefix migrant", "prefix migratori"]],
      notices: ['no note has "migr": searched for words that begin with it'],
    });
    expect(expanded(db, "mig")).toEqual({ matches: [[]], notices: [] });
  });

  it("may reach into the ending that stemming removes", () => {
    expect(expanded(textsOf("The deployment."), "deploym").matches).toEqual([["prefix deploy"]]);
  });

  it("gives a few words in an index with many", () => {
    const db = textsOf(...Array.from({ length: 500 }, (_, i) => `word${i} word${i % 7}`));
    const [matches] = expanded(db, "word").matches;
    expect(matches).toHaveLength(8);
    expect(matches?.slice(0, 7).toSorted()).toEqual(Array.from({ length: 7 }, (_, i) => `prefix word${i}`));
  });
});

describe("a query of stop words", () => {
  it.each(["go", "all", "now", "here", "it", "What is it?"])("such as %s finds them in titles", (query) => {
    const db = indexOf([{ title: query, text: "Something." }], [{ text: "go all now here it what is" }]);
    const { terms, replaced } = expandQuery(db, parseQuery(query));
    expect(replaced).toEqual([]);
    for (const { word, matches } of terms) {
      expect(matches).toEqual([{ terms: [word], weight: 1, form: BASE, how: "word" }]);
      const flags: number[] = [];
      for (const list of listsOf(db, Buffer.from(word)).values())
        eachOccurrence(list, (_passage, one) => flags.push(one & (COUNT | IN_TITLE)));
      expect(flags).toEqual([IN_TITLE]);
    }
  });

  it("gives nothing where no title has them, and for punctuation", () => {
    expect(expanded(textsOf("go"), "go")).toEqual({ matches: [[]], notices: [] });
    expect(expanded(textsOf("go"), "?! …")).toEqual({ matches: [], notices: [] });
  });

  it("counts only if there is nothing else", () => {
    const db = indexOf([{ title: "The go build", text: "x" }]);
    expect(expanded(db, "go the build").matches).toEqual([["word build"]]);
  });
});

it("expands any query over any texts, the same however the segments are merged", () => {
  const word = fc.oneof(
    fc.constantFrom(
      "roll",
      "back",
      "rollback",
      "migration",
      "migartion",
      "kubernetes",
      "set",
      "up",
      "it",
      "データ",
    ),
    fc.string({
      minLength: 1,
      maxLength: 8,
      unit: fc.constantFrom("a", "b", "e", "é", "-", "X", "9", "\u0301"),
    }),
    fc.string({ maxLength: 12, unit: "binary" }),
  );
  const text = fc.array(word, { maxLength: 12 }).map((words) => words.join(" "));
  fc.assert(
    fc.property(fc.array(text, { minLength: 8, maxLength: 8 }), text, (texts, query) => {
      const db = indexOf(...texts.map((one) => [{ text: one, title: one.slice(0, 9) }]));
      const before = expanded(db, query);
      expect(before.matches.length).toBeLessThanOrEqual(200);
      for (const matches of before.matches) expect(matches.length).toBeLessThanOrEqual(40);
      expect(mergeSome(db)).toBe(true);
      expect(expanded(db, query)).toEqual(before);
    }),
    { numRuns: 30 },
  );
});

it("bounds a query that is a whole log file", () => {
  const db = textsOf("Something.");
  const log = Array.from({ length: 50_000 }, (_, i) => `callNumber${i} roll back`).join("\n");
  const words = parseQuery(log);
  expect(new Set(words.map(({ term }) => term)).size).toBeLessThan(210);
  expect(expandQuery(db, words).terms.length).toBeLessThan(210);
});

it("bounds a query without a space in it", () => {
  const page = String.fromCodePoint(...Array.from({ length: 5000 }, (_, i) => 0x4e00 + i));
  const slug = Array.from({ length: 2000 }, (_, i) => `w${i}`).join("-");
  for (const query of [page, slug]) expect(parseQuery(query)).toHaveLength(200);
});
