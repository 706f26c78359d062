import { execFileSync, spawn, spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { repositoryAt } from "../../src/git/repository.ts";
import { runGit } from "../../src/git/run-git.ts";
import { findProject } from "../../src/moments/project/project.ts";
import { gitFacts } from "../../src/sources/sets/git-facts.ts";
import { CONTINUO, childScript, finished, runScript } from "../support/child.ts";
import { runInProcess } from "../support/in-process.ts";
import { runSession } from "../support/session-process.ts";
import { temporaryFolder, temporaryWorld, write } from "../support/world.ts";
import { anArchive, git, PLACES, type Planted, plantIn, VECTORS } from "./hostile.ts";

const isPosix = process.platform !== "win32";
/** Stops at nothing but the start of a program: otherwise it costs more than the hooks. */
const STRACE = ["strace", "-f", "--seccomp-bpf", "-qq", "-e", "trace=execve", "-e", "signal=none"];
const hasStrace = isPosix && spawnSync("strace", [...STRACE.slice(1), "true"]).status === 0;

const ran = ({ mark }: Planted) => (existsSync(mark) ? readFileSync(mark, "utf8") : "");

/** Everything that the context source asks git. */
const ask = (root: string) =>
  gitFacts(root, ["a.ts", "old.ts", "new.ts", "x.log"], ["old.ts"], "2020-01-01", () => undefined);

describe.skipIf(!isPosix)("git in a stranger's repository starts no program", () => {
  it.each(Object.entries(PLACES))("%s, with each way to start one", async (_, place) => {
    const planted = place();
    for (const [vector, plant] of Object.entries(VECTORS)) {
      const undo = plantIn(planted, plant);
      await ask(findProject(planted.cwd).root);
      expect(ran(planted), vector).toBe("");
      undo();
    }
  });

  it("and git without these precautions does start it", () => {
    for (const vector of [
      "filter clean",
      "filter process",
      "include",
      "fsmonitor",
      "filter in the old spelling",
    ]) {
      const planted = anArchive();
      VECTORS[vector]?.(planted);
      spawnSync("git", ["status"], {
        cwd: planted.cwd,
        env: { PATH: process.env["PATH"], HOME: "/nowhere" },
      });
      expect(ran(planted), vector).not.toBe("");
    }
  });
});

describe("git in an ordinary repository", () => {
  it("reports changed, renamed and ignored files, also in a worktree and a submodule", async () => {
    for (const [name, place] of Object.entries(PLACES)) {
      if (name.includes("bare")) continue;
      const { cwd } = place();
      expect(await ask(cwd), name).toEqual({
        uncommitted: ["M a.ts"],
        renamed: new Map([["old.ts", "new.ts"]]),
        ignored: new Set(["x.log"]),
      });
    }
  });

  it("is run if the config has entries that tools usually set", async () => {
    const { cwd } = anArchive();
    for (const [key, value] of Object.entries({
      "core.hooksPath": ".husky/_",
      "commit.gpgSign": "true",
      "user.signingKey": "x",
      "branch.main.vscode-merge-base": "origin/main",
      "remote.origin.url": "git@example.org:a.git",
      "remote.origin.fetch": "+refs/heads/*:refs/remotes/origin/*",
      "pull.rebase": "true",
      "submodule.lib.url": "x",
      "lfs.repositoryformatversion": "0",
      "blame.ignoreRevsFile": ".git-blame-ignore-revs",
    }))
      git(cwd, "config", key, value);
    expect((await ask(cwd)).uncommitted).toEqual(["M a.ts"]);
  });

  it.skipIf(!isPosix)(
    "is not a program of that name in the project or in a relative folder of the PATH",
    async () => {
      const planted = anArchive();
      const { cwd, mark, script } = planted;
      mkdirSync(join(cwd, "bin"));
      writeFileSync(join(cwd, "bin", "git"), readFileSync(script));
      chmodSync(join(cwd, "bin", "git"), 0o755);
      const env = { PATH: ["bin", ".", "", join(cwd, "bin"), process.env["PATH"]].join(delimiter) };
      const repository = repositoryAt(cwd);
      if (repository === undefined || repository === "foreign") throw new Error("no repository");
      const answer = await runGit(["status", "--porcelain"], { repository, timeoutMs: 5000, env });
      expect(answer.out).toContain(" M a.ts");
      expect(existsSync(mark)).toBe(false);
    },
  );
});

describe.skipIf(!isPosix)("git of a project on the PATH, as npx, npm run and direnv put it there", () => {
  const ON_PATH: readonly { place: string; repository: string | undefined }[] = [
    { place: "node_modules/.bin", repository: "." },
    { place: "tools/bin", repository: "." },
    { place: "bin", repository: undefined },
    { place: "node_modules/.bin", repository: "sub" },
  ];

  it.each(ON_PATH)(
    "$place, repository $repository: run by no hook and no command about the seed",
    async (one) => {
      const { root, env } = temporaryWorld({ "a.ts": "x", "sub/a.ts": "x" });
      const cwd = join(root, one.repository ?? ".");
      if (one.repository !== undefined) git(cwd, "init", "-q");
      const place = join(root, one.place);
      write(place, { git: `#!/bin/sh\necho "$*" >> '${join(root, "RAN")}'\n` });
      chmodSync(join(place, "git"), 0o755);
      const withPath = { ...env, PATH: [place, env["PATH"]].join(delimiter) };
      // The first one as processes, as the host runs them.
      const call = (args: readonly string[], stdin = "") =>
        one === ON_PATH[0]
          ? runScript(CONTINUO, args, { cwd, env: withPath, stdin })
          : runInProcess(args, { cwd, env: withPath, stdin });
      expect((await call(["seed", "setup", "--name", "Ann"])).code).toBe(0);
      for (const [event, payload] of life(cwd))
        expect((await call(["hook", "claude-code", event], JSON.stringify(payload))).code).toBe(0);
      await call(["seed", "diff"]);
      expect(existsSync(join(root, "RAN"))).toBe(false);
    },
  );
});

describe.skipIf(!isPosix)("a repository with files that git would read whole, or that would block it", () => {
  const files = [
    ...[".git/packed-refs", ".git/index", ".git/info/exclude", ".git/info/attributes", ".git/shallow"],
    ...[".git/info/grafts", ".git/refs/heads/main", ".git/config", ".gitignore", ".gitattributes"],
    ".git/objects/info/commit-graph",
  ];

  it.each(files)("%s of 3 GB, or a pipe: git is not run", async (file) => {
    for (const plant of [truncated, pipe]) {
      const { cwd } = anArchive();
      const repository = repositoryAt(cwd);
      if (repository === undefined || repository === "foreign") throw new Error("no repository");
      expect((await runGit(["status"], { repository, timeoutMs: 20_000 })).ok).toBe(true);
      mkdirSync(dirname(join(cwd, file)), { recursive: true });
      rmSync(join(cwd, file), { force: true });
      plant(join(cwd, file));
      const answer = await runGit(["status"], { repository, timeoutMs: 20_000 });
      expect(answer).toMatchObject({ ok: false, out: "" });
      expect(answer.err).toContain("git is not run in");
    }
  });

  const truncated = (path: string) => {
    writeFileSync(path, "");
    truncateSync(path, 3 * 1024 ** 3);
  };
  const pipe = (path: string) => execFileSync("mkfifo", [path]);
});

describe.skipIf(!isPosix)("git that does not exit", () => {
  /** A git that records its process id and ignores SIGTERM. */
  function stubborn() {
    const folder = temporaryFolder("stubborn");
    write(folder, { git: `#!/bin/sh\ntrap '' TERM\necho $$ > '${folder}/pid'\nwhile :; do :; done\n` });
    chmodSync(join(folder, "git"), 0o755);
    const isGone = () => {
      const pid = Number(readFileSync(join(folder, "pid"), "utf8"));
      return spawnSync("kill", ["-0", String(pid)]).status !== 0;
    };
    return { folder, isGone };
  }

  it("is killed after its timeout", async () => {
    const { folder, isGone } = stubborn();
    const env = { PATH: `${folder}:${process.env["PATH"]}` };
    const answer = await runGit(["version"], { folder: "/", timeoutMs: 500, env });
    expect(answer.late).toBe(true);
    expect(isGone()).toBe(true);
  });

  it("is killed if Continuo's process exits before", async () => {
    const { folder, isGone } = stubborn();
    const script = await childScript(
      folder,
      `import { runGit } from "./src/git/run-git.ts";
       import { existsSync } from "node:fs";
       runGit(["version"], { folder: "/", timeoutMs: 600_000 });
       setInterval(() => existsSync(${JSON.stringify(join(folder, "pid"))}) && process.exit(0), 20);`,
    );
    const env = { PATH: `${folder}:${process.env["PATH"]}` };
    expect((await runScript(script, [], { env })).code).toBe(0);
    await vi.waitFor(() => expect(isGone()).toBe(true), { timeout: 20_000 });
  });
});

/** All hook events of a session in Claude Code, including those at which files in use are read. */
function life(cwd: string): [event: string, payload: object][] {
  const common = { session_id: "s1", cwd, permission_mode: "default" };
  const edit = { tool_name: "Edit", tool_input: { file_path: join(cwd, "a.ts") }, tool_response: {} };
  const gone = { tool_name: "Read", tool_input: { file_path: join(cwd, "old.ts") }, tool_response: {} };
  return [
    ["SessionStart", { ...common, source: "startup" }],
    ["UserPromptSubmit", { ...common, prompt: "look at a.ts" }],
    ["PreToolUse", { ...common, ...edit }],
    ["PostToolUse", { ...common, ...edit }],
    ["PostToolUse", { ...common, ...gone }],
    ["Stop", common],
    ["PreCompact", { ...common, trigger: "auto" }],
    ["SessionStart", { ...common, source: "compact" }],
    ["SessionStart", { ...common, source: "resume" }],
    ["UserPromptSubmit", { ...common, prompt: "go on" }],
    ["PreCompact", { ...common, trigger: "manual" }],
    ["PostToolUse", { ...common, ...edit }],
    ["SessionEnd", { ...common, reason: "exit" }],
  ];
}

describe.skipIf(!isPosix)("every hook of a session in a stranger's repository", () => {
  // Each place and each way once: which of them git would start where, is tested above.
  const ways = ["filter clean", "fsmonitor alone", "include"];
  const cases = Object.entries(PLACES).flatMap(([place, make], i) =>
    (i === 0 ? ways : ways.slice(i - 1, i)).map((vector) => [place, vector, make] as const),
  );

  it.each(cases)(
    "%s with %s: nothing but git is started, and git starts nothing",
    async (place, vector, make) => {
      const planted = make();
      VECTORS[vector]?.(planted);
      rmSync(planted.mark, { force: true });
      const home = join(planted.mark, "..", "home");
      const env = {
        PATH: process.env["PATH"],
        HOME: join(home, "user"),
        CONTINUO_HOME: home,
        TMPDIR: join(planted.mark, ".."),
      };
      const trace = join(planted.mark, "..", "trace");
      const started: string[] = [];
      const prefix = hasStrace ? [...STRACE, "-o", trace] : [];
      const note = () => hasStrace && started.push(...programsIn(readFileSync(trace, "utf8")));
      const hooks = life(planted.cwd);
      const where = { cwd: planted.cwd, env };
      if (vector === "filter clean" && place.includes("archive")) {
        // As a host runs them: each is a process of its own.
        for (const [event, payload] of hooks) {
          const command = [...prefix, process.execPath, CONTINUO, "hook", "claude-code", event];
          const [file = "", ...args] = command;
          const child = spawn(file, args, where);
          child.stdin.on("error", () => undefined);
          child.stdin.end(JSON.stringify(payload));
          expect((await finished(child)).code, event).toBe(0);
          note();
        }
      } else {
        const done = await runSession("claude-code", hooks, { ...where, prefix });
        expect(done).toMatchObject({ code: 0, text: expect.stringContaining("Rule ") });
        note();
      }
      expect(ran(planted)).toBe("");
      const gitPath = execFileSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).trim();
      expect(started.filter((one) => one !== process.execPath && one !== gitPath)).toEqual([]);
      // Only the submodule's config is hostile, so git is run in the repository itself.
      if (hasStrace && place.includes("submodule")) expect(started).toContain(gitPath);
    },
  );
});

/** What was really started, by any process. */
function programsIn(trace: string): string[] {
  return [...trace.matchAll(/execve\("([^"]+)".*\) = 0$/gm)].map(([, path = ""]) => path);
}
