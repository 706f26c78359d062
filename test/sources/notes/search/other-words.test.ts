import { join } from "node:path";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { readSettings } from "../../../../src/base/settings.ts";
import { openMeaning } from "../../../../src/search/meaning/embed.ts";
import { type Memory, openMemory } from "../../../../src/sources/notes/memory.ts";
import type { SearchQuery } from "../../../../src/sources/notes/search/search.ts";
import { MEMORY_SETTINGS } from "../../../../src/sources/notes/settings.ts";
import { temporaryWorld, write } from "../../../support/world.ts";

/** A dozen notes, searched with the package's own table of meaning. */
const NOTES = {
  "rollback.md":
    "# Rollback of a release\n\nIf the error rate doubles, the last release is rolled back within five minutes. The database stays as it is.",
  "migrations.md":
    "# Database migrations\n\nEvery migration runs twice in staging before production. A column is dropped one release after the code stops reading it.",
  "kubernetes.md":
    "# Kubernetes cluster\n\nThree nodes in Frankfurt. Pods without a memory limit are evicted first.",
  "go.md": "# Go style\n\nErrors are wrapped with the name of the function. No naked returns.",
  "all.md": "# All hands\n\nThe whole company meets on the first Monday of the month at ten.",
  "product.md":
    "# Product search engine\n\nThe product search engine ranks a product by its sales. A product without a picture comes last.",
  "production.md":
    "# Production search engine\n\nThe search engine of production has two replicas and is restarted at night.",
  "sessions.md":
    "# Session length\n\nPeople are signed out after thirty minutes of inactivity. The cookie is renewed with each request.",
  "backups.md":
    "# Backups\n\nA nightly dump goes to another region and is kept for ninety days. Restoring is rehearsed every quarter.",
  "invoices.md":
    "# Invoices\n\nAmounts are integers in cents. Rounding happens once, at the end of the calculation.",
  "unstable.md":
    "# Unstable tests\n\nA test that fails at random is quarantined the same day and its owner gets a ticket.",
  "colours.md": "# Colours\n\nText has a contrast of at least 4.5 to 1, also in dark mode.",
};

const table = openMeaning();
afterAll(() => table.close());

async function opened(): Promise<Memory> {
  const { home, env } = temporaryWorld();
  write(join(home.root, "memory"), NOTES);
  const { values } = readSettings({}, MEMORY_SETTINGS, {});
  const memory = openMemory({ home, env, settings: values, meaning: () => table });
  onTestFinished(() => memory.close());
  await memory.sync();
  return memory;
}

async function ask(query: string, more: Partial<SearchQuery> = {}) {
  const { hits, notices } = await (await opened()).search({ query, ...more });
  return { hits, notices, names: hits.map(({ uri }) => uri.replace("memory://", "")) };
}

describe("a question without a word of its note", () => {
  const QUESTIONS = [
    ["how long do users stay logged in", "sessions"],
    ["undo a bad deploy", "rollback"],
    ["disaster recovery copies of our data", "backups"],
    ["avoiding floating point with money", "invoices"],
    ["what happens to a spec that only sometimes passes", "unstable"],
    ["is it readable for someone with weak eyesight", "colours"],
    ["changing the schema safely", "migrations"],
  ] as const;

  it.each(QUESTIONS)("finds it first: %s", async (question, name) => {
    const { names, hits, notices } = await ask(question);
    expect(names[0]).toBe(name);
    expect(hits[0]).toMatchObject({ textScore: 0, title: expect.any(String) });
    expect(hits[0]?.snippet).not.toBe("");
    expect(notices).toEqual([]);
    // By words alone it is not found.
    expect((await ask(question, { mode: "FullText" })).names).not.toContain(name);
  });

  it("that no note is about finds little, with a low score", async () => {
    for (const query of ["zeppelin", "🚀", "what is it", "quantum chromodynamics"]) {
      const { hits } = await ask(query);
      expect(hits.length).toBeLessThanOrEqual(3);
      for (const { score } of hits) expect(score).toBeLessThan(0.3);
    }
  });
});

describe("words in other forms", () => {
  it.each(["roll back", "Rollback", "roll-back", "rolled back", "rollbacks", "roll_back", "rollBack"])(
    "find the note first and alone: %s",
    async (query) => expect(await ask(query)).toMatchObject({ names: ["rollback"], notices: [] }),
  );

  it.each([
    ["migartion", "migrations", "migrations"],
    ["kuberntes", "kubernetes", "kubernetes"],
    ["invioces", "invoices", "invoices"],
  ])("with a typing error find it and say so: %s", async (query, name, word) => {
    expect(await ask(query)).toMatchObject({
      names: [name],
      notices: [`no note has "${query}": searched for "${word}"`],
    });
  });

  it("that are beginnings of words find it and say so", async () => {
    expect(await ask("migr")).toMatchObject({
      names: ["migrations"],
      notices: ['no note has "migr": searched for words that begin with it'],
    });
  });

  it.each(["go", "all"])("that are stop words find the note with such a title: %s", async (query) =>
    expect((await ask(query)).names).toEqual([query]),
  );

  it.each([
    ["production search engine", "production", "product"],
    ["product search engine", "product", "production"],
    ["Production", "production", "product"],
    ["products", "product", "production"],
  ])("rank the word itself above its stem: %s", async (query, first, second) => {
    const { names } = await ask(query);
    expect(names[0]).toBe(first);
    expect(names).toContain(second);
  });
});

describe("scores", () => {
  it("are likelihoods, in the order of the hits, for every mode", async () => {
    for (const mode of ["Hybrid", "FullText", "Semantic"] as const) {
      const { hits } = await ask("the production release of the search engine", { mode });
      expect(hits.length).toBeGreaterThan(0);
      const scores = hits.map(({ score }) => score);
      expect(scores).toEqual(scores.toSorted((a, b) => b - a));
      for (const score of scores) expect(score > 0 && score < 1).toBe(true);
    }
  });

  it("are high for the note's own words and low for a stray word", async () => {
    const own = await ask("database migrations in staging");
    expect(own.hits[0]).toMatchObject({ title: "Database migrations" });
    expect(own.hits[0]?.score).toBeGreaterThan(0.8);
    const stray = await ask("quarterly taxes for submarine crews in Frankfurt harbour");
    for (const { score } of stray.hits) expect(score).toBeLessThan(0.2);
  });
});
