import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { projectTag } from "../../../src/sources/profile/learning/relevance.ts";
import { seed } from "../../../src/sources/profile/source.ts";
import { engineWorld } from "../../support/engine.ts";
import { write } from "../../support/world.ts";
import { everything, exampleSeed, git, learning, parsed, proposal } from "./seeds.ts";
import { strictlyRead } from "./strict-reader.ts";

function worldWith(config: unknown, settings: Record<string, string | number> = {}) {
  const world = engineWorld([seed], {
    sources: {
      seed: { enabled: true, path: "", learnings: 5, mode: "auto", ...settings },
    },
  });
  const home = world.env["HOME"]!;
  if (config !== undefined) {
    const text = typeof config === "string" ? config : `${JSON.stringify(config, null, 2)}\n`;
    write(home, { ".pai/seed.json": text });
  }
  return { ...world, user: home, path: join(home, ".pai/seed.json") };
}

describe("a session with a seed", () => {
  it("is given learnings and what the user set to follow; proposals and records are only for the person", async () => {
    const { start, trouble, notices } = worldWith(
      exampleSeed({
        learned: { patterns: [learning("a", "Prefers small commits")] },
        state: { proposals: [proposal("p", "Use pnpm")], lastSessionAt: "2026-01-31T08:00:00Z" },
        identity: { preferences: { responseStyle: "concise", timezone: "Europe/Zurich", locale: "en-US" } },
      }),
    );
    const text = await start();
    expect(text).toBe(`<continuo>
## Learned from this user
Act on it; do not announce that you do.
- Prefers small commits
## User
Act on it; do not announce that you do.
- The user's name is Daniel. Your name is Ivy. Answer concisely.
</continuo>`);
    expect(notices).toContain("1 suggestion to review: continuo review");
    expect(notices.join("\n")).toContain("1 learning");
    expect(trouble).toEqual([]);
  });

  it("is given it all again after a compaction; a child is given nothing of it", async () => {
    const { start, compacted } = worldWith(
      exampleSeed({ state: { proposals: [proposal("p", "Use pnpm")] } }),
    );
    const before = await start();
    expect(await compacted()).toBe(before);
    expect(await start("child", "s1")).toBe("");
  });

  it("has no notice of what is similar to a rejected suggestion", async () => {
    const held = proposal("p", "Ask me before");
    const rejected = { ...proposal("r", "Ask first"), status: "rejected" };
    const { start, notices, user } = worldWith(exampleSeed({ state: { proposals: [held, rejected] } }));
    const evidence = { kind: "evidence", at: "2026-01-31T08:00:00Z", id: "p", quote: "", session: "s" };
    const line = JSON.stringify({ ...evidence, similarTo: "Ask first" });
    write(user, { ".pai/seed.continuo.jsonl": `${line}\n` });
    await start();
    expect(notices.join("\n")).not.toContain("suggestion");
  });

  it("costs nothing if there are only proposals and nobody set anything", async () => {
    const identity = { principalName: "User", aiName: "PAI", catchphrase: "PAI here, ready to go." };
    const state = { proposals: [proposal("p", "Use pnpm"), proposal("q", "Use tabs")] };
    const { start, notices } = worldWith(exampleSeed({ identity, state }));
    expect(await start()).toBe("");
    expect(notices).toEqual(["2 suggestions to review: continuo review"]);
  });

  it("is not given the identity if PAI provides it", async () => {
    const { start, env } = worldWith(exampleSeed({ learned: { patterns: [learning("a", "Small")] } }));
    env["PAI_DIR"] = "/pai";
    const text = await start();
    expect(text).not.toContain("Daniel");
    expect(text).toContain("Small");
  });

  it("gets the learnings of its project first, none of another one, and as many as the setting says", async () => {
    const world = worldWith(undefined, { learnings: 2 });
    const tags = [projectTag(world.project.id, world.user)];
    const config = exampleSeed({
      learned: {
        patterns: [
          learning("new", "Confirmed last", { confirmedAt: "2026-01-01T00:00:00Z" }),
          learning("old", "Confirmed long ago", { confirmedAt: "2025-01-01T00:00:00Z" }),
          learning("here", "Only here", { confirmedAt: "2024-01-01T00:00:00Z", tags }),
          learning("else", "Elsewhere", { tags: ["project:/else"] }),
        ],
      },
    });
    write(world.user, { ".pai/seed.json": JSON.stringify(config) });
    const text = await world.start();
    expect(
      [...text.matchAll(/^- (Confirmed last|Confirmed long ago|Only here|Elsewhere)$/gm)].map(([one]) => one),
    ).toEqual(["- Only here", "- Confirmed last"]);
  });

  it("gets a learning that a prompt is about, once, and nothing for other prompts", async () => {
    const patterns = [
      learning("a", "Newest", { confirmedAt: "2026-01-01T00:00:00Z" }),
      learning("b", "Run database migrations with the blue script", { confirmedAt: "2025-12-01T00:00:00Z" }),
    ];
    const { start, prompt } = worldWith(exampleSeed({ learned: { patterns } }), { learnings: 1 });
    await start();
    expect(await prompt("hello there, how are you")).toBe("");
    const addition = await prompt("please run the database migrations now");
    expect(addition).toContain("with the blue script");
    expect(await prompt("run the database migrations again")).toBe("");
  });

  it("is given no hidden characters", async () => {
    const sly = "Use pn\u200bpm\u202e\u{e0041} \u0000now";
    const text = await worldWith(exampleSeed({ learned: { patterns: [learning("p", sly)] } })).start();
    expect(text).toContain("\n- Use pnpm now\n");
  });
});

describe("a session without a usable seed", () => {
  it("is given nothing and leaves nothing behind if there is none", async () => {
    const world = worldWith(undefined);
    expect(await world.start()).toBe("");
    await world.prompt("hello");
    await world.idle();
    await world.end();
    expect(existsSync(join(world.user, ".pai"))).toBe(false);
    expect(world.trouble).toEqual([]);
  });

  it("is not nagged if nobody set it up, but is given the learnings", async () => {
    const identity = { principalName: "User", aiName: "PAI", catchphrase: "PAI here, ready to go." };
    expect(await worldWith(exampleSeed({ identity })).start()).toBe("");
    const text = await worldWith(
      exampleSeed({ identity, learned: { insights: [learning("i", "Reads")] } }),
    ).start();
    expect(text).toContain("Reads");
    expect(text).not.toContain("PAI");
  });

  it("continues with a damaged one, which is reported once per epoch and never changed", async () => {
    const world = worldWith("{ broken");
    expect(await world.start()).toBe("");
    await world.prompt("hello");
    await world.idle();
    await world.end();
    expect(world.trouble).toMatchObject([
      {
        where: "seed at start",
        error: { code: "seed-damaged", hint: "to see what can be restored: continuo seed repair" },
      },
    ]);
    expect(readFileSync(world.path, "utf8")).toBe("{ broken");
  });
});

describe("the record of the last session", () => {
  it("is written when the session first goes idle, committed at the end, and not in between", async () => {
    const world = worldWith(exampleSeed({ state: { activeProjects: ["blog", "project"] } }));
    await world.start();
    await world.idle();
    const rested = parsed(world.path).state;
    expect(rested).toMatchObject({ lastSessionId: "s1", activeProjects: ["project", "blog"] });
    expect(existsSync(join(dirname(world.path), ".git"))).toBe(false);
    const before = everything(dirname(world.path));
    await world.idle();
    expect(everything(dirname(world.path))).toEqual(before);
    await world.end();
    const ended = parsed(world.path).state;
    expect(Date.parse(ended.lastSessionAt!)).toBeGreaterThan(Date.parse(rested.lastSessionAt!));
    expect(ended.checkpointRef).toBe("continuo:claude-code/s1");
    expect(git(dirname(world.path), "log", "--format=%s")).toBe("Update: session in project (claude-code)");
    expect(strictlyRead(readFileSync(world.path, "utf8"))).toEqual([]);
    expect(world.trouble).toEqual([]);
  });

  it("leaves another program's checkpoint and a later session's time unchanged", async () => {
    const state = {
      lastSessionId: "later",
      lastSessionAt: "2030-01-01T00:00:00Z",
      proposals: [],
      activeProjects: [],
      checkpointRef: "ckpt-1",
    };
    const world = worldWith({ ...exampleSeed(), state });
    await world.end();
    expect(parsed(world.path).state).toEqual({ ...state, activeProjects: ["project"] });
  });

  it("is not written in a read-only run", async () => {
    const world = worldWith(exampleSeed());
    const before = everything(world.user);
    await world.preview();
    expect(everything(world.user)).toEqual(before);
  });
});
