import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import type { PrepareContext } from "../../../../src/moments/ports/source.ts";
import { propose } from "../../../../src/sources/profile/learning/propose.ts";
import { learningSuggestions } from "../../../../src/sources/profile/learning/suggestions.ts";
import { draftHeard } from "../../../../src/sources/rules/drafts/hear.ts";
import { draftFromRules } from "../../../../src/sources/rules/drafts/read-rules.ts";
import { askPerson } from "../../../../src/sources/rules/drafts/waiting.ts";
import type {
  DecisionPage,
  InboxList,
  LearningList,
  TombstoneList,
  Tried,
} from "../../../../src/web/api/suggestions.ts";
import { inbox } from "../../../../src/web/server/suggestions/routes.ts";
import { exampleSeed, learning, NOW, parsed, proposal } from "../../../sources/profile/seeds.ts";
import { temporaryWeb } from "../../../support/web.ts";
import { write } from "../../../support/world.ts";

function world(seed?: unknown) {
  let now = NOW;
  const made = temporaryWeb({}, [inbox], { now: () => now++ });
  const path = join(made.env["HOME"] ?? "", ".pai/seed.json");
  if (seed !== undefined)
    write(dirname(path), {
      "seed.json": typeof seed === "string" ? seed : `${JSON.stringify(seed, null, 2)}\n`,
    });
  const place = { seed: path, home: made.home.root };
  return {
    ...made,
    path,
    propose: (content: string, more: { quote?: string; scope?: "project" } = {}) =>
      propose(
        [
          {
            type: "pattern",
            content,
            evidence: more.quote ?? `please: ${content}`,
            turn: "t7",
            saidAt: NOW - 5000,
            ...(more.scope && { scope: more.scope }),
          },
        ],
        { place, sessionId: "s1", host: "pi", project: "project:~/w/shop", projectName: "shop", now: now++ },
      ),
    send: (method: string, address: string, body: unknown = {}) => made.send<Answer>(method, address, body),
  };
}

interface Answer {
  readonly message?: string;
  readonly batch?: string;
}

describe("GET /api/inbox", () => {
  it("says that nothing waits before there is a seed, and creates nothing", async () => {
    const w = world();
    expect(await w.get<InboxList>("/api/inbox")).toEqual({
      seed: { state: "none", path: w.path },
      pending: [],
      counts: { pending: 0, heldBack: 0, decided: 0, rejected: 0, learned: 0 },
    });
    expect(await w.get("/api/inbox/count")).toEqual({ pending: 0 });
    expect(existsSync(w.path)).toBe(false);
  });

  it("gives each suggestion with the words it comes from, its session and its turn", async () => {
    const w = world();
    await w.propose("Use pnpm", { quote: "use pnpm here, not npm", scope: "project" });
    const { pending } = await w.get<InboxList>("/api/inbox");
    expect(pending).toMatchObject([
      {
        text: "Use pnpm",
        kind: "pattern",
        scope: "project",
        quote: "use pnpm here, not npm",
        project: "shop",
        session: { host: "pi", id: "s1" },
        turn: "t7",
        at: NOW - 5000,
        byModel: false,
      },
    ]);
  });

  it("gives markup, quotes, line breaks and 4,000 characters as plain text on one line", async () => {
    const hostile = `</script><img src=x onerror="alert(1)">\n\n"quoted" \u202e${"x".repeat(4000)}`;
    const w = world(exampleSeed({ state: { proposals: [proposal("p1", hostile)] } }));
    const { pending } = await w.get<InboxList>("/api/inbox");
    expect(pending[0]?.text).toBe(`</script><img src=x onerror="alert(1)"> "quoted" ${"x".repeat(4000)}`);
    expect((await w.send("POST", "/api/inbox/p1/accept")).status).toBe(200);
    expect(parsed(w.path).learned.patterns[0]?.content).toBe(pending[0]?.text);
  });

  it.each([
    ["a damaged seed", "{ not json", "seed-damaged", /continuo seed repair/],
    ["a seed of a newer version", { ...exampleSeed(), version: "9.0.0" }, "seed-newer", /update/],
  ])("explains %s and changes nothing", async (_, seed, code, hint) => {
    const w = world(seed);
    const before = readFileSync(w.path, "utf8");
    for (const address of ["/api/inbox", "/api/inbox/count", "/api/tombstones", "/api/learnings"]) {
      const answer = await w.app.request(address);
      expect(answer.status).toBe(409);
      expect(await answer.json()).toMatchObject({ error: { code, hint: expect.stringMatching(hint) } });
    }
    expect((await w.send("POST", "/api/inbox/p1/accept")).body.error?.code).toBe(code);
    expect(readFileSync(w.path, "utf8")).toBe(before);
  });
});

describe("checks and questions", () => {
  const RULE = ".continuo/rules/no-any.md";

  async function waiting() {
    const w = world();
    const moment = { session: { host: "pi", id: "s1" }, project: w.project, at: NOW };
    await draftHeard([{ sentence: "I told you not to use any", turn: "t3" }], moment, {
      home: w.home.root,
      readOnly: false,
      settings: {},
    });
    const question = {
      rule: RULE,
      name: "no-any",
      check: "c1",
      project: w.project,
      breaches: 4,
      example: "a.ts:1 any",
    };
    askPerson(w.home, question, NOW + 1);
    return w;
  }

  it("are in the same list, with the check in words, its sentence and what can be edited", async () => {
    const w = await waiting();
    const { pending, counts } = await w.get<InboxList>("/api/inbox");
    expect(pending).toMatchObject([
      {
        kind: "check",
        quote: "I told you not to use any",
        pattern: "\\bany\\b",
        session: { host: "pi", id: "s1" },
      },
      { kind: "question", isFixed: true, rule: { name: "no-any", path: RULE } },
    ]);
    expect(pending[0]?.text).toContain("must not contain `any` as a word");
    expect(counts).toMatchObject({ pending: 2, decided: 0 });
    expect(await w.get("/api/inbox/count")).toEqual({ pending: 2 });
    const { tried } = await w.get<Tried>(`/api/inbox/${pending[0]?.id}/tried`);
    expect(tried.join(" ")).toBe("In the last 90 days it would have found nothing.");
  });

  it("are decided, listed and undone like learnings", async () => {
    const w = await waiting();
    const [check, question] = (await w.get<InboxList>("/api/inbox")).pending;
    const path = join(w.home.root, "rules", "no-any.md");
    const accepted = await w.send("POST", `/api/inbox/${check?.id}/accept`, {
      text: "as any",
      scope: "everywhere",
    });
    expect(accepted.status).toBe(200);
    expect(readFileSync(path, "utf8")).toContain("never: 'as any'");
    expect((await w.send("POST", `/api/inbox/${question?.id}/mute`)).status).toBe(200);
    const { decisions, total } = await w.get<DecisionPage>("/api/inbox/decisions");
    expect([total, decisions.map(({ steps }) => steps[0]?.what)]).toEqual([2, ["mute", "accept"]]);
    expect((await w.send("POST", "/api/inbox/undo", { batch: accepted.body.batch })).status).toBe(200);
    expect(existsSync(path)).toBe(false);
  });

  it("are over once they are decided, also if others come from the same rule's file", async () => {
    const w = world();
    write(w.root, { [RULE]: "Never use `any`.\n\nRun `npm test` before you say you are done.\n" });
    const context = { home: w.home.root, env: w.env, settings: {}, readOnly: false, report: () => undefined };
    await draftFromRules({ project: w.project, cwd: w.root, at: NOW }, {
      ...context,
      signal: new AbortController().signal,
    } as unknown as PrepareContext);
    const [first, second] = (await w.get<InboxList>("/api/inbox")).pending;
    expect((await w.send("POST", `/api/inbox/${first?.id}/accept`)).status).toBe(200);
    expect((await w.get<InboxList>("/api/inbox")).pending.map(({ id }) => id)).toEqual([second?.id]);
    expect((await w.send("POST", `/api/inbox/${first?.id}/accept`)).status).toBe(409);
    expect((await w.send("POST", `/api/inbox/${second?.id}/accept`)).status).toBe(200);
    expect(await w.get("/api/inbox/count")).toEqual({ pending: 0 });
  });

  it("say why they cannot be decided so", async () => {
    const w = await waiting();
    const [, question] = (await w.get<InboxList>("/api/inbox")).pending;
    write(w.root, { [RULE]: "---\nchecks:\n  edits:\n    - never: x1\n---\nText\n" });
    const { status, body } = await w.send("POST", `/api/inbox/${question?.id}/accept`);
    expect([status, body.error?.code]).toEqual([409, "not-decided"]);
    expect(body.error?.message).toContain("has changed since, and so has this check");
  });
});

describe("decisions", () => {
  it("accepts, with the person's own words and scope, and undoes exactly that decision", async () => {
    const w = world(exampleSeed());
    await w.propose("Use pnpm", { scope: "project" });
    await w.propose("Use tabs");
    const [pnpm, tabs] = (await w.get<InboxList>("/api/inbox")).pending;
    const first = await w.send("POST", `/api/inbox/${pnpm?.id}/accept`, {
      text: "Use pnpm 9",
      scope: "everywhere",
    });
    expect(first).toMatchObject({ status: 200, body: { message: 'Accepted "Use pnpm 9"' } });
    expect((await w.send("POST", `/api/inbox/${tabs?.id}/reject`)).body.message).toMatch(
      /not suggested again/,
    );
    expect(parsed(w.path).learned.patterns).toMatchObject([{ content: "Use pnpm 9", tags: [] }]);
    // Not the last one: the page undoes what it shows.
    const undone = await w.send("POST", "/api/inbox/undo", { batch: first.body.batch });
    expect(undone.body.message).toBe('Undone: accepted "Use pnpm 9"');
    expect((await w.get<InboxList>("/api/inbox")).pending).toMatchObject([{ text: "Use pnpm" }]);
    expect(parsed(w.path).learned.patterns).toEqual([]);
    expect(await w.send("POST", "/api/inbox/undo", { batch: first.body.batch })).toMatchObject({
      status: 409,
      body: { error: { code: "decided-meanwhile" } },
    });
    expect(w.events.filter(({ type }) => type === "inbox")).toHaveLength(3);
  });

  it("answers 409 with what happened when another window decided first", async () => {
    const w = world(
      exampleSeed({ state: { proposals: [proposal("p1", "Use pnpm"), proposal("p2", "Use tabs")] } }),
    );
    await learningSuggestions({ home: w.home.root, env: w.env }).reject("p1");
    const late = await w.send("POST", "/api/inbox/p1/accept");
    expect(late.status).toBe(409);
    expect(late.body.error?.message).toBe("This suggestion was rejected in another window.");
    expect((await w.send("POST", "/api/inbox/nobody/reject")).status).toBe(409);
    expect((await w.get<InboxList>("/api/inbox")).pending).toMatchObject([{ id: "p2" }]);
    expect(w.events).toEqual([]);
  });

  it("takes the id of what is gone for no beginning of another", async () => {
    const w = world(
      exampleSeed({
        learned: { patterns: [learning("learn-1-more", "Use pnpm")] },
        state: { proposals: [proposal("prop-1-more", "Use tabs")] },
      }),
    );
    expect((await w.send("POST", "/api/inbox/prop-1/accept")).status).toBe(409);
    expect((await w.send("DELETE", "/api/learnings/learn-1")).status).toBe(409);
    expect(parsed(w.path)).toMatchObject({
      learned: { patterns: [{ id: "learn-1-more" }] },
      state: { proposals: [{ status: "pending" }] },
    });
  });

  it("refuses unknown fields, an empty text and one that is too long", async () => {
    const w = world(exampleSeed({ state: { proposals: [proposal("p1", "Use pnpm")] } }));
    for (const body of [
      { texts: "a" },
      { ids: ["p1"] },
      { text: " \u200b" },
      { text: "x".repeat(4001) },
      { scope: "here" },
    ])
      expect((await w.send("POST", "/api/inbox/p1/accept", body)).status).toBe(400);
    expect((await w.get<InboxList>("/api/inbox")).pending).toHaveLength(1);
  });

  it.skipIf(process.getuid?.() === 0)(
    "explains a seed that cannot be written, and loses nothing",
    async () => {
      const w = world(exampleSeed({ state: { proposals: [proposal("p1", "Use pnpm")] } }));
      chmodSync(dirname(w.path), 0o555);
      const answer = await w.send("POST", "/api/inbox/p1/accept");
      chmodSync(dirname(w.path), 0o755);
      expect(answer).toMatchObject({ status: 409 });
      expect((await w.get<InboxList>("/api/inbox")).pending).toHaveLength(1);
    },
  );

  it("lists what was decided, newest first and page by page, with the changed words", async () => {
    const w = world(exampleSeed());
    for (const text of ["Use pnpm", "Use tabs", "Write short commits"]) await w.propose(text);
    const { pending } = await w.get<InboxList>("/api/inbox");
    await w.send("POST", `/api/inbox/${pending[0]?.id}/accept`, { text: "Use pnpm 9" });
    await w.send("POST", `/api/inbox/${pending[1]?.id}/reject`);
    const page = await w.get<DecisionPage>("/api/inbox/decisions?limit=1");
    expect(page).toMatchObject({ total: 2, decisions: [{ steps: [{ what: "reject", text: "Use tabs" }] }] });
    const next = await w.get<DecisionPage>("/api/inbox/decisions?limit=1&offset=1");
    expect(next.decisions).toMatchObject([
      {
        steps: [
          {
            what: "accept",
            text: "Use pnpm 9",
            suggested: "Use pnpm",
            quote: "please: Use pnpm",
            session: { host: "pi", id: "s1" },
          },
        ],
      },
    ]);
  });
});

describe("tombstones", () => {
  it.each([
    ["with a seed", exampleSeed()],
    ["without a seed", undefined],
  ])("lists rejected wishes, and a revoked one is pending again (%s)", async (_, seed) => {
    const w = world(seed);
    await w.propose("Use tabs");
    const [tabs] = (await w.get<InboxList>("/api/inbox")).pending;
    await w.send("POST", `/api/inbox/${tabs?.id}/reject`);
    expect((await w.propose("use TABS!")).proposed).toEqual([]);
    const { tombstones } = await w.get<TombstoneList>("/api/tombstones");
    expect(tombstones).toMatchObject([{ text: "Use tabs", why: "rejected" }]);
    const revoked = await w.send("DELETE", `/api/tombstones/${tombstones[0]?.id}`);
    expect(revoked.body.message).toBe('Allowed again "Use tabs"');
    expect((await w.get<InboxList>("/api/inbox")).pending).toMatchObject([{ id: tabs?.id }]);
    expect((await w.get<TombstoneList>("/api/tombstones")).total).toBe(0);
    expect((await w.send("DELETE", `/api/tombstones/${tombstones[0]?.id}`)).status).toBe(409);
    await w.send("POST", "/api/inbox/undo", { batch: revoked.body.batch });
    expect((await w.get<TombstoneList>("/api/tombstones")).total).toBe(1);
    expect((await w.get<InboxList>("/api/inbox")).pending).toEqual([]);
  });

  it("has rejections that another program wrote into the seed", async () => {
    const rejected = proposal("p1", "Use tabs", { status: "rejected", decidedAt: "2026-02-06T10:00:00Z" });
    const w = world(exampleSeed({ state: { proposals: [rejected] } }));
    const { tombstones } = await w.get<TombstoneList>("/api/tombstones");
    expect(tombstones).toMatchObject([{ text: "Use tabs", at: "2026-02-06T10:00:00Z" }]);
    await w.send("DELETE", `/api/tombstones/${tombstones[0]?.id}`);
    expect((await w.get<InboxList>("/api/inbox")).pending).toMatchObject([{ id: "p1" }]);
    expect(parsed(w.path).state.proposals[0]).not.toHaveProperty("decidedAt");
  });
});

describe("learnings", () => {
  it("lists them, removes one, and brings it back when its tombstone is revoked", async () => {
    const w = world(
      exampleSeed({ learned: { patterns: [learning("l1", "Use pnpm"), learning("l2", "Use tabs")] } }),
    );
    expect((await w.get<LearningList>("/api/learnings")).total).toBe(2);
    const removed = await w.send("DELETE", "/api/learnings/l1");
    expect(removed.body.message).toBe('Forgot "Use pnpm"');
    expect((await w.get<LearningList>("/api/learnings")).learnings).toMatchObject([{ id: "l2" }]);
    expect((await w.send("DELETE", "/api/learnings/l1")).status).toBe(409);
    const { tombstones } = await w.get<TombstoneList>("/api/tombstones");
    expect(tombstones).toMatchObject([{ text: "Use pnpm", why: "removed" }]);
    await w.send("DELETE", `/api/tombstones/${tombstones[0]?.id}`);
    expect((await w.get<LearningList>("/api/learnings")).total).toBe(2);
    expect((await w.get<TombstoneList>("/api/tombstones")).total).toBe(0);
  });

  it("is readable again after the damaged seed is repaired under the open page", async () => {
    const w = world(exampleSeed());
    const good = readFileSync(w.path, "utf8");
    writeFileSync(w.path, good.slice(0, 50));
    expect((await w.app.request("/api/inbox")).status).toBe(409);
    writeFileSync(w.path, good);
    expect((await w.app.request("/api/inbox")).status).toBe(200);
  });
});
