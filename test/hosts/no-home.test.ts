import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { mountedDisk, readOnlyDisk } from "../support/disk.ts";
import { doctorIn, hookIn, hookProcess } from "../support/hooks.ts";
import { device } from "../support/planting.ts";
import { temporaryWorld, write } from "../support/world.ts";

type World = ReturnType<typeof temporaryWorld>;

const RULES = {
  ".continuo/rules/a.md": "Rule A.",
  ".continuo/rules/typed.md": "---\nglobs: src/*.ts\n---\nRule for types.",
};

const hook = ({ root }: World, env: NodeJS.ProcessEnv, event: string, more: object = {}) =>
  hookIn({ root, env }, event, { source: "startup", ...more });

const doctor = async ({ root }: World, env: NodeJS.ProcessEnv) =>
  JSON.stringify(await doctorIn({ root, env }));

/** A home that is of no use, and what `doctor` says about it; undefined where this machine cannot make one. */
type Broken = (world: World) => { env: NodeJS.ProcessEnv; told: RegExp } | undefined;

const at = (world: World, home: string, told: RegExp) => ({
  env: { ...world.env, CONTINUO_HOME: home },
  told,
});

const BROKEN: Readonly<Record<string, Broken>> = {
  "no HOME": ({ env: { TMPDIR, PATH } }) => ({ env: { TMPDIR, PATH }, told: /home-missing/ }),
  "a relative HOME": ({ env: { TMPDIR, PATH } }) => ({
    env: { TMPDIR, PATH, HOME: "home" },
    told: /home-missing/,
  }),
  "a home that is a file": (world) => {
    write(world.root, { "../file": "x" });
    return at(world, join(world.root, "..", "file"), /ENOTDIR|EEXIST/);
  },
  "a home below a file": (world) => {
    write(world.root, { "../file": "x" });
    return at(world, join(world.root, "..", "file", "home"), /ENOTDIR/);
  },
  "a home that is a link to itself": (world) => {
    symlinkSync("loop", join(world.root, "..", "loop"));
    return at(world, join(world.root, "..", "loop"), /ELOOP|EEXIST/);
  },
  "a read-only disk": (world) => {
    const folder = readOnlyDisk();
    return folder === undefined ? undefined : at(world, join(folder, "home"), /EROFS|EACCES/);
  },
  "a full disk": (world) => {
    const folder = mountedDisk("size=64k");
    if (folder === undefined) return undefined;
    fill(folder);
    return at(world, join(folder, "home"), /ENOSPC/);
  },
  "an unreadable folder": (world) => {
    if (process.getuid?.() === 0 || process.platform === "win32") return undefined;
    mkdirSync(world.home.root, { recursive: true });
    chmodSync(world.home.root, 0);
    return at(world, world.home.root, /EACCES/);
  },
  "a folder below /proc": (world) =>
    process.platform === "linux" ? at(world, "/proc/x/home", /ENOENT|EACCES|EPERM/) : undefined,
  "a name of 10,000 characters": (world) => at(world, `/${"a/".repeat(5_000)}`, /ENAMETOOLONG/),
};

function fill(folder: string): void {
  execFileSync("sh", ["-c", `dd if=/dev/zero of=${folder}/fill bs=1k count=9999 2>/dev/null || true`]);
}

describe.each(Object.entries(BROKEN))("with %s", (_, broken) => {
  it("the project's rules are delivered at the start, once, and after a compaction; doctor knows why", async (context) => {
    const world = temporaryWorld({ ...RULES, "src/a.ts": "1" });
    const made = broken(world);
    if (made === undefined) return context.skip("this machine cannot make one");
    const { env, told } = made;
    const run = (event: string, more: object) => hook(world, env, event, more);
    expect((await run("SessionStart", {})).stdout).toContain("Rule A.");
    expect((await run("UserPromptSubmit", { prompt: "hello" })).stdout).toBe("");
    const edit = {
      tool_name: "Edit",
      tool_input: { file_path: join(world.root, "src/a.ts") },
      tool_response: {},
    };
    expect((await run("PostToolUse", edit)).stdout).toContain("Rule for types.");
    expect((await run("PostToolUse", edit)).stdout).toBe("");
    await run("PreCompact", { trigger: "auto" });
    const compacted = (await run("SessionStart", { source: "compact" })).stdout;
    expect(compacted).toContain("Rule A.");
    expect(compacted).toContain("Rule for types.");
    for (const event of ["Stop", "SessionEnd"]) expect((await run(event, {})).code).toBe(0);
    expect(await doctor(world, env)).toMatch(told);
    expect(readdirSync(world.root).sort()).toEqual([".continuo", "src"]);
  });
});

/** Where each host first takes a text of ours. */
const FIRST: readonly [host: string, event: string][] = [
  ["claude-code", "SessionStart"],
  ["codex", "SessionStart"],
  ["copilot", "userPromptSubmitted"],
  ["gemini", "BeforeAgent"],
];

describe.each(FIRST)("in %s at %s", (host, event) => {
  // One kind is a process: only that shows that nothing is kept in memory.
  const run = host === "claude-code" ? hookProcess : hookIn;
  const more = { source: "startup", sessionId: "s1", prompt: "hi" };

  it.each(Object.entries(BROKEN))("rules are delivered once with %s", async (_, broken) => {
    const world = temporaryWorld(RULES);
    const made = broken(world);
    if (made === undefined) return;
    const place = { root: world.root, env: made.env };
    expect((await run(place, event, more, host)).stdout).toContain("Rule A.");
    expect((await run(place, event, more, host)).stdout).toBe("");
  });

  it("a cwd of 200,000 characters is answered, with the user's rules", async () => {
    const world = temporaryWorld();
    write(world.home.root, { "rules/user.md": "Rule of the user." });
    const long = { ...more, cwd: "/a".repeat(100_000) };
    expect((await run(world, event, long, host)).stdout).toContain("Rule of the user.");
  });
});

describe("with neither a home nor a temporary folder", () => {
  const env = (world: World) => ({
    ...world.env,
    CONTINUO_HOME: join(world.root, "f"),
    TMPDIR: join(world.root, "f"),
  });

  it("rules are delivered at the start and after a compaction, and not again at every prompt", async () => {
    const world = temporaryWorld({ ...RULES, f: "a file" });
    const run = (event: string, more: object) => hook(world, env(world), event, more);
    expect((await run("SessionStart", {})).stdout).toContain("Rule A.");
    expect((await run("UserPromptSubmit", { prompt: "hello" })).stdout).toBe("");
    expect((await run("SessionStart", { source: "compact" })).stdout).toContain("Rule A.");
    expect((await run("SessionStart", { source: "resume" })).stdout).toContain("Rule A.");
    expect((await run("Stop", {})).code).toBe(0);
  });
});

describe("a disk that is full for a while", () => {
  it("nothing half-written; the state goes on in the temporary folder and comes home again", async (context) => {
    const world = temporaryWorld(RULES);
    const folder = mountedDisk("size=1m");
    if (folder === undefined) return context.skip("tmpfs cannot be mounted here");
    const env = { ...world.env, CONTINUO_HOME: join(folder, "home") };
    const run = (event: string, more: object) => hook(world, env, event, more);
    expect((await run("SessionStart", {})).stdout).toContain("Rule A.");
    const state = join(folder, "home", "state", "claude-code", "s1.json");
    const before = readFileSync(state, "utf8");
    fill(folder);
    await run("PreCompact", { trigger: "auto" });
    expect((await run("SessionStart", { source: "compact" })).stdout).toContain("Rule A.");
    expect(readFileSync(state, "utf8")).toBe(before);
    expect(await doctor(world, env)).toContain("ENOSPC");
    execFileSync("rm", [`${folder}/fill`]);
    // Known from the temporary folder: the rules are there already.
    expect((await run("UserPromptSubmit", { prompt: "hello" })).stdout).toBe("");
    await run("PreCompact", { trigger: "auto" });
    expect((await run("SessionStart", { source: "compact" })).stdout).toContain("Rule A.");
    expect(JSON.parse(readFileSync(state, "utf8")).epoch).toBe(3);
    const spare = join(world.env["TMPDIR"] ?? "", `continuo-${process.getuid?.()}`, "state");
    expect(
      readdirSync(spare, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".json")),
    ).toEqual([]);
  });
});

describe("CONTINUO_HOME", () => {
  it("does not count when it is relative: nothing is made in the project, the usual home is used, doctor says so", async () => {
    const world = temporaryWorld(RULES);
    const env = { ...world.env, CONTINUO_HOME: "my-home" };
    expect((await hook(world, env, "SessionStart")).stdout).toContain("Rule A.");
    expect(readdirSync(world.root)).toEqual([".continuo"]);
    expect(existsSync(join(world.env["HOME"] ?? "", ".continuo", "state"))).toBe(true);
    expect(await doctor(world, env)).toContain("CONTINUO_HOME is relative");
  });

  it("may begin with ~/, as settings files have no shell to replace it", async () => {
    const world = temporaryWorld(RULES);
    await hook(world, { ...world.env, CONTINUO_HOME: "~/kept" }, "SessionStart");
    expect(existsSync(join(world.env["HOME"] ?? "", "kept", "state"))).toBe(true);
  });
});

describe.skipIf(process.platform === "win32")("a config.json that is", () => {
  it.each([
    ["a pipe", (path: string) => execFileSync("mkfifo", [path])],
    ["a device", (path: string) => symlinkSync(device("zero"), path)],
    ["a folder", (path: string) => mkdirSync(path)],
    ["a link to itself", (path: string) => symlinkSync("config.json", path)],
    ["garbage", (path: string) => writeFileSync(path, Buffer.from([0, 255, 254, 123]))],
  ])("%s counts as none, and doctor names it", async (_, make) => {
    const world = temporaryWorld(RULES);
    mkdirSync(world.home.root, { recursive: true });
    make(world.home.config);
    expect((await hook(world, world.env, "SessionStart")).stdout).toContain("Rule A.");
    expect(await doctor(world, world.env)).toContain("config.json");
  });
});
