import { existsSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { MAX_VALUES } from "../../../src/base/json.ts";
import { propose } from "../../../src/sources/profile/learning/propose.ts";
import { runInProcess } from "../../support/in-process.ts";
import { temporaryWorld, write } from "../../support/world.ts";
import { exampleSeed, git, learning, NOW, parsed, placeAt, proposal } from "./seeds.ts";
import { strictlyRead } from "./strict-reader.ts";

function setUp(seed?: unknown) {
  const { env, root } = temporaryWorld();
  const path = join(env["HOME"]!, ".pai/seed.json");
  if (seed !== undefined) {
    const text = typeof seed === "string" ? seed : `${JSON.stringify(seed, null, 2)}\n`;
    write(dirname(path), { "seed.json": text });
  }
  const run = async (...argv: string[]) => {
    const done = await runInProcess(["seed", ...argv], { env, cwd: root, now: () => NOW });
    return { code: done.code, out: done.stdout, err: done.stderr };
  };
  const json = async (...argv: string[]) => {
    const { out } = await run(...argv, "--json");
    return JSON.parse(out) as {
      ok: boolean;
      data: Record<string, never>;
      error: { code: string; hint: string };
    };
  };
  return { run, json, path, env, root };
}

const PROPOSALS = exampleSeed({
  learned: { patterns: [learning("learn-npm-1", "Use npm for installing packages")] },
  state: {
    proposals: [
      proposal("prop-aaaa-1", "Use pnpm for installing packages"),
      proposal("prop-aaab-2", "Tests first", { type: "insight", confidence: 0.9 }),
      proposal("prop", "The short one"),
    ],
  },
});

it("status and show count learnings in plain words, and show no ids of other programs", async () => {
  const state = { checkpointRef: "ckpt-7", proposals: [proposal("p-1", "Tests first", { source: "ses-9" })] };
  const patterns = [learning("learn-npm-1", "Use npm")];
  const { run } = setUp(exampleSeed({ learned: { patterns }, state }));
  const [status, show] = [(await run("status")).out, (await run("show")).out];
  expect(status).toContain("\n1 learning\n1 pending suggestion: continuo review\n");
  expect(show).toContain("1 pending suggestion:\n  - Tests first\n");
  for (const text of [status, show]) expect(text).not.toMatch(/ckpt-7|Checkpoint|ses-9|self-knowledge/);
});

describe("continuo seed setup", () => {
  it("does not ask for what PAI's settings have, and writes a seed that other programs can read", async () => {
    const { run, path, env } = setUp();
    write(env["HOME"]!, {
      ".claude/settings.json": JSON.stringify({
        daidentity: { name: "ivy", displayName: "Ivy", voiceId: "v1", startupCatchphrase: "Here!" },
        principal: { name: "Daniel", timezone: "Europe/Zurich" },
      }),
    });
    env["LANG"] = "de_CH.UTF-8";
    expect((await run("setup")).code).toBe(0);
    expect(parsed(path).identity).toEqual({
      principalName: "Daniel",
      aiName: "Ivy",
      catchphrase: "Here!",
      voiceId: "v1",
      preferences: { responseStyle: "adaptive", timezone: "Europe/Zurich", locale: "de-CH" },
    });
    expect(strictlyRead(readFileSync(path, "utf8"))).toEqual([]);
    expect(git(dirname(path), "log", "--format=%s")).toBe("Init: seed of Daniel");
  });

  it("finds the name in git's config; options win", async () => {
    const { run, path, env } = setUp();
    write(env["HOME"]!, { ".gitconfig": "[user]\n\tname = Ann of Git\n" });
    await run("setup", "--ai-name", "Max", "--style", "concise", "--timezone", "UTC");
    expect(parsed(path).identity).toMatchObject({
      principalName: "Ann of Git",
      aiName: "Max",
      catchphrase: "Max here, ready to go.",
      preferences: { responseStyle: "concise", timezone: "UTC" },
    });
  });

  it("without a terminal says which option is missing and writes nothing", async () => {
    const { run, path } = setUp();
    expect(await run("setup")).toMatchObject({ code: 2, err: expect.stringContaining("--name NAME") });
    expect(existsSync(dirname(path))).toBe(false);
  });

  it("never overwrites a damaged seed, or one that is only in the history", async () => {
    const damaged = setUp("{ damaged");
    expect(await damaged.run("setup", "--name", "Ann")).toMatchObject({
      code: 1,
      err: expect.stringContaining("continuo seed repair"),
    });
    expect(readFileSync(damaged.path, "utf8")).toBe("{ damaged");
    const gone = setUp();
    await gone.run("setup", "--name", "Ann");
    rmSync(gone.path);
    expect(await gone.run("setup", "--name", "Eve")).toMatchObject({
      code: 1,
      err: expect.stringContaining("history"),
    });
    expect(existsSync(gone.path)).toBe(false);
    expect((await gone.run("setup", "--name", "Eve", "--new")).code).toBe(0);
  });

  it("changes only the given options of an existing seed, and keeps what was learned", async () => {
    const { run, path } = setUp(PROPOSALS);
    expect((await run("setup")).out).toContain("is already set up");
    await run("setup", "--ai-name", "Max");
    expect(parsed(path)).toEqual({
      ...PROPOSALS,
      identity: { ...PROPOSALS.identity, aiName: "Max", catchphrase: "Max here, ready to go." },
    });
  });
});

describe("continuo seed accept and reject", () => {
  it("accept prefixes of ids: an exact id wins, ambiguous ones are listed, short and unknown ones are errors", async () => {
    const { run, json, path } = setUp(PROPOSALS);
    expect(await run("accept", "prop-aaaa")).toMatchObject({
      code: 0,
      out: expect.stringContaining("Use pnpm"),
    });
    expect(await run("reject", "prop")).toMatchObject({
      code: 0,
      out: expect.stringContaining("The short one"),
    });
    expect(await run("accept", "pro")).toMatchObject({ code: 2, err: expect.stringContaining("at least 4") });
    expect((await json("accept", "nobody")).error).toMatchObject({ code: "no-such-id" });
    const twice = setUp(PROPOSALS);
    expect(await twice.run("accept", "prop-aaa")).toMatchObject({
      code: 1,
      err: expect.stringMatching(/prop-aaaa-1 .*prop-aaab-2/),
    });
    expect(parsed(path).learned.patterns.map((one) => one.id)).toEqual(["learn-npm-1", "prop-aaaa-1"]);
  });

  it("decide several suggestions in one commit, which one undo reverts", async () => {
    const { run, path } = setUp(PROPOSALS);
    await run("reject", "prop-aaaa", "prop-aaab");
    expect(git(dirname(path), "log", "--format=%s")).toBe(
      'Reject: rejected "Use pnpm for installing packages", rejected "Tests first"',
    );
    expect((await run("undo")).out).toContain('Undone: rejected "Tests first"');
    expect(parsed(path).state.proposals).toEqual(PROPOSALS.state.proposals);
    expect((await run("undo")).out).toContain("Nothing to undo");
  });

  it("decide nothing when one of several ids is wrong", async () => {
    const { run, path } = setUp(PROPOSALS);
    expect((await run("accept", "prop-aaaa", "nobody")).code).toBe(1);
    expect(parsed(path)).toEqual(PROPOSALS);
  });

  it("edit before accepting, limit to the project, and replace the contradicted learning with a link to it", async () => {
    const { run, json, path, root, env } = setUp(PROPOSALS);
    await run("accept", "prop-aaaa", "--edit", "Use pnpm 9 here", "--project", "--supersedes", "learn-npm");
    const id = root.replace(env["HOME"]!, "~");
    expect(parsed(path).learned.patterns).toMatchObject([
      { id: "prop-aaaa-1", content: "Use pnpm 9 here", tags: [`project:${id}`] },
    ]);
    const sidecar = readFileSync(join(dirname(path), "seed.continuo.jsonl"), "utf8");
    expect(JSON.parse(sidecar)).toMatchObject({
      steps: [{ do: "accept" }, { do: "supersede", learning: { id: "learn-npm-1" }, by: "prop-aaaa-1" }],
    });
    expect(git(dirname(path), "log", "-1", "--format=%s")).toContain('accepted "Use pnpm 9 here"');
    expect((await run("accept", "prop-aaab", "prop", "--edit", "x")).code).toBe(2);
    await json("undo");
    expect(parsed(path).learned).toEqual(PROPOSALS.learned);
  });

  it("learn only visible characters; a suggestion without visible characters is not pending", async () => {
    const hidden = [
      proposal("prop-hidden", "Use \u200b\u{e0041}\u001bpnpm\n\u202enow"),
      proposal("prop-nothing", "\u200b\u{e0041}"),
    ];
    const { run, path } = setUp(exampleSeed({ state: { proposals: hidden } }));
    expect((await run("accept", "--all", "--yes")).out).toContain('"Use pnpm now"');
    expect(parsed(path).learned.patterns.map(({ content }) => content)).toEqual(["Use pnpm now"]);
    expect(parsed(path).state.proposals.map(({ status }) => status)).toEqual(["accepted", "pending"]);
  });

  it("decide all only after a confirmation", async () => {
    const { run, path } = setUp(PROPOSALS);
    expect(await run("accept", "--all")).toMatchObject({ code: 1, err: expect.stringContaining("--yes") });
    expect(await run("accept")).toMatchObject({ code: 2 });
    expect((await run("accept", "--all", "--yes")).code).toBe(0);
    expect(parsed(path).state.proposals.every((one) => one.status === "accepted")).toBe(true);
    expect((await run("reject", "--all", "--yes")).out).toContain("Nothing to decide");
  });

  it("never suggest a rejected value again, in any case or punctuation, even after clean", async () => {
    const { run, path } = setUp(PROPOSALS);
    await run("reject", "prop-aaab");
    expect((await run("proposals", "clean")).out).toContain("Removed 1");
    const { skipped } = await propose([{ type: "insight", content: "TESTS, first!", evidence: "" }], {
      place: placeAt(path),
      sessionId: "s",
      now: NOW,
    });
    expect(skipped).toMatchObject([{ because: "refused" }]);
    // Another program writes the proposal back.
    const seed = parsed(path);
    const back = [...seed.state.proposals, proposal("again-1", "tests first.")];
    write(dirname(path), {
      "seed.json": JSON.stringify({ ...seed, state: { ...seed.state, proposals: back } }),
    });
    expect((await run("proposals")).out).not.toContain("again-1");
  });
});

describe("continuo seed proposals", () => {
  it("shows the quote, session and similar learning of each, without hidden characters", async () => {
    const { run, json, path } = setUp(PROPOSALS);
    await propose(
      [{ type: "pattern", content: "Say it\u202e plainly", evidence: "please say\u200b it plainly" }],
      {
        place: placeAt(path),
        sessionId: "s-9",
        host: "pi",
        project: "project:~/shop",
        now: NOW,
      },
    );
    const { out } = await run("proposals");
    expect(out).toContain(
      '[pattern] "Say it plainly"\n    you said: "please say it plainly"\n    from session s-9 (pi, project:~/shop)',
    );
    expect(out).toContain('similar to learn-npm-1 "Use npm for installing packages"');
    expect((await json("proposals", "list")).data).toMatchObject({
      proposals: [{ id: "prop-aaaa-1", evidence: null }, {}, {}, { evidence: { session: "s-9" } }],
    });
  });
});

describe("continuo seed learn, forget, stale, refresh", () => {
  it("learn something new, refuse what is known, forget and undo", async () => {
    const { run, json, path } = setUp(exampleSeed());
    await run("learn", "self-knowledge", "Talks", "too much");
    expect(parsed(path).learned.selfKnowledge).toMatchObject([
      { content: "Talks too much", source: "cli:manual", confirmed: true, tags: [] },
    ]);
    expect((await json("learn", "insight", "talks TOO much!")).error.code).toBe("learned-already");
    expect((await run("learn", "pattern")).code).toBe(2);
    const { id } = parsed(path).learned.selfKnowledge[0]!;
    expect((await run("forget", id.slice(0, 6))).err).toContain("confirm with --yes");
    expect(parsed(path).learned.selfKnowledge).toHaveLength(1);
    await run("forget", id.slice(0, 6), "--yes");
    expect(parsed(path).learned.selfKnowledge).toEqual([]);
    await run("undo");
    expect(parsed(path).learned.selfKnowledge).toHaveLength(1);
  });

  it("list what is not suggested again, and allow it after all", async () => {
    const { run, json, path } = setUp(PROPOSALS);
    await run("reject", "prop-aaab");
    await run("forget", "learn-npm", "--yes");
    expect((await run("rejected")).out).toMatch(/rejected .*Tests first\n.*removed .*Use npm for/);
    const { rejected } = (await json("rejected")).data as Record<string, { id: string }[]>;
    await run("allow", ...(rejected ?? []).map(({ id }) => id));
    expect(parsed(path).learned).toEqual(PROPOSALS.learned);
    expect(parsed(path).state.proposals).toEqual(PROPOSALS.state.proposals);
    expect((await run("rejected")).out).toContain("Nothing was rejected.");
    expect((await json("allow", rejected?.[0]?.id ?? "")).error.code).toBe("no-such-id");
  });

  it("list learnings not confirmed for 90 days, until they are confirmed", async () => {
    const old = learning("old-one", "Uses tabs", { confirmedAt: "2025-10-01T00:00:00Z" });
    const { run, json, path } = setUp(
      exampleSeed({ learned: { patterns: [old, learning("new-one", "x")] } }),
    );
    expect((await run("stale")).out).toMatch(/old-one +pattern +132 days +Uses tabs/);
    await run("refresh", "old-one");
    expect(parsed(path).learned.patterns[0]).toEqual({ ...old, confirmedAt: new Date(NOW).toISOString() });
    expect((await json("stale")).data).toEqual({ stale: [] });
  });
});

describe("continuo seed show, status, diff, repair", () => {
  it.each([
    ["too large", `{"version":"1.0.0","x":[${"0,".repeat(MAX_VALUES)}0]}`, /too large: it has more than/],
    ["of a newer version", { ...exampleSeed(), version: "9.0.0" }, /newer version.*update Continuo/],
  ])("call a profile that is %s what it is, and offer no repair", async (_, seed, said) => {
    const { run, path } = setUp(seed);
    const before = readFileSync(path, "utf8");
    for (const command of ["status", "show", "repair"]) {
      const { out, err } = await run(command);
      const text = `${out} ${err}`.replace(/\s+/g, " ");
      expect(text, command).toMatch(said);
      expect(text, command).not.toMatch(/damaged|continuo seed repair/);
    }
    expect(readFileSync(path, "utf8")).toBe(before);
  });

  it("shows the three states and what to do about each", async () => {
    expect((await setUp().json("status")).data).toMatchObject({ state: "missing" });
    expect((await setUp().run()).out).toContain("continuo seed setup");
    const nobody = exampleSeed({ identity: { principalName: "User" } });
    expect((await setUp(nobody).json("status")).data).toMatchObject({ state: "unconfigured" });
    expect((await setUp("{").json("status")).data).toMatchObject({ state: "damaged", restorable: null });
    expect((await setUp(PROPOSALS).json("status")).data).toMatchObject({
      state: "ready",
      pending: 3,
      patterns: 1,
    });
  });

  it("prints learnings in the form that other programs use", async () => {
    const { data } = await setUp(PROPOSALS).json("show");
    expect(data).toMatchObject({
      version: "1.0.0",
      learnings: [
        {
          id: "learn-npm-1",
          type: "pattern",
          content: "Use npm for installing packages",
          confirmed: true,
          tags: [],
          createdAt: Date.parse("2026-02-01T10:00:00Z"),
          updatedAt: Date.parse("2026-02-02T10:00:00Z"),
        },
      ],
    });
  });

  it("shows what a repair would change first, and keeps the damaged file", async () => {
    const { run, path } = setUp(exampleSeed());
    await run("learn", "pattern", "Kept", "in", "history");
    expect((await run("diff")).out).toContain("Kept in history");
    const damaged = readFileSync(path, "utf8").replace("Kept in history", "LOST-LINE").slice(0, -20);
    write(dirname(path), { "seed.json": damaged });
    expect((await run("learn", "pattern", "x")).err).toContain("continuo seed repair");
    const shown = await run("repair");
    expect(shown).toMatchObject({
      code: 1,
      out: expect.stringMatching(/-.*LOST-LINE[\s\S]*\+.*Kept in history/),
    });
    expect(readFileSync(path, "utf8")).toBe(damaged);
    expect((await run("repair", "--yes")).out).toContain("seed.json.corrupted");
    expect(parsed(path).learned.patterns[0]?.content).toBe("Kept in history");
    expect((await run("repair")).out).toContain("Nothing to repair");
  });
});
