import { rmSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { noteFailure } from "../../../../src/sources/notes/files/failures.ts";
import type { MemoryIndex } from "../../../../src/sources/notes/note-index/memory-index.ts";
import { syncIndex } from "../../../../src/sources/notes/note-index/sync.ts";
import { recent } from "../../../../src/sources/notes/search/recent.ts";
import { type SearchQuery, search } from "../../../../src/sources/notes/search/search.ts";
import { temporaryFolder, write } from "../../../support/world.ts";
import { indexFile, openFor } from "../note-index/content.ts";

const HOUR = 3_600_000;
const NOW = Date.UTC(2026, 0, 10);

const NOTES = {
  "decisions/tokens.md":
    "---\ntags: [auth, decision]\nproject: shop\n---\n# Refresh tokens\n\nWe rotate every refresh token.",
  "decisions/cache.md":
    "---\ntags: [decision]\n---\n# Cache\n\nThe cache is cleared when a token is refreshed, said [[Ada]].",
  "shop/api.md": "# API\n\nCall getUserName before the payment is booked.",
  "thinking/sequential/2026/one.md": "# Thoughts\n\nMaybe the payment provider is slow.",
  "long.md": `# Long\n\n${"Nothing of interest here, only filler sentences. ".repeat(100)}\n\nThe zeppelin landed at noon.\n`,
};

async function indexed(notes: Record<string, string> = NOTES): Promise<MemoryIndex> {
  const home = temporaryFolder();
  const root = join(home, "notes");
  write(root, notes);
  for (const [i, name] of Object.keys(notes).entries()) {
    const seconds = (NOW - i * 10 * HOUR) / 1000;
    utimesSync(join(root, name), seconds, seconds);
  }
  const index = openFor(root, indexFile(home));
  onTestFinished(() => index.close());
  await syncIndex(index);
  return index;
}

const uris = async (index: MemoryIndex, query: SearchQuery): Promise<string[]> =>
  (await search(index, { mode: "FullText", ...query })).hits.map(({ uri }) => uri.replace("memory://", ""));

describe("search", () => {
  it("finds the others when one of the notes cannot be read any more", async () => {
    const index = await indexed();
    const files: MemoryIndex["files"] = {
      ...index.files,
      readText: (path) => {
        if (path.endsWith("tokens.md")) throw noteFailure("note-unreadable", "closed", "open it");
        return index.files.readText(path);
      },
    };
    expect(await uris({ ...index, files }, { query: "refreshing tokens" })).toEqual(["decisions/cache"]);
  });

  it("shows the passage and the concepts of a note that is too long to be kept while it is compared", async () => {
    const filler = "Nothing of interest here, only filler sentences. ".repeat(3000);
    const huge = `# Huge\n\n${filler}\n\nThe zeppelin landed at noon, said [[Ada]].\n\n${filler}\n\n[[Bob]]`;
    const index = await indexed({ ...NOTES, "huge.md": huge, "long.md": "# Short\n\nA zeppelin." });
    const { hits } = await search(index, { query: "zeppelin landed", mode: "FullText" });
    expect(hits[0]).toMatchObject({ uri: "memory://huge", title: "Huge", concepts: ["ada", "bob"] });
    expect(hits[0]?.snippet).toContain("The zeppelin landed at noon");
  });

  it("ranks a note about the topic above one that mentions it", async () => {
    const index = await indexed();
    expect(await uris(index, { query: "refreshing tokens" })).toEqual([
      "decisions/tokens",
      "decisions/cache",
    ]);
  });

  it.each(["user name", "get_user_name", "getUserName()"])("finds an identifier by %s", async (query) => {
    expect(await uris(await indexed(), { query })).toEqual(["shop/api"]);
  });

  it.each<[string, Partial<SearchQuery>, string[]]>([
    ["folder", { folder: "decisions" }, ["decisions/cache"]],
    ["a folder above", { folder: "/thinking/" }, []],
    ["tags, all of them", { tags: ["decision", "AUTH"] }, []],
    ["one tag", { tags: ["#decision"] }, ["decisions/cache"]],
    ["time", { until: NOW - 5 * HOUR }, ["decisions/cache"]],
    ["score", { minScore: 0.99 }, []],
  ])("filters by %s", async (_, filter, expected) => {
    expect(await uris(await indexed(), { query: "cleared", ...filter })).toEqual(expected);
  });

  it("filters by project: notes whose frontmatter, tag or folder has its name", async () => {
    const index = await indexed();
    expect(await uris(index, { query: "payment token", project: "Shop" })).toEqual(
      expect.arrayContaining(["decisions/tokens", "shop/api"]),
    );
    expect(await uris(index, { query: "payment token", project: "shop" })).toHaveLength(2);
    expect(await uris(index, { query: "payment token", project: "sh%" })).toEqual([]);
  });

  it("returns pages and the total", async () => {
    const index = await indexed(
      Object.fromEntries(
        Array.from({ length: 25 }, (_, i) => [`n${i}.md`, `banana ${"split ".repeat(i % 4)}`]),
      ),
    );
    const pages = await Promise.all([1, 2, 3].map((page) => search(index, { query: "banana split", page })));
    expect(pages.map(({ hits, total }) => [hits.length, total])).toEqual([
      [10, 25],
      [10, 25],
      [5, 25],
    ]);
    expect(new Set(pages.flatMap(({ hits }) => hits.map(({ uri }) => uri))).size).toBe(25);
  });

  it("shows the passage that matched, from the file", async () => {
    const { hits, notices } = await search(await indexed(), { query: "where did the zeppelin land" });
    expect(hits[0]).toMatchObject({ uri: "memory://long" });
    expect(hits[0]?.snippet).toContain("The zeppelin landed at noon.");
    expect(hits[0]?.snippet.length).toBeLessThan(260);
    expect(notices).toEqual([]);
  });

  it("scores the matched share of the query, so that a threshold separates matches from junk", async () => {
    const index = await indexed();
    const score = async (query: string) => (await search(index, { query })).hits[0]?.score ?? 0;
    expect(await score("refresh tokens")).toBeGreaterThan(0.6);
    expect(await score("payment of quarterly taxes for submarine crews")).toBeLessThan(0.25);
  });

  it("shows the current text of a note, also when it changed since the last sync", async () => {
    const index = await indexed();
    const before = (await search(index, { query: "cache cleared" })).hits[0];
    expect(before).toMatchObject({ title: "Cache", concepts: ["ada"] });
    expect(before?.snippet).not.toContain("tags:");
    write(index.files.root, { "decisions/cache.md": "---\ntitle: Store\n---\nNever cleared, by [[Bob]]." });
    expect((await search(index, { query: "cache cleared" })).hits[0]).toMatchObject({
      title: "Store",
      concepts: ["bob"],
      snippet: "Never cleared, by [[Bob]].",
    });
  });

  it("does not show a note that was deleted since the last sync", async () => {
    const index = await indexed();
    rmSync(join(index.files.root, "shop/api.md"));
    expect(await uris(index, { query: "getUserName" })).toEqual([]);
  });

  it.each([
    '"token',
    "token NEAR(",
    "token*",
    "(token OR",
    "token' --",
    "token\u0000",
    "body:token ^",
    "🚀 token",
    `token ${"word ".repeat(20_000)}`,
  ])("treats a query as words, whatever characters are in it (%#)", async (query) => {
    expect(await uris(await indexed(), { query })).toContain("decisions/tokens");
  });

  it.each(["what is it", "🚀", "*", "\u0000", "\ud800"])(
    "refuses no query for its words: %j",
    async (query) => {
      expect(await search(await indexed(), { query })).toEqual({
        hits: [],
        total: 0,
        words: expect.any(Array),
        notices: [],
        mayBeOutdated: true,
      });
    },
  );

  it("finds a note by the stop words of its title, if the query has no others", async () => {
    const index = await indexed({ ...NOTES, "it.md": "# What is it\n\nA riddle about herons." });
    expect(await uris(index, { query: "what is it" })).toEqual(["it"]);
    expect(await uris(index, { query: "what is it about zeppelins" })).toEqual(["long"]);
  });

  it.each(["", " \n\t"])("reports that %j is empty", async (query) => {
    await expect(search(await indexed(), { query })).rejects.toMatchObject({ code: "query-empty" });
  });

  it("reports that semantic search is not set up", async () => {
    await expect(search(await indexed(), { query: "x", mode: "Semantic" })).rejects.toMatchObject({
      code: "semantic-missing",
    });
  });
});

describe("recent activity", () => {
  it("is newest first, within the time span", async () => {
    const index = await indexed();
    expect(recent(index, { timespan: "15h", now: NOW }).map(({ uri }) => uri)).toEqual([
      "memory://decisions/tokens",
      "memory://decisions/cache",
    ]);
    expect(recent(index, { timespan: "1.00:00:00", now: NOW })).toHaveLength(3);
    expect(recent(index, { limit: 2 })).toHaveLength(2);
  });

  it("distinguishes thinking from other notes", async () => {
    const index = await indexed();
    expect(recent(index, { kind: "thinking" }).map(({ title }) => title)).toEqual(["Thoughts"]);
    expect(recent(index, { kind: "memory" })).toHaveLength(4);
    expect(recent(index, { kind: "assumptions" })).toEqual([]);
  });
});
