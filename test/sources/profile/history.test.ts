import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { changeSeed } from "../../../src/sources/profile/file/change.ts";
import { commitSeed, lastDiff, newestValid } from "../../../src/sources/profile/file/history.ts";
import { applyRepair, planRepair } from "../../../src/sources/profile/file/repair.ts";
import { learn } from "../../../src/sources/profile/learning/decide.ts";
import { temporaryFolder, write } from "../../support/world.ts";
import { everything, exampleSeed, git, learning, parsed, seedFolder } from "./seeds.ts";

/** Learns one thing, as a command would. */
function learnIn(path: string, id: string) {
  const change = (config: Parameters<typeof learn>[0]) => ({
    config: learn(config, "pattern", learning(id, `learned ${id}`)).config,
    kind: "Learn" as const,
    what: `learned "${id}"`,
  });
  return changeSeed(path, change, { lockWaitMs: 5000 });
}

describe("every change", () => {
  it("is one commit with a clear message, in the folder's own repository, by the author that other programs use", async () => {
    const { folder, path } = seedFolder();
    expect(await learnIn(path, "one")).toEqual({ committed: true });
    expect(await learnIn(path, "two")).toEqual({ committed: true });
    expect(git(folder, "log", "--format=%s|%an <%ae>")).toBe(
      'Learn: learned "two"|pai-seed <pai-seed@local>\nLearn: learned "one"|pai-seed <pai-seed@local>',
    );
    expect(git(folder, "log", "-1", "--format=%b")).toBe("Automated by continuo");
    expect(git(folder, "status", "--porcelain")).toBe("");
    expect(git(folder, "ls-files").split("\n")).toEqual([".gitignore", "seed.json"]);
    expect((await lastDiff(path)).diff).toContain('+        "id": "two"');
  });

  it("is not committed if the seed is a link, of which git stores only the target's path, and says so", async () => {
    const { folder, path } = seedFolder();
    await learnIn(path, "one");
    renameSync(path, join(folder, "kept.json"));
    symlinkSync("kept.json", path);
    expect(await learnIn(path, "two")).toEqual({
      committed: false,
      because: expect.stringContaining("link"),
    });
    expect(parsed(path).learned.patterns).toHaveLength(2);
    expect((await newestValid(path))?.read.config.learned.patterns).toHaveLength(1);
  });

  it("has a repository of its own, even inside another one", async () => {
    const outer = temporaryFolder();
    git(outer, "init", "-q");
    write(outer, { ".pai/seed.json": JSON.stringify(exampleSeed()) });
    await learnIn(join(outer, ".pai/seed.json"), "one");
    expect(git(join(outer, ".pai"), "rev-parse", "--show-toplevel")).toBe(join(outer, ".pai"));
    expect(() => git(outer, "rev-parse", "HEAD")).toThrow();
  });

  it("is not committed if the folder is a repository of the user's, and says why", async () => {
    const { folder, path } = seedFolder();
    git(folder, "init", "-q", "-b", "main");
    write(folder, { "shop.ts": "export {};\n" });
    git(folder, "add", "shop.ts");
    git(folder, "-c", "user.name=Ada", "-c", "user.email=ada@example.com", "commit", "-q", "-m", "shop");
    const because = expect.stringContaining("a repository of yours");
    expect(await learnIn(path, "one")).toEqual({ committed: false, because });
    expect(git(folder, "log", "--format=%s")).toBe("shop");
    expect(parsed(path).learned.patterns.map(({ id }) => id)).toContain("one");
  });

  it("leaves everything else in the folder alone, staged or not", async () => {
    const { folder, path } = seedFolder();
    await learnIn(path, "one");
    write(folder, {
      ".gitignore": "mine",
      "notes.txt": "mine",
      "events/e.jsonl": "{}",
      "staged.txt": "staged",
    });
    git(folder, "add", "staged.txt");
    await learnIn(path, "two");
    expect(git(folder, "show", "--name-only", "--format=")).toBe("seed.json");
    expect(git(folder, "status", "--porcelain")).toBe(
      "M .gitignore\nA  staged.txt\n?? events/\n?? notes.txt",
    );
  });

  it("runs no hook, no editor and no signing, whatever is configured", async () => {
    const { folder, path } = seedFolder();
    await learnIn(path, "one");
    const mark = join(folder, "ran");
    for (const name of ["pre-commit", "post-commit", "commit-msg", "prepare-commit-msg"]) {
      write(folder, { [`.git/hooks/${name}`]: `#!/bin/sh\ntouch '${mark}'\nexit 1\n` });
      chmodSync(join(folder, ".git/hooks", name), 0o755);
    }
    for (const [key, value] of Object.entries({
      "commit.gpgsign": "true",
      "gpg.program": "/nowhere",
      "core.editor": "false",
      "core.fsmonitor": "/nowhere",
    }))
      git(folder, "config", key, value);
    expect(await learnIn(path, "two")).toEqual({ committed: true });
    expect(existsSync(mark)).toBe(false);
  });

  it("is kept if git is missing, and says so", async () => {
    const { path } = seedFolder();
    vi.stubEnv("PATH", "/nowhere");
    try {
      expect(await learnIn(path, "one")).toEqual({ committed: false, because: "git is not installed" });
    } finally {
      vi.unstubAllEnvs();
    }
    expect(parsed(path).learned.patterns).toHaveLength(1);
  });

  it("is kept while git is locked, and is part of the next commit", async () => {
    const { folder, path } = seedFolder();
    await learnIn(path, "one");
    writeFileSync(join(folder, ".git/index.lock"), "");
    const locked = await learnIn(path, "two");
    expect(locked?.committed).toBe(false);
    expect(locked?.because).toContain("index.lock");
    expect(parsed(path).learned.patterns).toHaveLength(2);
    rmSync(join(folder, ".git/index.lock"));
    expect(await learnIn(path, "three")).toEqual({ committed: true });
    expect(git(folder, "status", "--porcelain")).toBe("");
    expect(git(folder, "show", "HEAD:seed.json")).toContain('"two"');
  });

  it("is committed on a detached head, and in a worktree of another repository", async () => {
    const { folder, path } = seedFolder();
    await learnIn(path, "one");
    git(folder, "checkout", "-q", "--detach");
    expect(await learnIn(path, "two")).toEqual({ committed: true });
    expect(git(folder, "rev-list", "--count", "HEAD")).toBe("2");
    const other = join(temporaryFolder(), "elsewhere");
    git(folder, "worktree", "add", "-q", other);
    expect(await learnIn(join(other, "seed.json"), "three")).toEqual({ committed: true });
    expect(git(other, "rev-list", "--count", "HEAD")).toBe("3");
  });

  it("ignores the variables of a git hook that started Continuo", async () => {
    const { folder, path } = seedFolder();
    const elsewhere = temporaryFolder();
    git(elsewhere, "init", "-q");
    vi.stubEnv("GIT_DIR", join(elsewhere, ".git"));
    vi.stubEnv("GIT_INDEX_FILE", join(elsewhere, "index"));
    try {
      expect(await learnIn(path, "one")).toEqual({ committed: true });
    } finally {
      vi.unstubAllEnvs();
    }
    expect(git(folder, "rev-list", "--count", "HEAD")).toBe("1");
    expect(() => git(elsewhere, "rev-parse", "HEAD")).toThrow();
  });

  it("keeps unknown keys at every level, and the order of keys", async () => {
    const seed = JSON.parse(JSON.stringify(exampleSeed())) as Record<string, Record<string, unknown>>;
    const strange = {
      zeta: { a: [1, { b: null }] },
      ...seed,
      identity: { mood: "fine", ...seed["identity"] },
      learned: { ...seed["learned"], hunches: ["x"], insights: [{ ...learning("i", "x"), weight: 3 }] },
      state: { extra: true, ...seed["state"] },
    };
    const { path } = seedFolder(strange);
    await learnIn(path, "one");
    expect(parsed(path)).toEqual({
      ...strange,
      learned: { ...strange.learned, patterns: [learning("one", "learned one")] },
    });
    expect(Object.keys(parsed(path))).toEqual(Object.keys(strange));
    expect(Object.keys(parsed(path).learned)).toEqual(Object.keys(strange.learned));
  });

  it("is refused with a hint if the seed is missing or damaged; nothing is created", async () => {
    const home = temporaryFolder();
    await expect(learnIn(join(home, ".pai/seed.json"), "x")).rejects.toMatchObject({ code: "seed-missing" });
    expect(everything(home)).toEqual({});
    expect(existsSync(join(home, ".pai"))).toBe(false);
    const damaged = seedFolder("{");
    await expect(learnIn(damaged.path, "x")).rejects.toMatchObject({
      code: "seed-damaged",
      hint: expect.stringContaining("continuo seed repair"),
    });
    expect(readFileSync(damaged.path, "utf8")).toBe("{");
    const newer = seedFolder({ ...exampleSeed(), version: "2.1.0" });
    await expect(learnIn(newer.path, "x")).rejects.toMatchObject({ code: "seed-newer" });
  });
});

describe("a change while another program writes the seed without pause", () => {
  it("is given up, and what that program wrote is kept", async () => {
    const { folder, path } = seedFolder();
    let written = 0;
    const change = changeSeed(
      path,
      (config) => {
        write(folder, { "seed.json": JSON.stringify(exampleSeed({ state: { turn: ++written } })) });
        return { config, kind: "Update", what: "nothing" };
      },
      { lockWaitMs: 1000 },
    );
    await expect(change).rejects.toMatchObject({ code: "seed-changed" });
    expect(parsed(path).state).toMatchObject({ turn: written });
  });
});

describe("a repair", () => {
  it("takes the newest valid version, however old and on any branch, and keeps the damaged file", async () => {
    const { folder, path } = seedFolder();
    await learnIn(path, "one");
    git(folder, "checkout", "-q", "-b", "side");
    await learnIn(path, "two");
    git(folder, "checkout", "-q", "main");
    for (let i = 0; i < 60; i++) {
      write(folder, { "seed.json": `{ broken ${i}` });
      git(folder, "commit", "-qam", `broken ${i}`);
    }
    write(folder, { "seed.json": "{ broken now" });
    const plan = await planRepair(path);
    expect(plan?.version.read.config.learned.patterns.map((one) => one.id)).toEqual(["one", "two"]);
    expect(readFileSync(path, "utf8")).toBe("{ broken now");
    const done = await applyRepair(path, plan!, 1000);
    expect(done).toMatchObject({ committed: true, kept: `${path}.corrupted` });
    expect(readFileSync(`${path}.corrupted`, "utf8")).toBe("{ broken now");
    expect(parsed(path).learned.patterns).toHaveLength(2);
    expect(git(folder, "log", "-1", "--format=%s")).toMatch(/^Repair: restored the version of /);
  });

  it("prefers a seed that was set up to newer defaults that another program wrote over it", async () => {
    const { folder, path } = seedFolder();
    await learnIn(path, "one");
    write(folder, { "seed.json": JSON.stringify(exampleSeed({ identity: { principalName: "User" } })) });
    git(folder, "commit", "-qam", "Repair: reset to defaults (no valid history)");
    expect((await newestValid(path))?.read.config.learned.patterns).toHaveLength(1);
    expect((await planRepair(path))?.found.state).toBe("unconfigured");
  });

  it("leaves a file alone that was changed since the plan was made", async () => {
    const { folder, path } = seedFolder();
    await learnIn(path, "one");
    write(folder, { "seed.json": "{ broken" });
    const plan = await planRepair(path);
    write(folder, { "seed.json": "{ half mended by hand" });
    await expect(applyRepair(path, plan!, 1000)).rejects.toMatchObject({ code: "seed-changed" });
    expect(readFileSync(path, "utf8")).toBe("{ half mended by hand");
  });

  it("never replaces one damaged file by another", async () => {
    const { folder, path } = seedFolder();
    await learnIn(path, "one");
    for (const text of ["{ first", "{ second"]) {
      write(folder, { "seed.json": text });
      await applyRepair(path, (await planRepair(path))!, 1000);
    }
    expect(readFileSync(`${path}.corrupted`, "utf8")).toBe("{ first");
    expect(readFileSync(`${path}.corrupted-2`, "utf8")).toBe("{ second");
  });

  it("is refused without a valid version, for a newer seed, and for an unreadable file", async () => {
    const { path } = seedFolder("{");
    await expect(planRepair(path)).rejects.toMatchObject({ code: "seed-no-history" });
    expect(readFileSync(path, "utf8")).toBe("{");
    await expect(planRepair(seedFolder({ version: "3.0.0" }).path)).rejects.toMatchObject({
      code: "seed-newer",
    });
    const folder = temporaryFolder();
    mkdirSync(join(folder, "seed.json"));
    await expect(planRepair(join(folder, "seed.json"))).rejects.toMatchObject({ code: "seed-unreadable" });
    expect(await planRepair(seedFolder().path)).toBeUndefined();
  });

  it("restores a deleted file", async () => {
    const { path } = seedFolder();
    await learnIn(path, "one");
    rmSync(path);
    await applyRepair(path, (await planRepair(path))!, 1000);
    expect(parsed(path).learned.patterns).toHaveLength(1);
  });

  it("gives up if the seed was fixed in the meantime", async () => {
    const { folder, path } = seedFolder();
    await learnIn(path, "one");
    const good = readFileSync(path, "utf8");
    write(folder, { "seed.json": "{" });
    const plan = await planRepair(path);
    write(folder, { "seed.json": good });
    await expect(applyRepair(path, plan!, 1000)).rejects.toMatchObject({ code: "seed-changed" });
  });
});

describe("commitSeed", () => {
  it("succeeds if there is nothing new", async () => {
    const { path } = seedFolder();
    await learnIn(path, "one");
    expect(await commitSeed(path, "Update", "nothing")).toEqual({ committed: true });
  });
});
