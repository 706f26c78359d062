import { appendFileSync, chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { readSidecar } from "../../../../src/sources/profile/file/sidecar.ts";
import { readProfile } from "../../../../src/sources/profile/learning/profile.ts";
import { MAX_PENDING, propose } from "../../../../src/sources/profile/learning/propose.ts";
import { learningSuggestions } from "../../../../src/sources/profile/learning/suggestions.ts";
import { temporaryWorld, write } from "../../../support/world.ts";
import { exampleSeed, git, NOW, parsed, placeAt, proposal } from "../seeds.ts";
import { strictlyRead } from "../strict-reader.ts";

function world(seed?: unknown) {
  const { env, home } = temporaryWorld();
  const path = join(env["HOME"] ?? "", ".pai/seed.json");
  if (seed !== undefined) write(dirname(path), { "seed.json": `${JSON.stringify(seed, null, 2)}\n` });
  const place = { seed: path, home: home.root };
  return {
    path,
    place,
    waiting: join(home.root, "proposals.jsonl"),
    inbox: learningSuggestions({ home: home.root, env, now: () => NOW }),
    propose: (content: string, more: { scope?: "project"; sessionId?: string } = {}) =>
      propose(
        [
          {
            type: "pattern",
            content,
            evidence: `please: ${content}`,
            ...(more.scope && { scope: more.scope }),
          },
        ],
        {
          place,
          sessionId: more.sessionId ?? "s1",
          host: "pi",
          project: "project:~/work/shop",
          projectName: "shop",
          now: NOW,
        },
      ),
  };
}

describe("the inbox without a seed", () => {
  it("shows what is similar to a rejected wish last, and with that one's words", async () => {
    const w = world();
    await w.propose("Ask first");
    await w.inbox.reject(w.inbox.list()[0]?.id ?? "");
    await propose([{ type: "pattern", content: "Ask me\u200b before", evidence: "ask me before" }], {
      place: w.place,
      sessionId: "s2",
      now: NOW,
      nearest: (_, among) => among[0],
    });
    await w.propose("Use tabs");
    expect(w.inbox.list()).toMatchObject([
      { text: "Use tabs" },
      { text: "Ask me before", similarTo: "Ask first" },
    ]);
    expect(w.inbox.list()[0]).not.toHaveProperty("similarTo");
  });

  it("shows what waits, with the user's words and where they said it", async () => {
    const w = world();
    await w.propose("Use pnpm", { scope: "project" });
    expect(w.inbox.list()).toEqual([
      {
        id: expect.any(String),
        text: "Use pnpm",
        kind: "pattern",
        scope: "project",
        quote: "please: Use pnpm",
        project: "shop",
        host: "pi",
        session: "s1",
        at: NOW,
        byModel: false,
      },
    ]);
    expect(existsSync(dirname(w.path))).toBe(false);
  });

  it("makes the seed with the first accepted one; the others, rejections and evidence are taken over", async () => {
    const w = world();
    for (const text of ["Use pnpm", "Use tabs", "Write short commits"]) await w.propose(text);
    const [pnpm, tabs, commits] = w.inbox.list();
    expect(await w.inbox.reject(tabs?.id ?? "")).toMatchObject({ done: true });
    expect((await w.propose("use TABS!")).skipped).toMatchObject([{ because: "refused" }]);
    expect(existsSync(w.path)).toBe(false);
    expect(await w.inbox.accept(pnpm?.id ?? "", { text: "Use pnpm 9" })).toEqual({
      done: true,
      message: 'Accepted "Use pnpm 9"',
      batch: expect.any(String),
    });
    expect(existsSync(w.waiting)).toBe(false);
    const seed = parsed(w.path);
    expect(seed.learned.patterns).toMatchObject([{ id: pnpm?.id, content: "Use pnpm 9", tags: [] }]);
    expect(seed.state.proposals.map(({ status }) => status)).toEqual(["accepted", "rejected", "pending"]);
    expect(strictlyRead(readFileSync(w.path, "utf8"))).toEqual([]);
    expect(readSidecar(w.path).map((one) => one.kind)).toEqual([
      ...["evidence", "evidence", "evidence"],
      ...["decided", "decided"],
    ]);
    expect(w.inbox.list()).toMatchObject([{ id: commits?.id, quote: "please: Write short commits" }]);
    expect((await w.propose("use tabs")).skipped).toMatchObject([{ because: "refused" }]);
    expect(git(dirname(w.path), "log", "--format=%s")).toBe('Confirm: accepted "Use pnpm 9"');
  });

  it("undoes a rejection before there is a seed, and an acceptance after", async () => {
    const w = world();
    await w.propose("Use pnpm");
    const [{ id } = { id: "" }] = w.inbox.list();
    await w.inbox.reject(id);
    expect(w.inbox.list()).toEqual([]);
    expect(await w.inbox.withdraw()).toEqual({ done: true, message: 'Undone: rejected "Use pnpm"' });
    await w.inbox.accept(id);
    expect(w.inbox.list()).toEqual([]);
    expect((await w.inbox.withdraw()).done).toBe(true);
    expect(w.inbox.list()).toMatchObject([{ id }]);
    expect(parsed(w.path).learned.patterns).toEqual([]);
    expect(await w.inbox.withdraw()).toEqual({ done: false, message: "Nothing to undo." });
  });

  it("accepts for the project that it was said in, or for all", async () => {
    const w = world();
    await w.propose("Use pnpm", { scope: "project" });
    await w.propose("Use tabs", { scope: "project" });
    const [pnpm, tabs] = w.inbox.list();
    expect((await w.inbox.accept(pnpm?.id ?? "")).message).toBe('Accepted "Use pnpm" for shop');
    await w.inbox.accept(tabs?.id ?? "", { scope: "everywhere" });
    expect(parsed(w.path).learned.patterns.map(({ tags }) => tags)).toEqual([["project:~/work/shop"], []]);
  });

  it("says that a suggestion was decided elsewhere, and decides it once", async () => {
    const w = world();
    await w.propose("Use pnpm");
    const [{ id } = { id: "" }] = w.inbox.list();
    const both = await Promise.all([w.inbox.accept(id), w.inbox.accept(id)]);
    expect(both.filter(({ done }) => done)).toHaveLength(1);
    expect(await w.inbox.reject(id)).toEqual({
      done: false,
      message: "This suggestion is no longer pending.",
    });
    expect(parsed(w.path).learned.patterns).toHaveLength(1);
  });

  it("holds one of two equal suggestions that arrive at once, and both of two different ones", async () => {
    const w = world();
    await Promise.all([w.propose("Use pnpm"), w.propose("use pnpm."), w.propose("Use tabs")]);
    expect(
      w.inbox
        .list()
        .map(({ text }) => text.toLowerCase().replace(".", ""))
        .sort(),
    ).toEqual(["use pnpm", "use tabs"]);
  });

  it("keeps damaged lines through everything, and goes on with the others", async () => {
    const w = world();
    await w.propose("Use pnpm");
    appendFileSync(w.waiting, '{"kind":"proposed","proposal":{"id":1}}\n{"kind":"prop');
    await w.propose("Use tabs");
    expect(w.inbox.list().map(({ text }) => text)).toEqual(["Use pnpm", "Use tabs"]);
    await w.inbox.accept(w.inbox.list()[0]?.id ?? "");
    expect(readFileSync(w.waiting, "utf8")).toBe('{"kind":"proposed","proposal":{"id":1}}\n{"kind":"prop\n');
    expect(w.inbox.list().map(({ text }) => text)).toEqual(["Use tabs"]);
  });

  it("takes over after a process was killed in between, without doing anything twice", async () => {
    const w = world();
    await w.propose("Use pnpm");
    await w.propose("Use tabs");
    const before = readFileSync(w.waiting, "utf8");
    await w.inbox.accept(w.inbox.list()[0]?.id ?? "");
    const records = readSidecar(w.path).length;
    // The seed was written, the file of those that wait was not removed.
    writeFileSync(w.waiting, before);
    expect(w.inbox.list().map(({ text }) => text)).toEqual(["Use tabs"]);
    await w.propose("Use zsh");
    expect(existsSync(w.waiting)).toBe(false);
    expect(readSidecar(w.path)).toHaveLength(records + 1);
    expect(parsed(w.path).state.proposals.map(({ content }) => content)).toEqual([
      "Use pnpm",
      "Use tabs",
      "Use zsh",
    ]);
  });

  it("gives what waits to a seed that another program creates", async () => {
    const w = world();
    await w.propose("Use pnpm");
    write(dirname(w.path), { "seed.json": `${JSON.stringify(exampleSeed(), null, 2)}\n` });
    expect(w.inbox.list().map(({ text }) => text)).toEqual(["Use pnpm"]);
    await w.inbox.reject(w.inbox.list()[0]?.id ?? "");
    expect(existsSync(w.waiting)).toBe(false);
    expect(parsed(w.path).state.proposals).toMatchObject([{ content: "Use pnpm", status: "rejected" }]);
  });

  it("does not hide what the history of a deleted seed holds", async () => {
    const w = world(exampleSeed({ state: { proposals: [proposal("p", "Use pnpm")] } }));
    await w.inbox.accept("p");
    rmSync(w.path);
    await w.propose("Use tabs");
    await expect(w.inbox.accept(w.inbox.list()[0]?.id ?? "")).rejects.toThrow("the history has a profile");
    expect(w.inbox.list()).toHaveLength(1);
  });

  it("holds no more than a person would read", async () => {
    const w = world();
    const contents = Array.from({ length: MAX_PENDING + 10 }, (_, i) => `Wish number ${i}`);
    const { proposed, skipped } = await propose(
      contents.map((content) => ({ type: "pattern" as const, content, evidence: content })),
      { place: w.place, sessionId: "s", now: NOW },
    );
    expect(proposed).toHaveLength(MAX_PENDING);
    expect(new Set(skipped.map(({ because }) => because))).toEqual(new Set(["full"]));
  });

  it.each([
    ["is a folder", (path: string) => write(path, { x: "" })],
    ["is huge", (path: string) => write(dirname(path), { "proposals.jsonl": "x".repeat(9 * 1024 * 1024) })],
  ])("says what is wrong if its file %s, and changes nothing", async (_, spoil) => {
    const w = world();
    spoil(w.waiting);
    expect(() => w.inbox.list()).toThrow(w.waiting);
    await expect(w.propose("Use pnpm")).rejects.toThrow(w.waiting);
  });

  it.skipIf(process.getuid?.() === 0)("says so if its folder cannot be written", async () => {
    const w = world();
    await w.propose("Use pnpm");
    chmodSync(w.waiting, 0o400);
    await expect(w.propose("Use tabs")).rejects.toThrow("EACCES");
    expect(w.inbox.list().map(({ text }) => text)).toEqual(["Use pnpm"]);
  });
});

describe("the inbox with a seed", () => {
  it("reads and decides where the seed's proposals are", async () => {
    const w = world(exampleSeed({ state: { proposals: [proposal("p", "Use pnpm")] } }));
    expect(w.inbox.list()).toMatchObject([{ id: "p", text: "Use pnpm", quote: "", session: "abc-123" }]);
    await w.inbox.accept("p");
    expect(parsed(w.path).learned.patterns).toMatchObject([{ id: "p" }]);
    expect(existsSync(w.waiting)).toBe(false);
    await expect(w.inbox.accept("p", { text: "\u200b" })).rejects.toThrow("empty");
  });

  it("fails clearly if the seed is damaged", () => {
    const w = world("x");
    expect(() => w.inbox.list()).toThrow("damaged");
    expect(() => readProfile(placeAt(w.path))).toThrow("damaged");
  });
});
