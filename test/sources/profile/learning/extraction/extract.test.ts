import { appendFileSync, existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { ContinuoError } from "../../../../../src/base/errors.ts";
import { loadHistory } from "../../../../../src/hosts/index.ts";
import { knownProject } from "../../../../../src/moments/project/known-project.ts";
import { changeSeed } from "../../../../../src/sources/profile/file/change.ts";
import { readSidecar } from "../../../../../src/sources/profile/file/sidecar.ts";
import { reject } from "../../../../../src/sources/profile/learning/decide.ts";
import { evidenceById } from "../../../../../src/sources/profile/learning/decision-log.ts";
import { extract, PER_MOMENT } from "../../../../../src/sources/profile/learning/extraction/extract.ts";
import { learningSuggestions } from "../../../../../src/sources/profile/learning/suggestions.ts";
import { seed } from "../../../../../src/sources/profile/source.ts";
import { withLock } from "../../../../../src/store/lock.ts";
import { engineWorld } from "../../../../support/engine.ts";
import { write } from "../../../../support/world.ts";
import { exampleSeed, git, parsed, placeAt } from "../../seeds.ts";

interface Line {
  readonly said: string;
  readonly by?: "user" | "assistant" | "tool";
}

/** A session's engine, its seed, and transcripts as two hosts write them. */
function world(settings: Record<string, string> = {}, config: unknown = exampleSeed()) {
  const made = engineWorld([seed], {
    // A busy machine must not decide whether something is heard.
    sourceDeadlineMs: 60_000,
    momentDeadlineMs: 60_000,
    sources: {
      seed: {
        enabled: true,
        path: "",
        learnings: 5,
        mode: "auto",
        extraction: "on",
        ...settings,
      },
    },
  });
  const user = made.env["HOME"] ?? "";
  const path = join(user, ".pai/seed.json");
  if (config !== null) write(user, { ".pai/seed.json": `${JSON.stringify(config, null, 2)}\n` });
  let lines = 0;
  return {
    ...made,
    path,
    pending: () => parsed(path).state.proposals.filter((one) => one.status === "pending"),
    /** Appends to Claude Code's transcript of a session and returns its path. */
    claude(id: string, ...said: Line[]): string {
      const file = join(made.root, `${id}.jsonl`);
      for (const { said: text, by = "user" } of said) {
        const content =
          by === "tool"
            ? [{ type: "tool_result", tool_use_id: "x", content: text }]
            : [{ type: "text", text }];
        const role = by === "assistant" ? "assistant" : "user";
        appendFileSync(
          file,
          `${JSON.stringify({ type: role, uuid: `u${lines++}`, sessionId: id, cwd: made.root, timestamp: "2026-02-10T10:00:00Z", message: { id: `m${lines}`, role, content } })}\n`,
        );
      }
      return file;
    },
    pi(id: string, said: string): string {
      const file = join(made.root, `pi-${id}.jsonl`);
      const entries = [
        { type: "session", version: 3, id, timestamp: "2026-02-10T10:00:00Z", cwd: made.root },
        {
          type: "message",
          id: "aa",
          parentId: null,
          timestamp: "2026-02-10T10:00:01Z",
          message: { role: "user", content: said },
        },
      ];
      appendFileSync(file, entries.map((one) => `${JSON.stringify(one)}\n`).join(""));
      return file;
    },
  };
}

const PNPM = "From now on always use pnpm in this repo";

describe("a session that goes idle or ends", () => {
  it.each(["idle", "end"] as const)(
    "proposes at %s what the user said, with its evidence",
    async (moment) => {
      const w = world();
      await w.start();
      const transcript = w.claude(
        "s1",
        { said: `Hello. ${PNPM}!` },
        { said: "Always use yarn in this repo", by: "assistant" },
      );
      await w[moment]({ transcript });
      expect(w.pending()).toMatchObject([
        {
          type: "pattern",
          content: "Always use pnpm in this repo",
          source: "s1",
          method: "regex",
          confidence: 0.9,
        },
      ]);
      const [proposal] = w.pending();
      expect(evidenceById(readSidecar(w.path)).get(proposal?.id ?? "")).toMatchObject({
        quote: `${PNPM}!`,
        session: "s1",
        host: "claude-code",
        turn: "u0",
        said: "2026-02-10T10:00:00.000Z",
      });
      expect(git(join(w.path, ".."), "log", "--format=%s")).toContain("Learn: extracted 1 proposal");
      expect(w.trouble).toEqual([]);
      // The person is told, the model is not.
      expect(await w.start("s2")).not.toContain("pnpm");
      expect(w.notices).toContain("1 suggestion to review: continuo review");
    },
  );

  it("takes nothing from the assistant or a tool", async () => {
    const w = world();
    await w.start();
    const transcript = w.claude(
      "s1",
      { said: PNPM, by: "assistant" },
      { said: PNPM, by: "tool" },
      { said: "go on" },
    );
    await w.idle({ transcript });
    expect(w.pending()).toEqual([]);
  });

  it("continues where it stopped: everything is proposed once", async () => {
    vi.useFakeTimers({ toFake: ["Date"] }); // it also stops when it took long
    onTestFinished(() => void vi.useRealTimers());
    const w = world();
    await w.start();
    await w.idle({ transcript: w.claude("s1", { said: PNPM }) });
    const before = readFileSync(w.path, "utf8");
    await w.idle({ transcript: w.claude("s1", { said: "go on" }) });
    expect(readFileSync(w.path, "utf8")).toBe(before);
    await w.idle({ transcript: w.claude("s1", { said: "Never push to main" }) });
    expect(w.pending().map((one) => one.content)).toEqual([
      "Always use pnpm in this repo",
      "Never push to main",
    ]);
  });

  it("reads a few at a time and the rest when it goes idle again: nothing is left out for ever", async () => {
    // It also stops when it took long. Here it takes no time.
    vi.useFakeTimers({ toFake: ["Date"] });
    onTestFinished(() => void vi.useRealTimers());
    const w = world();
    await w.start();
    const said = [
      "no, use vitest",
      "Never push to main",
      "Always squash commits",
      "I prefer short names",
      "Never edit vendored files",
    ];
    const transcript = w.claude("s1", ...said.map((one) => ({ said: one })));
    await w.idle({ transcript });
    expect(w.pending().map((one) => one.content)).toEqual([
      "Never push to main",
      "Always squash commits",
      "Use vitest",
    ]);
    expect(w.pending()).toHaveLength(PER_MOMENT);
    await w.idle({ transcript });
    expect(w.pending()).toHaveLength(said.length);
    await w.end({ transcript: w.claude("s1", { said: "Always lint first" }) });
    expect(w.pending()).toHaveLength(said.length + 1);
  });

  it("proposes a weak candidate that came up in three sessions", async () => {
    const w = world();
    for (const id of ["a", "b", "c"]) {
      await w.start(id);
      const session = { host: "claude-code" as const, id };
      await w.idle({
        session,
        transcript: w.claude(id, { said: "don't commit without running the linter" }),
      });
    }
    expect(w.pending()).toMatchObject([{ content: "Don't commit without running the linter", source: "c" }]);
  });

  it("never proposes again what was rejected, in another session, host or spelling", async () => {
    const w = world();
    await w.start();
    await w.idle({ transcript: w.claude("s1", { said: PNPM }) });
    await changeSeed(
      w.path,
      (config) => {
        const [one] = config.state.proposals;
        if (one === undefined) throw new Error("nothing was proposed");
        const at = "2026-02-11T00:00:00.000Z";
        const { config: after, step } = reject(config, one, at);
        const records = [{ kind: "decided" as const, at, batch: "b", steps: [step] }];
        return {
          config: { ...after, state: { ...after.state, proposals: [] } },
          kind: "Reject",
          what: "x",
          records,
        };
      },
      { lockWaitMs: 5000 },
    );
    await w.idle({ transcript: w.claude("s1", { said: "ok" }) });
    await w.idle({
      session: { host: "claude-code", id: "s2" },
      transcript: w.claude("s2", { said: "always use PNPM, in this repo." }),
    });
    await w.idle({
      session: { host: "claude-code", id: "s5" },
      transcript: w.claude(
        "s5",
        { said: "no, please use pnpm!" },
        { said: "In this repo we should use pnpm" },
      ),
    });
    await w.end({ session: { host: "pi", id: "s3" }, transcript: w.pi("s3", PNPM.toUpperCase()) });
    expect(w.pending()).toEqual([]);
    // The rejection is the reason: something else is proposed from the same place.
    await w.end({ session: { host: "pi", id: "s4" }, transcript: w.pi("s4", "Never push to main") });
    expect(w.pending().map((one) => one.content)).toEqual(["Never push to main"]);
    // In other words, too; another tool is another wish.
    await w.end({
      session: { host: "pi", id: "s6" },
      transcript: w.pi("s6", "I prefer pnpm over npm"),
    });
    await w.end({
      session: { host: "pi", id: "s7" },
      transcript: w.pi("s7", "Always use yarn in this repo"),
    });
    expect(w.pending().map((one) => one.content)).toEqual([
      "Never push to main",
      "Always use yarn in this repo",
    ]);
  });

  it("continues next time when its time is over", async () => {
    const w = world();
    const moment = {
      name: "idle" as const,
      session: { host: "claude-code" as const, id: "s1" },
      project: w.project,
      cwd: w.root,
      at: 0,
      transcript: w.claude("s1", { said: "hello" }, { said: PNPM }),
    };
    const around = {
      env: w.env,
      home: w.home.root,
      history: loadHistory,
      knownProject: () => knownProject(w.project, w),
    };
    const begun = { resumeAt: 0, proposed: 0 };
    const late = await extract(placeAt(w.path), moment, begun, { ...around, signal: AbortSignal.abort() });
    expect(late).toEqual(begun);
    expect(w.pending()).toEqual([]);
    const { signal } = new AbortController();
    expect(await extract(placeAt(w.path), moment, begun, { ...around, signal })).toMatchObject({
      proposed: 1,
    });
    expect(w.pending()).toHaveLength(1);
  });

  it("reports that another process held the seed, and proposes at the next idle moment", async () => {
    const w = world();
    await w.start();
    const transcript = w.claude("s1", { said: PNPM });
    await withLock(join(w.path, "..", ".continuo-lock.tmp"), () => w.idle({ transcript }), { waitMs: 1000 });
    expect(w.pending()).toEqual([]);
    expect(w.trouble.map(({ error }) => (error as ContinuoError).code)).toContain("seed-extraction");
    await w.idle({ transcript });
    expect(w.pending()).toHaveLength(1);
  });

  it("proposes nothing where it is turned off", async () => {
    const w = world({ extraction: "off" });
    await w.start();
    await w.end({ transcript: w.claude("s1", { said: PNPM }) });
    expect(w.pending()).toEqual([]);
    expect(parsed(w.path).state.lastSessionId).toBe("s1");
  });

  it("hears a wish of the first session of a machine without a seed, and tells the person at the next start", async () => {
    const w = world({}, null);
    const inbox = learningSuggestions({ home: w.home.root, env: w.env });
    expect(await w.start()).toBe("");
    await w.end({ transcript: w.claude("s1", { said: PNPM }, { said: "keep the fixtures small" }) });
    expect(inbox.list()).toMatchObject([
      {
        text: "Always use pnpm in this repo",
        kind: "pattern",
        quote: PNPM,
        host: "claude-code",
        session: "s1",
        project: w.project.label,
        at: Date.parse("2026-02-10T10:00:00Z"),
        byModel: false,
      },
    ]);
    expect(await w.start("s2")).toBe("");
    expect(w.notices).toContain("1 suggestion to review: continuo review");
    expect(existsSync(join(w.path, ".."))).toBe(false);
    expect(statSync(join(w.home.root, "proposals.jsonl")).mode & 0o777).toBe(0o600);
    expect(w.trouble).toEqual([]);
  });

  it("leaves no trace where nothing was wished", async () => {
    const w = world({}, null);
    await w.start();
    await w.end({ transcript: w.claude("s1", { said: "fix the failing test" }) });
    expect(existsSync(join(w.path, ".."))).toBe(false);
    expect(existsSync(join(w.home.root, "proposals.jsonl"))).toBe(false);
    expect(existsSync(join(w.home.root, "seed-repeats.jsonl"))).toBe(false);
  });

  it("takes nothing from a child", async () => {
    const w = world();
    const session = { host: "claude-code" as const, id: "c1", parent: "s1" };
    await w.start("c1", "s1");
    await w.end({ session, transcript: w.claude("c1", { said: PNPM }) });
    expect(w.pending()).toEqual([]);
  });

  it.each([
    ["is missing", "/nowhere/at-all.jsonl"],
    ["is a folder", "/"],
  ])("goes on when the history %s", async (_, transcript) => {
    const w = world();
    await w.start();
    await w.end({ transcript });
    expect(parsed(w.path).state.lastSessionId).toBe("s1");
    expect(w.pending()).toEqual([]);
  });
});
