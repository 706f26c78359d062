import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { loadHistory } from "../../../src/hosts/index.ts";
import type { Source } from "../../../src/moments/ports/source.ts";
import { ledgerJournal } from "../../../src/moments/state/ledger.ts";
import { stateFile } from "../../../src/moments/state/session-state.ts";
import { readRecords } from "../../../src/store/journal.ts";
import { engineFor, engineWorld, puppet } from "../../support/engine.ts";
import { configFor, item, section, temporaryWorld } from "../../support/world.ts";

const ledger = (world: ReturnType<typeof engineWorld>) =>
  readRecords(ledgerJournal(world.home)).records as Record<string, unknown>[];

describe("engine", () => {
  it("stores a snapshot at the start and replays it byte for byte on resume, whatever changed since", async () => {
    const { source, say } = puppet();
    const world = engineWorld([source]);
    say(section([item("a", "Rule A.")]));
    const first = await world.start();
    expect(first).toContain("Rule A.");
    say(section([item("a", "Rule A, edited.")]));
    expect(await world.resume()).toBe(first);
  });

  it("delivers new or changed items once, as an addition", async () => {
    const { source, say } = puppet();
    const world = engineWorld([source]);
    say(section([item("a", "Rule A.")]));
    await world.start();
    expect(await world.prompt("hello")).toBe("");
    say(section([item("a", "Rule A."), item("b", "Rule B.")]));
    const addition = await world.prompt("hello");
    expect(addition).toMatch(/^<continuo-addition>/);
    expect(addition).toContain("Rule B.");
    expect(addition).not.toContain("Rule A.");
    expect(await world.prompt("hello")).toBe("");
    say(section([item("a", "Rule A, edited."), item("b", "Rule B.")]));
    expect(await world.tool("Read")).toContain("Rule A, edited.");
    expect(await world.tool("Read")).toBe("");
  });

  it("begins a new epoch after a compaction: everything that still applies is delivered again", async () => {
    const { source, say } = puppet();
    const world = engineWorld([source]);
    say(section([item("a", "Rule A.")]));
    await world.start();
    say(section([item("a", "Rule A."), item("b", "Rule B.")]));
    await world.prompt("hello");
    expect(await world.compacting()).toContain("block out of the summary");
    const after = await world.compacted();
    expect(after).toContain("Rule A.");
    expect(after).toContain("Rule B.");
    expect(await world.prompt("hello")).toBe("");
    expect(await world.resume()).toBe(after);
    say(section([item("a", "Rule A.")]));
    await world.compacted();
    expect(
      ledger(world)
        .filter((line) => line["kind"] === "compacted")
        .map((line) => line["lost"]),
    ).toEqual([[], ["rules/b"]]);
  });

  it("brings back after a compaction what the start had, before anything new, and keeps out what had no room", async () => {
    const { source, say } = puppet();
    const world = engineWorld([source], { snapshotAim: 600 });
    const notes = (...keys: string[]) =>
      section(
        keys.map((key, i) => item(key, `Note ${key}. `.padEnd(500, "word "), { priority: keys.length - i })),
        { source: "rules", title: "Notes", nature: "reference", essential: false, priority: 1 },
      );
    say(section([item("rule", "Rule.")]), notes("a", "b", "c", "d", "e", "f"));
    const first = await world.start();
    expect(first.match(/Note \w\./g)).toEqual(["Note a.", "Note b.", "Note c.", "Note d."]);
    expect(first).toContain("2 left out for lack of room");
    // More rules apply by now, and new notes come first.
    const long = Array.from({ length: 5 }, (_, i) => item(`r${i}`, "rule ".repeat(120)));
    say(section([item("rule", "Rule."), ...long]), notes("x", "y", "f", "e", "d", "c", "b", "a"));
    await world.prompt("hello");
    const after = await world.compacted();
    for (const key of ["a", "b", "c", "d"]) expect(after).toContain(`Note ${key}.`);
    for (const key of ["e", "f"]) expect(after).not.toContain(`Note ${key}.`);
    expect(await world.prompt("hello")).toBe("");
  });

  it("keeps for any sections what was in the start and still holds, within the limits", async () => {
    const anyItems = fc.uniqueArray(
      fc.record({ key: fc.constantFrom(..."abcdefghijkl"), words: fc.nat(120), priority: fc.nat(3) }),
      { selector: (one) => one.key, maxLength: 12 },
    );
    const anySections = fc.array(fc.record({ items: anyItems, isList: fc.boolean() }), { maxLength: 3 });
    const rulesOf = (count: number) =>
      section(Array.from({ length: count }, (_, i) => item(`rule-${i}`, "rule ".repeat(100))));
    await fc.assert(
      fc.asyncProperty(
        anySections,
        anySections,
        fc.nat(5),
        fc.nat(5),
        fc.integer({ min: 0, max: 800 }),
        async (given, fresh, rules, moreRules, snapshotAim) => {
          const { source, say } = puppet();
          const world = engineWorld([source], { snapshotAim });
          const others = (all: typeof given, prefix: string) =>
            all.map(({ items, isList }, at) =>
              section(
                items.map(({ key, words, priority }) =>
                  item(`${prefix}${at}${key}`, `${prefix}${at}${key}: ${"word ".repeat(words)}`, {
                    priority,
                  }),
                ),
                {
                  title: `${prefix}${at}`,
                  nature: "reference",
                  essential: false,
                  priority: prefix === "new" ? 9 : at,
                  ...(isList && { layout: "lines" as const }),
                },
              ),
            );
          say(rulesOf(rules), ...others(given, "old"));
          const first = await world.start();
          say(rulesOf(rules + moreRules), ...others(given, "old"), ...others(fresh, "new"));
          const after = await world.compacted();
          for (const [key] of first.matchAll(/old\d\w(?=:)/g)) expect(after).toContain(`${key}:`);
        },
      ),
      { numRuns: 60 },
    );
  });

  it("restores the rules at the next prompt or tool call if the moment after a compaction failed", async () => {
    for (const next of ["prompt", "tool"] as const) {
      const { source, say } = puppet();
      const world = engineWorld([source]);
      say(section([item("a", "Rule A.")]));
      await world.start();
      await world.compacting();
      // Here the hook for the compacted session was killed; the host's summary still comes.
      await world.summarised("We worked.");
      expect(await world[next]("x")).toContain("Rule A.");
      expect(await world.prompt("x")).toBe("");
    }
  });

  it("does not begin an epoch twice if the host's summary comes while the moment is being handled", async () => {
    const { source, say } = puppet();
    const world = engineWorld([source]);
    say(section([item("a", "Rule A.")]));
    await world.start();
    await world.compacting();
    const options = { lockWaitMs: 1000, onDamaged: () => undefined };
    const state = stateFile(world.home, { host: "claude-code", id: "s1" }, options);
    // The moment holds the lock when the summary is given.
    let summarised: Promise<void> | undefined;
    await state.update((before) => {
      summarised = world.summarised("We worked.");
      return before && { ...before, compacting: false };
    });
    await summarised;
    expect(await world.prompt("x")).toBe("");
  });

  it("asks for the owed snapshot and for the prompt's addition at the same time", async () => {
    const sections = [section([item("a", "Rule A.")])];
    const asked = Promise.withResolvers<void>();
    const source: Source = {
      ...puppet().source,
      answers: {
        start: () => ({ sections }),
        prompt: () => {
          asked.resolve();
          return { sections };
        },
        compacted: () => asked.promise.then(() => ({ sections })),
      },
    };
    const world = engineWorld([source], { sourceDeadlineMs: 300 });
    await world.start();
    await world.compacting({ endsEpoch: true });
    expect((await world.prompt("x")).split("Rule A.")).toHaveLength(2);
    expect(world.trouble).toEqual([]);
  });

  it("delivers the owed snapshot even if the prompt's addition fails", async () => {
    const { source, say } = puppet();
    const prompt = () => ({
      remember: () => {
        throw new Error("no memory");
      },
    });
    const world = engineWorld([{ ...source, answers: { ...source.answers, prompt } }]);
    say(section([item("a", "Rule A.")]));
    await world.start();
    await world.compacting({ endsEpoch: true });
    expect(await world.prompt("x")).toContain("Rule A.");
    expect(world.trouble).toMatchObject([{ where: "prompt", error: { message: "no memory" } }]);
  });

  it("begins one epoch if the host announced the end of the old one and its moment still comes", async () => {
    const { source, say } = puppet();
    const world = engineWorld([source]);
    say(section([item("a", "Rule A.")]));
    await world.start();
    await world.compacting({ endsEpoch: true });
    expect(await world.compactedAgain()).toContain("Rule A.");
    expect(await world.prompt("x")).toBe("");
  });

  it("still owes a snapshot if another compaction is announced and does not happen", async () => {
    const { source, say } = puppet();
    const world = engineWorld([source]);
    say(section([item("a", "Rule A.")]));
    await world.start();
    await world.compacting({ endsEpoch: true });
    await world.compacting();
    expect(await world.prompt("x")).toContain("Rule A.");
  });

  it("begins an epoch with the next prompt if the host only announces a compaction", async () => {
    const atPrompt = section([item("card", "You were here.")]);
    const { source, say } = puppet();
    const answers = { ...source.answers, prompt: () => ({ sections: [atPrompt] }) };
    const world = engineWorld([{ ...source, answers }]);
    say(section([item("a", "Rule A.")]));
    await world.start();
    await world.compacting({ endsEpoch: true });
    const text = await world.prompt("x");
    // The prompt's own answer is not lost.
    expect(text).toMatch(/^<continuo>.*Rule A\..*<\/continuo>\n<continuo-addition>.*You were here\./s);
    expect(await world.prompt("x")).toBe("");
    expect(ledger(world).find((line) => line["kind"] === "compacted")).toMatchObject({
      reasserted: ["rules/a"],
    });
  });

  it("begins an epoch if the host's conversation no longer contains what was delivered", async () => {
    const { source, say } = puppet();
    const world = engineWorld([source]);
    say(section([item("a", "Rule A.")]));
    await world.start();
    const asked: string[] = [];
    const stillHolds = (answer: boolean) => (opening: string) => asked.push(opening) > 0 && answer;
    expect(await world.prompt("x", "s1", { stillHolds: stillHolds(true) })).toBe("");
    expect(await world.prompt("x", "s1", { stillHolds: stillHolds(false) })).toContain("Rule A.");
    expect(asked).toEqual(["<continuo>", "<continuo>"]);
    // Two compactions in quick succession are two; two processes that notice the same one begin one epoch.
    expect(await world.prompt("x", "s1", { stillHolds: stillHolds(false) })).toContain("Rule A.");
    const both = await Promise.all([1, 2].map(() => world.prompt("x", "s1", { stillHolds: () => false })));
    expect(both.filter((text) => text.includes("Rule A."))).toHaveLength(1);
  });

  it("marks a resume and delivers nothing if the host kept the snapshot", async () => {
    const { source, say } = puppet();
    const resumed: unknown[] = [];
    const prompt = (moment: { afterResume?: boolean }) => {
      resumed.push(moment.afterResume);
      return {};
    };
    const world = engineWorld([{ ...source, answers: { ...source.answers, prompt } }]);
    say(section([item("a", "Rule A.")]));
    expect(await world.resume("s1", { kept: true })).toBe("");
    expect(await world.prompt("x")).toContain("Rule A.");
    expect(await world.resume("s1", { kept: true })).toBe("");
    await world.prompt("x");
    await world.prompt("x");
    expect(resumed).toEqual([true, false]);
  });

  it("keeps the host's summary, without secrets, as long as the session lasts", async () => {
    const { source, say } = puppet();
    const world = engineWorld([source]);
    say(section([item("a", "Rule A.")]));
    await world.start();
    await world.compacting();
    await world.compacted();
    await world.summarised(`We used the key ${"ghp_"}${"a1B2".repeat(9)} in deploy.ts.`);
    await world.prompt("x");
    const state = JSON.parse(readFileSync(join(world.home.state, "claude-code", "s1.json"), "utf8"));
    expect(state.summary.text).toMatch(/^We used the key \[redacted:.*\] in deploy\.ts\.$/);
    expect(state).toMatchObject({ owed: false, compacting: false });
  });

  it("saves a quick source's memo before a slow source begins, when idle", async () => {
    const quick = {
      ...puppet().source,
      answers: { ...puppet().source.answers, idle: () => ({ remember: () => "kept" }) },
    };
    let seenBySlow: unknown;
    const world = engineWorld([
      quick,
      {
        ...quick,
        name: "context",
        answers: {
          idle: () => {
            const path = join(world.home.state, "claude-code", "s1.json");
            seenBySlow = JSON.parse(readFileSync(path, "utf8")).memos.rules;
            return {};
          },
        },
      },
    ]);
    await world.start();
    await world.idle();
    expect(seenBySlow).toBe("kept");
  });

  it("treats a compaction that fires twice as one", async () => {
    const { source, say } = puppet();
    const world = engineWorld([source]);
    say(section([item("a", "Rule A.")]));
    await world.start();
    expect(await world.compacted()).toContain("Rule A.");
    expect(await world.compactedAgain()).toBe("");
    expect(await world.compacted()).toContain("Rule A.");
  });

  it("reports as restored only what is in the new snapshot", async () => {
    const { source, say } = puppet();
    const place = temporaryWorld();
    const wide = engineWorld([source], {}, place);
    say(section([item("a", "Rule A."), item("long", "word ".repeat(200), { priority: -1 })]));
    await wide.start();
    const narrow = engineWorld([source], { tokenLimit: 150 }, place);
    await narrow.compacted();
    expect(ledger(narrow).find((line) => line["kind"] === "compacted")).toMatchObject({
      active: ["rules/a", "rules/long"],
      reasserted: ["rules/a"],
      noRoom: ["rules/long"],
      lost: [],
    });
  });

  it("delivers the snapshot even if the health log cannot be read", async () => {
    const { source, say } = puppet();
    say(section([item("a", "Rule A.")]));
    const place = temporaryWorld();
    const failures: string[] = [];
    mkdirSync(join(place.home.logs, "told"), { recursive: true });
    const engine = engineFor({
      sources: [source],
      config: configFor([source]),
      home: place.home,
      history: loadHistory,
      env: {},
      showsNotices: true,
      onFailure: (where) => failures.push(where),
    });
    const moment = {
      name: "start",
      session: { host: "pi", id: "s" },
      project: place.project,
      cwd: place.root,
      at: 1,
    } as const;
    expect(await engine.at(moment)).toContain("Rule A.");
    expect(failures).toEqual(["health"]);
  });

  it("does not deliver at a prompt what had no room in the snapshot", async () => {
    const { source, say } = puppet();
    const world = engineWorld([source], { tokenLimit: 200 });
    say(section([item("a", "Rule A."), item("big", "word ".repeat(400))]));
    expect(await world.start()).toContain("left out");
    expect(await world.prompt("hello")).toBe("");
  });

  it("delivers the snapshot at the first prompt or tool call if it was installed in the middle of a session", async () => {
    const { source, say } = puppet();
    const world = engineWorld([source]);
    say(section([item("a", "Rule A.")]));
    expect(await world.prompt("hello")).toMatch(/^<continuo>/);
    expect(await world.prompt("hello")).toBe("");
    expect(await world.tool("Read", "s2")).toMatch(/^<continuo>/);
    expect(await world.tool("Read", "s2")).toBe("");
    expect(await world.prompt("hello", "s2")).toBe("");
  });

  it("remembers the files of past calls, and delivers nothing for them", async () => {
    const { source, say } = puppet();
    const world = engineWorld([source]);
    say(section([item("a", "Rule A.")]));
    expect(await world.pastTool([{ path: "a.ts", access: "read" }])).toBe("");
    expect(await world.start()).toContain("Rule A.");
  });

  it("says of changed instructions that they replace their earlier text, within an epoch", async () => {
    const { source, say } = puppet();
    const world = engineWorld([source]);
    const note = (text: string) => section([item("n", text)], { title: "Notes", nature: "reference" });
    say(section([item("a", "Rule A.")]), note("Old."));
    await world.start();
    say(section([item("a", "Rule A, edited."), item("b", "Rule B.")]), note("New."));
    const addition = await world.prompt("hello");
    expect(addition).toContain('<continuo-item name="a" replaces="its earlier text">\nRule A, edited.');
    expect(addition).toContain('<continuo-item name="b">\nRule B.');
    expect(addition).toContain('<continuo-item name="n">\nNew.');
    expect(await world.compacted()).not.toContain("replaces=");
  });

  it("corrects a replayed snapshot at the next prompt, once", async () => {
    const { source, say } = puppet();
    const world = engineWorld([source]);
    say(section([item("a", "Rule A."), item("b", "Rule B.")]));
    const start = await world.start();
    say(section([item("a", "Rule A, edited."), item("b", "Rule B.")]));
    expect(await world.prompt("one")).toContain("Rule A, edited.");
    expect(await world.prompt("two")).toBe("");
    expect(await world.resume()).toBe(start); // the same bytes, with the old text
    const correction = await world.prompt("three");
    expect(correction).toContain('<continuo-item name="a" replaces="its earlier text">\nRule A, edited.');
    expect(correction).not.toContain("Rule B.");
    expect(await world.prompt("four")).toBe("");
  });

  it("does not say that a text replaces one that had no room", async () => {
    const { source, say } = puppet();
    const world = engineWorld([source], { rulesLimit: 100, tokenLimit: 100 });
    say(section([item("a", "word ".repeat(300))]));
    expect(await world.start()).toContain("1 left out");
    say(section([item("a", "Rule A, shortened.")]));
    expect(await world.prompt("hello")).toContain('<continuo-item name="a">');
  });

  it("records a late source once, also at a moment that asks it twice", async () => {
    const source: Source = {
      ...puppet().source,
      answers: {
        start: () => ({}),
        prompt: () => new Promise(() => undefined),
        compacted: () => new Promise(() => undefined),
      },
    };
    const world = engineWorld([source], { sourceDeadlineMs: 30 });
    await world.start();
    await world.compacting({ endsEpoch: true });
    await world.prompt("hello");
    expect(world.trouble.map(({ error }) => (error as { code: string }).code)).toEqual(["source-late"]);
  });

  it("delivers nothing twice if the host starts a session twice", async () => {
    const { source, say } = puppet();
    const world = engineWorld([source]);
    say(section([item("a", "Rule A.")]));
    const [one, two] = await Promise.all([world.start(), world.start()]);
    expect([one, two].filter((text) => text !== "")).toHaveLength(1);
  });

  it("leaves out sources that throw or are late, and reports them", async () => {
    const good = puppet({ name: "memory" });
    good.say(section([item("n", "Note.")], { source: "memory", title: "Notes", nature: "reference" }));
    const bad = puppet({
      name: "rules",
      answers: {
        start: () => {
          throw new Error("boom");
        },
      },
    });
    const slow = puppet({ name: "seed", answers: { start: () => new Promise(() => undefined) } });
    const world = engineWorld([bad.source, good.source, slow.source], { sourceDeadlineMs: 40 });
    expect(await world.start()).toContain("Note.");
    expect(world.trouble.map((one) => [one.where, (one.error as { code?: string }).code])).toEqual([
      ["rules at start", undefined],
      ["seed at start", "source-late"],
    ]);
  });

  it("keeps sources' memos, even if two processes write at once", async () => {
    const { source } = puppet({
      answers: {
        start: () => ({}),
        tool: () => ({ remember: (memo) => [...((memo as number[]) ?? []), 1] }),
      },
    });
    const world = engineWorld([source]);
    await world.start();
    await Promise.all(Array.from({ length: 20 }, () => world.tool("Read")));
    const state = JSON.parse(readFileSync(join(world.home.state, "claude-code", "s1.json"), "utf8"));
    expect(state.memos.rules).toHaveLength(20);
  });

  it("moves a damaged state aside, reports it, and continues", async () => {
    const { source, say } = puppet();
    const world = engineWorld([source]);
    say(section([item("a", "Rule A.")]));
    await world.start();
    const file = join(world.home.state, "claude-code", "s1.json");
    writeFileSync(file, '{"version":1,"sess');
    expect(await world.prompt("hello")).toContain("Rule A.");
    const error = world.trouble[0]!.error as Error & { code: string };
    expect(error.code).toBe("state-damaged");
    expect(existsSync(/kept as (.+)$/.exec(error.message)![1]!)).toBe(true);
  });

  it("does not change a state that a newer version wrote", async () => {
    const { source, say } = puppet();
    const world = engineWorld([source]);
    say(section([item("a", "Rule A.")]));
    await world.start();
    const file = join(world.home.state, "claude-code", "s1.json");
    const newer = '{"version":2,"future":true}';
    writeFileSync(file, newer);
    await expect(world.prompt("hello")).rejects.toMatchObject({ code: "state-newer" });
    expect(readFileSync(file, "utf8")).toBe(newer);
  });

  it("keeps sessions with hostile ids inside its folder", async () => {
    const { source, say } = puppet();
    const world = engineWorld([source]);
    say(section([item("a", "Rule A.")]));
    for (const id of ["../../../escape", "a/b", "C:\\x", "con", "x".repeat(5000), "", "\u0000"]) {
      expect(await world.start(id)).toContain("Rule A.");
      expect(await world.start(id)).toBe("");
    }
    expect(existsSync(join(world.root, "..", "escape.json"))).toBe(false);
  });

  it("shows in any sequence of moments exactly what a simple model of visibility expects", async () => {
    const steps = fc.array(
      fc.oneof(
        fc.record({
          do: fc.constant("set" as const),
          key: fc.constantFrom("a", "b", "c"),
          version: fc.integer({ min: 0, max: 2 }),
        }),
        fc.record({ do: fc.constant("unset" as const), key: fc.constantFrom("a", "b", "c") }),
        fc.record({
          do: fc.constantFrom(
            "prompt" as const,
            "tool" as const,
            "resume" as const,
            "compacted" as const,
            "start" as const,
          ),
        }),
      ),
      { maxLength: 25 },
    );
    await fc.assert(
      fc.asyncProperty(steps, async (sequence) => {
        const { source, say } = puppet();
        const world = engineWorld([source]);
        const active = new Map<string, string>();
        // The model: the texts that the host's conversation shows in this epoch, in order of arrival.
        let visible: string[] = [];
        let snapshot: string | undefined;
        const tell = () => say(section([...active].map(([key, text]) => item(key, text))));
        for (const step of sequence) {
          if (step.do === "set") active.set(step.key, `Text ${step.key}${step.version}.`);
          else if (step.do === "unset") active.delete(step.key);
          tell();
          if (step.do === "set" || step.do === "unset") continue;
          const text = step.do === "prompt" ? await world.prompt("x") : await world[step.do]("s1");
          if (step.do === "compacted") visible = [];
          if (step.do === "resume" && snapshot !== undefined) {
            expect(text).toBe(snapshot);
            continue;
          }
          if (snapshot === undefined || step.do === "compacted") snapshot = text;
          const fresh = [...text.matchAll(/Text \w\d\./g)].map(([found]) => found);
          for (const one of fresh) expect(visible.findLast((seen) => seen[5] === one[5])).not.toBe(one);
          visible.push(...fresh);
          // At a prompt, a tool call or a new epoch, the newest visible version of every active rule is the current one.
          if (step.do !== "start")
            for (const [key, want] of active) expect(visible.findLast((seen) => seen[5] === key)).toBe(want);
        }
      }),
      { numRuns: 40 },
    );
  });
});
