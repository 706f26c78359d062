import { expect, it } from "vitest";
import type { GivenText, GivenTimeline } from "../../../../src/web/api/given.ts";
import { given } from "../../../../src/web/server/given/routes.ts";
import { givenWorld, wholeSession } from "../../../support/given-world.ts";
import { temporaryWeb } from "../../../support/web.ts";
import { write } from "../../../support/world.ts";

const PATH = "/api/sessions/claude-code/s1/given";

async function openSession() {
  const place = temporaryWeb({}, [given]);
  const engine = givenWorld(place);
  const texts = await wholeSession(engine);
  expect(engine.trouble).toEqual([]);
  return { ...place, engine, texts };
}

it("shows every delivery of a session with its items, reasons, tokens and what it did to the cached prefix", async () => {
  const { get } = await openSession();
  const { entries, total, sums } = await get<GivenTimeline>(PATH);
  expect(entries.map(({ kind, cache }) => [kind, cache])).toEqual([
    ["snapshot", "new-prefix"],
    ["addition", "appended"],
    ["addition", "appended"],
    ["handover", "none"],
    ["compaction", "new-epoch"],
    ["snapshot", "new-epoch"],
    ["replayed", "replayed"],
    ["ended", "none"],
  ]);
  expect(total).toBe(8);
  expect(sums).toMatchObject({ deliveries: 4, compactions: 1 });
  expect(entries[1]).toMatchObject({ moment: "tool", tool: "Edit", about: "Edit src/cart.ts" });
  expect(entries[1]?.items[0]).toMatchObject({
    source: "rules",
    key: ".continuo/rules/money.md",
    reason: "src/cart.ts was touched (src/**/*.ts)",
    path: expect.stringMatching(/\/\.continuo\/rules\/money\.md$/),
    canMute: true,
  });
  expect(entries[2]).toMatchObject({ moment: "prompt", about: "prepare the release of the shop" });
  expect(entries[0]?.items.map(({ source, note }) => [source, note])).toContainEqual([
    "memory",
    "memory://cart-totals",
  ]);
});

it("gives the exact text of each entry", async () => {
  const { get, texts } = await openSession();
  const text = async (entry: number) => (await get<GivenText>(`${PATH}/${entry}`)).text;
  expect(await text(0)).toBe(texts.start);
  expect(await text(1)).toBe(texts.atTool);
  expect(await text(2)).toBe(texts.atPrompt);
  expect(await text(3)).toContain("<continuo");
  expect(await text(5)).toBe(texts.afterCompaction);
  expect(await text(6)).toBe(texts.replayed);
});

it("says what a compaction lost, what its summary kept and what was restored", async () => {
  const { get } = await openSession();
  const { entries } = await get<GivenTimeline>(PATH);
  const report = entries.find(({ kind }) => kind === "compaction")?.compaction;
  expect(report?.active.map(({ title }) => title)).toEqual(
    expect.arrayContaining(["style.md", "money.md", "release.md"]),
  );
  expect(report?.restored.map(({ title }) => title)).toEqual(
    expect.arrayContaining(["style.md", "money.md", "release.md"]),
  );
  expect(report?.summary).toMatchObject({ keptFiles: ["src/cart.ts"], lostFiles: [] });
  expect(report?.lost.filter(({ source }) => source === "rules")).toEqual([]);
});

it("says what was known at a time", async () => {
  const { get } = await openSession();
  const { entries } = await get<GivenTimeline>(PATH);
  const known = async (at: string) => {
    const { known: then } = await get<GivenTimeline>(`${PATH}?at=${encodeURIComponent(at)}`);
    return { entry: then?.entry, titles: then?.items.map(({ title }) => title) ?? [] };
  };
  const before = await known(new Date(Date.parse(entries[0]?.at ?? "") - 1).toISOString());
  expect(before).toEqual({ entry: undefined, titles: [] });
  const early = await known(entries[0]?.at ?? "");
  expect(early.entry).toBe(0);
  expect(early.titles).toContain("style.md");
  expect(early.titles).not.toContain("money.md");
  expect((await known(entries[2]?.at ?? "")).titles).toEqual(
    expect.arrayContaining(["style.md", "money.md", "release.md"]),
  );
});

it("shows broken rules with their place, text and reaction, and each text stays with its entry", async () => {
  const place = temporaryWeb({}, [given]);
  const engine = givenWorld(place);
  write(place.root, {
    ".continuo/rules/no-any.md":
      "---\nchecks:\n  edits: { never: '\\bany\\b', files: 'src/**/*.ts' }\n---\nNever use any.\n",
  });
  await engine.start();
  const hunks = [{ text: "const a = 1;\nlet b: any;", line: 7 }];
  const told = await engine.call({ edits: () => [{ path: "src/cart.ts", kind: "part", hunks }] });
  expect(told).toContain("src/cart.ts:8 breaks the rule");
  const answer = await place.get<GivenTimeline>(PATH);
  const broken = answer.entries.find(({ kind }) => kind === "broken");
  expect(broken).toMatchObject({
    tool: "Edit",
    tokens: 0,
    cache: "none",
    broken: {
      rule: ".continuo/rules/no-any.md",
      name: "no-any.md",
      on: "edits",
      reaction: "remind",
      path: "src/cart.ts",
      line: 8,
      text: "let b: any;",
    },
  });
  const addition = answer.entries.find(({ kind }) => kind === "addition");
  const text = await place.get<GivenText>(`${PATH}/${addition?.id}`);
  expect(text.text).toBe(told);
});

it("is paged from the end", async () => {
  const { get } = await openSession();
  const last = await get<GivenTimeline>(`${PATH}?limit=3`);
  expect(last.entries.map(({ id }) => id)).toEqual([5, 6, 7]);
  expect(last.hasEarlier).toBe(true);
  const first = await get<GivenTimeline>(`${PATH}?limit=5&before=5`);
  expect(first.entries.map(({ id }) => id)).toEqual([0, 1, 2, 3, 4]);
  expect(first.hasEarlier).toBe(false);
});

it("has nothing for a session that was given nothing, and refuses what is wrong", async () => {
  const { app, get } = await openSession();
  const path = "/api/sessions/claude-code/x%2F..%2Fy/given";
  expect(await get<GivenTimeline>(path)).toMatchObject({ entries: [], total: 0, mutes: [] });
  expect((await app.request(`${path}/0`)).status).toBe(404);
  expect((await app.request(`${path}/nonsense`)).status).toBe(404);
  for (const query of ["limit=0", "at=yesterday", "before=-1", "other=1", "limit=2&limit=3"])
    expect([query, (await app.request(`${PATH}?${query}`)).status]).toEqual([query, 400]);
});

it("says that a text is not kept, and nothing else fails", async () => {
  const { get, home } = await openSession();
  const { rmSync } = await import("node:fs");
  rmSync(home.given, { recursive: true });
  const { entries } = await get<GivenTimeline>(PATH);
  expect(entries.some(({ hasText }) => hasText)).toBe(false);
  expect(await get<GivenText>(`${PATH}/0`)).toMatchObject({ why: expect.stringContaining("not kept") });
});
