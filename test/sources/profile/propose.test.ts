import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { changeSeed } from "../../../src/sources/profile/file/change.ts";
import { readSidecar, sidecarPath } from "../../../src/sources/profile/file/sidecar.ts";
import { undoLast } from "../../../src/sources/profile/learning/apply.ts";
import { accept, learn, reject } from "../../../src/sources/profile/learning/decide.ts";
import { evidenceById } from "../../../src/sources/profile/learning/decision-log.ts";
import { readProfile } from "../../../src/sources/profile/learning/profile.ts";
import { type Candidate, MAX_HELD_BACK, propose } from "../../../src/sources/profile/learning/propose.ts";
import { temporaryFolder } from "../../support/world.ts";
import { exampleSeed, git, learning, NOW, parsed, placeAt, proposal, seedFolder } from "./seeds.ts";
import { strictlyRead } from "./strict-reader.ts";

const at = new Date(NOW).toISOString();

function candidate(content: string, more: Partial<Candidate> = {}): Candidate {
  return { type: "pattern", content, evidence: `the user said: ${content}`, ...more };
}

function proposeTo(path: string, ...contents: string[]) {
  const candidates = contents.map((content) => candidate(content));
  return propose(candidates, {
    place: placeAt(path),
    sessionId: "s-1",
    host: "pi",
    project: "project:~/shop",
    now: NOW,
  });
}

function decide(path: string, id: string, how: "accept" | "reject", content?: string) {
  return changeSeed(
    path,
    (config) => {
      const one = config.state.proposals.find((each) => each.id === id)!;
      const options = { now: at, ...(content === undefined ? {} : { content }) };
      const { config: after, step } =
        how === "accept" ? accept(config, one, options) : reject(config, one, at);
      const records = [{ kind: "decided" as const, at, batch: `${how}-${id}`, steps: [step] }];
      return { config: after, kind: "Confirm", what: how, records };
    },
    { lockWaitMs: 5000 },
  );
}

describe("propose", () => {
  it("writes pending proposals with their evidence in the sidecar, in one commit", async () => {
    const { folder, path } = seedFolder();
    const { proposed } = await propose(
      [
        candidate("Prefers pnpm", { method: "regex", confidence: 0.9 }),
        candidate("Tests\u200b first\n", { type: "insight" }),
      ],
      { place: placeAt(path), sessionId: "s-1", host: "pi", project: "project:~/shop", now: NOW },
    );
    expect(parsed(path).state.proposals).toEqual(proposed);
    expect(proposed).toMatchObject([
      {
        type: "pattern",
        content: "Prefers pnpm",
        source: "s-1",
        status: "pending",
        method: "regex",
        confidence: 0.9,
      },
      { type: "insight", content: "Tests first", extractedAt: at },
    ]);
    expect(evidenceById(readSidecar(path)).get(proposed[0]!.id)).toMatchObject({
      quote: "the user said: Prefers pnpm",
      session: "s-1",
      host: "pi",
      project: "project:~/shop",
    });
    expect(git(folder, "log", "--format=%s")).toBe("Learn: extracted 2 proposals");
    expect(strictlyRead(readFileSync(path, "utf8"))).toEqual([]);
  });

  it("proposes a value once, however it is written, and not what is learned", async () => {
    const { path } = seedFolder(exampleSeed({ learned: { insights: [learning("l", "Reads first")] } }));
    const { proposed, skipped } = await proposeTo(path, "Use pnpm", "use PNPM!", "reads first.", " \u200b ");
    expect(proposed).toHaveLength(1);
    expect(skipped.map((one) => one.because)).toEqual(["pending", "learned", "empty"]);
    expect((await proposeTo(path, "“Use pnpm”")).skipped).toMatchObject([{ because: "pending" }]);
  });

  it("never proposes again what was rejected, even if the proposal is gone from the seed", async () => {
    const { path } = seedFolder();
    const { proposed } = await proposeTo(path, "Use pnpm");
    await decide(path, proposed[0]!.id, "reject");
    expect((await proposeTo(path, "ＵＳＥ  p\u200bnpm…")).skipped).toMatchObject([{ because: "refused" }]);
    // A re-import, or a sync with a machine that does not know of it.
    writeFileSync(path, `${JSON.stringify(exampleSeed(), null, 2)}\n`);
    expect((await proposeTo(path, "use pnpm")).skipped).toMatchObject([{ because: "refused" }]);
    expect(parsed(path).state.proposals).toEqual([]);
  });

  it("respects what another program rejected or accepted in the seed alone, and the original words of an edited proposal", async () => {
    const { path } = seedFolder(
      exampleSeed({
        state: { proposals: [proposal("r", "Use npm", { status: "rejected" }), proposal("e", "Use yarn")] },
      }),
    );
    await decide(path, "e", "accept", "Uses yarn in old projects");
    const { skipped } = await proposeTo(path, "use npm", "use yarn", "uses yarn in old projects");
    expect(skipped.map((one) => one.because)).toEqual(["refused", "learned", "learned"]);
  });

  it("proposes no wish again in other words, whether it was rejected, is pending, learned, or came up just before", async () => {
    const { path } = seedFolder(
      exampleSeed({
        state: {
          proposals: [proposal("r", "No `any` here", { status: "rejected" }), proposal("p", "Sort imports")],
        },
        learned: { insights: [learning("l", "Reads first")] },
      }),
    );
    const { proposed: own } = await proposeTo(path, "Use pnpm");
    await decide(path, own[0]!.id, "reject");
    const compared: string[][] = [];
    const isSame = (a: string, b: string) => {
      compared.push([a, b]);
      return a.split(" ").at(-1) === b.split(" ").at(-1);
    };
    const contents = [
      "Work with pnpm",
      "Forbidden here",
      "Order the imports",
      "Begins first",
      "Be brief",
      "Stay brief",
    ];
    const { proposed, skipped } = await propose(
      contents.map((one) => candidate(one)),
      { place: placeAt(path), sessionId: "s-1", now: NOW, isSame },
    );
    expect(proposed.map((one) => one.content)).toEqual(["Be brief"]);
    expect(skipped.map((one) => one.because)).toEqual([
      "refused",
      "refused",
      "pending",
      "learned",
      "pending",
    ]);
    // With the words that the human saw: names and negations are lost in the normalised value.
    expect(compared).toContainEqual(["Work with pnpm", "No `any` here"]);
    expect(compared).toContainEqual(["Work with pnpm", "Use pnpm"]);
  });

  it("holds back what is similar to a rejected value, with that one's words", async () => {
    const { path } = seedFolder(exampleSeed({ state: { proposals: [] } }));
    const { proposed: own } = await proposeTo(path, "Ask first");
    await decide(path, own[0]!.id, "reject");
    const asked: [string, readonly string[]][] = [];
    const nearest = (text: string, among: readonly string[]) => {
      asked.push([text, among]);
      return text.includes("Ask") ? among[0] : undefined;
    };
    const options = { place: placeAt(path), sessionId: "s-1", now: NOW, nearest };
    const { proposed, heldBack } = await propose(
      [candidate("Ask me before anything"), candidate("Use tabs")],
      options,
    );
    expect(proposed.map((one) => one.content)).toEqual(["Ask me before anything", "Use tabs"]);
    expect([...heldBack]).toEqual([proposed[0]!.id]);
    expect(evidenceById(readSidecar(path)).get(proposed[0]!.id)?.similarTo).toBe("Ask first");
    expect([...readProfile(placeAt(path)).heldBack()]).toEqual([[proposed[0]!.id, "Ask first"]]);
    expect(asked.map(([text]) => text)).toEqual(["Ask me before anything", "Use tabs"]);
    expect(asked.every(([, among]) => !among.includes("Use tabs"))).toBe(true);
  });

  it("treats a proposal as any other once the value that it is similar to is no longer rejected", async () => {
    const { path } = seedFolder(exampleSeed({ state: { proposals: [] } }));
    const { proposed: own } = await proposeTo(path, "Ask first");
    await decide(path, own[0]!.id, "reject");
    const nearest = (_: string, among: readonly string[]) => among[0];
    await propose([candidate("Ask me")], { place: placeAt(path), sessionId: "s", now: NOW, nearest });
    expect(readProfile(placeAt(path)).heldBack().size).toBe(1);
    await undoLast(placeAt(path), 1, { now: NOW + 1, lockWaitMs: 5000 });
    expect(readProfile(placeAt(path)).heldBack().size).toBe(0);
  });

  it("holds back a bounded number: nobody is told of them, so they must not fill the list", async () => {
    const { path } = seedFolder(exampleSeed({ state: { proposals: [] } }));
    const { proposed: own } = await proposeTo(path, "Ask first");
    await decide(path, own[0]!.id, "reject");
    const nearest = (text: string, among: readonly string[]) => (text === "Use tabs" ? undefined : among[0]);
    const { heldBack, proposed, skipped } = await propose(
      [...Array.from({ length: MAX_HELD_BACK + 2 }, (_, i) => candidate(`Wish ${i}`)), candidate("Use tabs")],
      { place: placeAt(path), sessionId: "s", now: NOW, nearest },
    );
    expect(heldBack.size).toBe(MAX_HELD_BACK);
    expect(skipped.map((one) => one.because)).toEqual(["refused", "refused"]);
    expect(proposed.at(-1)?.content).toBe("Use tabs");
  });

  it("compares nothing by meaning where nothing is known or where the letters decide", async () => {
    const { path } = seedFolder(exampleSeed({ state: { proposals: [] } }));
    const isSame = () => {
      throw new Error("compared");
    };
    const options = { place: placeAt(path), sessionId: "s-1", now: NOW, isSame };
    expect((await propose([candidate("Use pnpm")], options)).proposed).toHaveLength(1);
    expect((await propose([candidate("use PNPM")], options)).skipped).toMatchObject([{ because: "pending" }]);
  });

  it("keeps secrets out", async () => {
    const { path } = seedFolder();
    const key = `sk-ant-${"a".repeat(20)}`;
    const { skipped } = await proposeTo(path, `The key is ${key}`);
    expect(skipped).toMatchObject([{ because: "secret" }]);
    await propose([candidate("Uses a key", { evidence: `here: ${key}` })], {
      place: placeAt(path),
      sessionId: "s",
      now: NOW,
    });
    expect(readFileSync(sidecarPath(path), "utf8")).not.toContain(key);
  });

  it("creates no seed if there is none: it waits in Continuo's home", async () => {
    const path = `${temporaryFolder()}/.pai/seed.json`;
    expect((await proposeTo(path, "Use pnpm")).proposed).toHaveLength(1);
    expect((await proposeTo(path, "use PNPM!")).skipped).toMatchObject([{ because: "pending" }]);
    expect(existsSync(path)).toBe(false);
    expect(readProfile(placeAt(path)).pending()).toMatchObject([{ content: "Use pnpm" }]);
  });
});

describe("decisions", () => {
  it("move an accepted proposal to the learnings under its id, and are counted", async () => {
    const { path } = seedFolder(
      exampleSeed({
        state: {
          proposals: [
            proposal("a", "Knows itself", { type: "self_knowledge", confidence: 0.8 }),
            proposal("b", "No", { type: "insight" }),
          ],
        },
      }),
    );
    await decide(path, "a", "accept");
    await decide(path, "b", "reject");
    const { learned, state } = parsed(path);
    expect(learned.selfKnowledge).toEqual([
      learning("a", "Knows itself", {
        source: "abc-123",
        extractedAt: "2026-02-05T10:00:00Z",
        confirmedAt: at,
      }),
    ]);
    expect(state.proposals.map(({ id, status, decidedAt }) => ({ id, status, decidedAt }))).toEqual([
      { id: "a", status: "accepted", decidedAt: at },
      { id: "b", status: "rejected", decidedAt: at },
    ]);
    const none = { accepted: 0, rejected: 0 };
    expect(state.extractionStats).toEqual({
      accepted: 1,
      rejected: 1,
      byType: {
        pattern: none,
        insight: { accepted: 0, rejected: 1 },
        self_knowledge: { accepted: 1, rejected: 0 },
      },
      confidenceSum: { accepted: 0.8, rejected: 0 },
      confidenceCount: { accepted: 1, rejected: 0 },
    });
    expect(strictlyRead(readFileSync(path, "utf8"))).toEqual([]);
  });

  it("are undone one by one, and then may be proposed again", async () => {
    const { path } = seedFolder(
      exampleSeed({ state: { proposals: [proposal("a", "Yes", { confidence: 0.1 }), proposal("b", "No")] } }),
    );
    const before = parsed(path);
    await decide(path, "a", "accept");
    await decide(path, "b", "reject");
    await undoLast(placeAt(path), 1, { now: NOW, lockWaitMs: 1000 });
    expect(parsed(path).state.proposals[1]).toEqual(before.state.proposals[1]);
    expect((await proposeTo(path, "no")).skipped).toMatchObject([{ because: "pending" }]);
    await undoLast(placeAt(path), 5, { now: NOW, lockWaitMs: 1000 });
    const { extractionStats, ...rest } = parsed(path).state;
    expect(rest).toEqual(before.state);
    expect(extractionStats).toMatchObject({ accepted: 0, rejected: 0, confidenceSum: { accepted: 0 } });
    expect(parsed(path).learned).toEqual(before.learned);
    expect((await undoLast(placeAt(path), 1, { now: NOW, lockWaitMs: 1000 })).batches).toEqual([]);
  });

  it("are kept after the sidecars of two machines were merged line by line, with a partial line in between", async () => {
    const [one, other] = [seedFolder(), seedFolder()];
    const first = (await proposeTo(one.path, "Use pnpm")).proposed[0]!;
    const second = (await proposeTo(other.path, "Use yarn")).proposed[0]!;
    await decide(one.path, first.id, "reject");
    await decide(other.path, second.id, "reject");
    appendFileSync(
      sidecarPath(one.path),
      `{"kind":"deci\n<<<<<<< theirs\n${readFileSync(sidecarPath(other.path), "utf8")}`,
    );
    const { skipped } = await proposeTo(one.path, "use pnpm", "use yarn");
    expect(skipped.map((each) => each.because)).toEqual(["refused", "refused"]);
  });

  it("may teach a rejected value, which is then not proposed because it is learned", async () => {
    const { path } = seedFolder();
    const { proposed } = await proposeTo(path, "Use pnpm");
    await decide(path, proposed[0]!.id, "reject");
    await changeSeed(
      path,
      (config) => {
        const { config: after, step } = learn(config, "pattern", learning("l", "Use pnpm"));
        return {
          config: after,
          kind: "Learn",
          what: "x",
          records: [{ kind: "decided", at: "2027-01-01T00:00:00Z", batch: "l", steps: [step] }],
        };
      },
      { lockWaitMs: 1000 },
    );
    expect((await proposeTo(path, "use pnpm")).skipped).toMatchObject([{ because: "learned" }]);
  });
});
