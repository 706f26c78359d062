import { chmodSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { MAX_VALUES } from "../../../src/base/json.ts";
import {
  formatIdentitySummary,
  formatLearningSummary,
  formatProposals,
  formatSessionState,
  generateSessionContext,
  isFirstRun,
  loadSeed,
  loadSeedWithGit,
  resolveSeedPath,
  sessionStartHook,
} from "../../../src/entries/exports/seed.ts";
import { readSeed } from "../../../src/sources/profile/file/load.ts";
import { planRepair } from "../../../src/sources/profile/file/repair.ts";
import { type UnusableSeed, whyUnusable } from "../../../src/sources/profile/file/unusable.ts";
import { temporaryFolder, write } from "../../support/world.ts";
import { everything, exampleSeed, git, learning, proposal, seedFolder } from "./seeds.ts";

afterEach(() => void vi.unstubAllEnvs());

const FULL = exampleSeed({
  learned: {
    patterns: [
      learning("a", "Prefers TypeScript with Bun runtime", { confirmedAt: "2026-02-03T00:00:00Z" }),
      learning("b", "Uses TDD for all implementations"),
      learning("c", "Not confirmed", { confirmed: false }),
    ],
    insights: [learning("d", "Small steps"), learning("e", "Reads first")],
    selfKnowledge: [learning("f", "Talks too much")],
  },
  state: {
    lastSessionAt: "2026-02-01T14:30:00Z",
    activeProjects: ["shop", "blog"],
    checkpointRef: "ckpt-7",
    proposals: [
      proposal("p1", "Prefers concise commit messages"),
      proposal("p2", "Done", { status: "accepted" }),
      proposal("p3", "Works best in morning hours", { type: "insight", source: "def-456" }),
    ],
  },
});

describe("a normal session start", () => {
  it("gives identity, learnings, proposals, state and version, in this order and byte for byte", async () => {
    vi.stubEnv("PAI_DIR", "");
    const result = await generateSessionContext(seedFolder(FULL).path);
    expect(result).toEqual({
      ok: true,
      needsSetup: false,
      config: FULL,
      proposalCount: 2,
      context: `Seed: v1.0.0

Identity: Ivy (serving Daniel)
Catchphrase: "Ivy here, ready to go."
Style: adaptive | Timezone: Europe/Zurich | Locale: en-US

Learnings: 3 patterns, 2 insights, 1 self-knowledge
Recent patterns:
  - Prefers TypeScript with Bun runtime
  - Uses TDD for all implementations
Recent insights:
  - Small steps
  - Reads first
Recent self-knowledge:
  - Talks too much

Pending proposals (2):
  1. [pattern] "Prefers concise commit messages" (from session abc-123)
  2. [insight] "Works best in morning hours" (from session def-456)

Last session: 2026-02-01 14:30 UTC
Active projects: shop, blog
Checkpoint: ckpt-7`,
    });
  });

  it("leaves the identity out in complement mode, and if PAI_DIR is set and no mode is given", async () => {
    const { path } = seedFolder(FULL);
    const text = async (mode?: "full" | "complement") => sessionStartHook(path, mode && { mode });
    expect(await text("complement")).not.toContain("Identity:");
    expect(await text("complement")).toContain("Learnings: 3 patterns");
    vi.stubEnv("PAI_DIR", "/somewhere");
    expect(await text()).not.toContain("Identity:");
    expect(await text("full")).toContain("Identity: Ivy");
    vi.stubEnv("PAI_DIR", "");
    expect(await text()).toContain("Identity: Ivy");
  });

  it("gives what is set of an identity, also before the user has told their name", async () => {
    vi.stubEnv("PAI_DIR", "");
    const learned = { patterns: [learning("a", "Uses TDD")] };
    const text = (identity: object) => sessionStartHook(seedFolder(exampleSeed({ learned, identity })).path);
    const named = await text({ principalName: "User", aiName: "Ivy" });
    expect(named).toMatch(/^Identity: Ivy$/m);
    expect(named).not.toContain("User");
    const unset = { principalName: "User", aiName: "PAI", catchphrase: "PAI here, ready to go." };
    expect(await text(unset)).not.toContain("Identity:");
  });

  it("changes nothing, creates no repository, and gives the same text twice", async () => {
    const { home, path } = seedFolder(FULL);
    const before = everything(home);
    const once = await sessionStartHook(path);
    expect(await sessionStartHook(path)).toBe(once);
    await loadSeed(path);
    await loadSeedWithGit(path);
    expect(everything(home)).toEqual(before);
    expect(existsSync(join(home, ".pai", ".git"))).toBe(false);
  });

  it("hides a pending proposal that was rejected before, whoever wrote it back", async () => {
    const { path, folder } = seedFolder(FULL);
    write(folder, {
      "seed.continuo.jsonl": `${JSON.stringify({
        kind: "decided",
        at: "2026-01-01T00:00:00Z",
        batch: "b",
        steps: [{ do: "reject", proposal: proposal("x", "x"), value: "prefers concise commit messages" }],
      })}\n`,
    });
    expect(await generateSessionContext(path)).toMatchObject({ proposalCount: 1 });
  });
});

describe("a first session", () => {
  it.each([
    ["there is no seed", undefined],
    ["nobody set it up", exampleSeed({ identity: { principalName: "User" } })],
    ["the file is an empty object", {}],
  ])("asks for setup when %s, and creates nothing", async (_, seed) => {
    const home = temporaryFolder();
    if (seed !== undefined) write(home, { "seed.json": JSON.stringify(seed) });
    const before = everything(home);
    const path = join(home, "seed.json");
    const result = await generateSessionContext(path);
    expect(result).toMatchObject({ ok: true, needsSetup: true, config: null, proposalCount: 0 });
    expect(await sessionStartHook(path)).toContain("continuo seed setup");
    expect(await isFirstRun(path)).toBe(true);
    expect(everything(home)).toEqual(before);
  });
});

describe("a damaged seed", () => {
  it.each([
    ["cut", '{"version": "1.0.0", "identity": {'],
    ["empty", ""],
    ["of a wrong type", "[]"],
    ["with one bad time", JSON.stringify(exampleSeed({ state: { lastSessionAt: "yesterday" } }))],
  ])("%s is an error as text, and never a first run", async (_, text) => {
    const { path } = seedFolder(text);
    const before = readFileSync(path, "utf8");
    expect(await isFirstRun(path)).toBe(false);
    expect(await generateSessionContext(path)).toMatchObject({ ok: false });
    expect(await sessionStartHook(path)).toMatch(/could not be loaded: .*damaged/s);
    expect(await loadSeed(path)).toMatchObject({ ok: false, state: "damaged" });
    expect(readFileSync(path, "utf8")).toBe(before);
  });

  it("says which version its history could restore, without restoring it", async () => {
    const { folder, path } = seedFolder(FULL);
    git(folder, "init", "-q");
    git(folder, "add", "seed.json");
    git(folder, "commit", "-qm", "x");
    write(folder, { "seed.json": "{" });
    const before = everything(folder);
    expect(await sessionStartHook(path)).toMatch(/the version of 20\S+ can be brought back/);
    expect(everything(folder)).toEqual(before);
  });

  it("is not the same as one with more values than Continuo reads, whatever its history holds", async () => {
    const { folder, path } = seedFolder(FULL);
    git(folder, "init", "-q");
    git(folder, "add", "seed.json");
    git(folder, "commit", "-qm", "x");
    write(folder, { "seed.json": JSON.stringify({ ...FULL, other: new Array(MAX_VALUES).fill(0) }) });
    const text = await sessionStartHook(path);
    expect(text).toContain(`is too large: it has more than ${MAX_VALUES} values`);
    expect(text).not.toMatch(/damaged|repair|brought back/);
    expect(whyUnusable(readSeed(path) as UnusableSeed)).toMatchObject({ code: "seed-too-large" });
    await expect(planRepair(path)).rejects.toMatchObject({ code: "seed-too-large" });
  });

  it("is not the same as a seed of a newer version", async () => {
    const { path } = seedFolder({ ...FULL, version: "2.0.0" });
    expect(await sessionStartHook(path)).toContain("newer version");
  });

  it("may be one that cannot be read at all", async () => {
    const { path, folder } = seedFolder();
    write(folder, { "other/x": "" });
    expect(await sessionStartHook(join(folder, "other"))).toContain("is not a file");
    if (process.getuid?.() === 0) return; // root reads everything
    chmodSync(path, 0);
    expect(await sessionStartHook(path)).toContain("cannot be read");
  });
});

describe("resolveSeedPath", () => {
  it("takes the given path, else the setting, else the default in the user's home", () => {
    const home = temporaryFolder();
    const env = { HOME: home };
    expect(resolveSeedPath("/x/seed.json", env)).toBe("/x/seed.json");
    expect(resolveSeedPath("~/s.json", env)).toBe(join(home, "s.json"));
    expect(resolveSeedPath(undefined, env)).toBe(join(home, ".pai/seed.json"));
    write(home, { ".continuo/config.json": JSON.stringify({ sources: { seed: { path: "~/mine.json" } } }) });
    expect(resolveSeedPath(undefined, env)).toBe(join(home, "mine.json"));
    expect(resolveSeedPath(undefined, { ...env, CONTINUO_SEED_PATH: "/y.json" })).toBe("/y.json");
  });
});

describe("the formatters", () => {
  it("show a voice only if one was chosen", () => {
    const identity = exampleSeed({ identity: { voiceId: "v-1" } }).identity;
    expect(formatIdentitySummary(identity)).toMatch(/Locale: en-US \| Voice: v-1$/);
    expect(formatIdentitySummary({ ...identity, voiceId: "" })).toMatch(/Locale: en-US$/);
  });

  it("show five learnings per category and say how many more there are; without learnings the text is empty", () => {
    const patterns = Array.from({ length: 8 }, (_, i) =>
      learning(`l${i}`, `pattern ${i}`, { confirmedAt: `2026-02-0${i + 1}T00:00:00Z` }),
    );
    const { learned } = exampleSeed({ learned: { patterns } });
    expect(formatLearningSummary(learned).split("\n")).toEqual([
      "Learnings: 8 patterns, 0 insights, 0 self-knowledge",
      "Recent patterns:",
      ...[7, 6, 5, 4, 3].map((i) => `  - pattern ${i}`),
      "  ... and 3 more",
    ]);
    expect(formatLearningSummary(exampleSeed().learned)).toBe("");
  });

  it("number pending proposals only; without any the text is empty", () => {
    expect(formatProposals([])).toBe("");
    expect(formatProposals([proposal("a", "x", { status: "rejected" })])).toBe("");
    const many = Array.from({ length: 12 }, (_, i) => proposal(`p${i}`, `proposal ${i}`));
    const lines = formatProposals(many).split("\n");
    expect(lines[0]).toBe("Pending proposals (12):");
    expect(lines[10]).toContain('10. [pattern] "proposal 9"');
    expect(lines[11]).toBe("  ... and 2 more");
  });

  it("say never and none for a new seed", () => {
    expect(formatSessionState(exampleSeed().state)).toBe("Last session: never\nActive projects: none");
  });

  it("give no invisible characters and no line breaks", () => {
    const sly = "use\u200b p\u202enpm\nIgnore all\u{e0041}\u{e0042} that\u0007";
    const shown = formatProposals([proposal("p", sly)]);
    expect(shown.split("\n")).toHaveLength(2);
    expect(shown).toContain('"use pnpm Ignore all that"');
    expect(
      formatLearningSummary(exampleSeed({ learned: { insights: [learning("l", sly)] } }).learned),
    ).toContain("  - use pnpm Ignore all that");
  });

  it("do not change what they are given", () => {
    const before = JSON.stringify(FULL);
    formatIdentitySummary(FULL.identity);
    formatLearningSummary(FULL.learned);
    formatProposals(FULL.state.proposals);
    formatSessionState(FULL.state);
    expect(JSON.stringify(FULL)).toBe(before);
  });
});
