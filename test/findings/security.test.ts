import { execFileSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { device } from "../support/planting.ts";
import { write } from "../support/world.ts";
import { continuo, hook, measuredHook, type Place, place } from "./program.ts";

const posix = describe.skipIf(process.platform === "win32");

const edit = (at: Place, file: string) => ({
  tool_name: "Edit",
  tool_input: { file_path: join(at.root, file) },
  tool_response: {},
});

function git(cwd: string, ...args: string[]): void {
  const who = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "init.defaultBranch=main"];
  const env = { PATH: process.env["PATH"], HOME: "/nowhere", GIT_CONFIG_NOSYSTEM: "1" };
  execFileSync("git", [...who, ...args], { cwd, env, stdio: "ignore" });
}

/** A repository whose config names a script as a filter; the script leaves a file when it runs. */
function hostileRepository(): Place & { readonly mark: string } {
  const at = place({ "a.ts": "export const a = 1;\n", ".gitattributes": "*.ts filter=evil\n" });
  const mark = join(at.folder, "RAN");
  const script = join(at.folder, "evil");
  writeFileSync(script, `#!/bin/sh\necho ran >> '${mark}'\ncat\n`);
  chmodSync(script, 0o755);
  git(at.root, "init", "-q");
  git(at.root, "add", ".");
  git(at.root, "commit", "-qm", "first");
  git(at.root, "config", "filter.evil.clean", script);
  write(at.root, { "a.ts": "export const a = 2;\n" });
  return { ...at, mark };
}

async function workIn(at: Place): Promise<void> {
  const events: [string, object][] = [
    ["SessionStart", {}],
    ["PostToolUse", edit(at, "a.ts")],
    ["PreCompact", { trigger: "auto" }],
    ["SessionStart", { source: "compact" }],
  ];
  for (const [event, more] of events) expect((await hook(at, event, more)).code).toBe(0);
}

posix("SEC-1", () => {
  it("SEC-1: the filter of an unpacked archive with its .git is not run", async () => {
    const at = hostileRepository();
    await workIn(at);
    expect(existsSync(at.mark)).toBe(false);
  });

  it("SEC-1: the filter of a folder that looks like a bare repository is not run", async () => {
    const at = hostileRepository();
    const root = join(at.folder, "clone", "sub");
    cpSync(join(at.root, ".git"), root, { recursive: true });
    write(root, { "a.ts": "export const a = 2;\n", ".gitattributes": "*.ts filter=evil\n" });
    for (const [key, value] of [
      ["worktree", "."],
      ["bare", "false"],
    ] as const)
      execFileSync("git", ["config", "-f", join(root, "config"), `core.${key}`, value]);
    await workIn({ ...at, root });
    expect(existsSync(at.mark)).toBe(false);
  });
});

const pipe = (path: string) => execFileSync("mkfifo", [path]);
const endless = (path: string) => symlinkSync(device("zero"), path);

/** In KB. Far more than a hook needs, and far less than reading a device to the end takes. */
const MUCH_MEMORY = 400_000;

posix("SEC-2", () => {
  it.each([
    ["a manifest that is an endless device", "manifest.json", endless],
    ["a manifest that is a pipe", "manifest.json", pipe],
    ["a .git that is a pipe", ".git", pipe],
  ])("SEC-2: %s neither keeps a start from its rules nor fills the memory", async (_, name, plant) => {
    const at = place({
      ".continuo/rules/a.md": "Rule A.",
      ".continuo/rules/b.md": "---\nproject: [browser-extension]\n---\nRule B.",
    });
    plant(join(at.root, name));
    const { stdout, memory } = await measuredHook(at, "SessionStart");
    expect(stdout).toContain("Rule A.");
    expect(memory).toBeGreaterThan(0);
    expect(memory).toBeLessThan(MUCH_MEMORY);
  });

  it.each([
    ["an endless device", endless],
    ["a pipe", pipe],
  ])(
    "SEC-2: a touched file that is %s neither keeps a tool call from its rules nor fills the memory",
    async (_, plant) => {
      const at = place({
        ".continuo/rules/a.md": "---\nglobs: '*.ts'\n---\nRule A.",
        ".continuo/rules/b.md": "---\nfileContains: secret\n---\nRule B.",
      });
      await hook(at, "SessionStart");
      plant(join(at.root, "z.ts"));
      const { stdout, memory } = await measuredHook(at, "PostToolUse", edit(at, "z.ts"));
      expect(stdout).toContain("Rule A.");
      expect(memory).toBeGreaterThan(0);
      expect(memory).toBeLessThan(MUCH_MEMORY);
    },
  );

  it.each(["HEAD", "commondir"])(
    "SEC-2: a %s that is an endless device neither keeps a start from its rules nor fills the memory",
    async (name) => {
      const rules = {
        ".continuo/rules/a.md": "Rule A.",
        ".continuo/rules/b.md": "---\nbranch: main\n---\nRule B.",
      };
      const at = place(rules);
      const cwd = join(at.root, "sub");
      write(cwd, { ...rules, "objects/x": "", "refs/x": "", config: "[core]\n\tbare = false\n" });
      if (name !== "HEAD") write(cwd, { HEAD: "ref: refs/heads/main\n" });
      endless(join(cwd, name));
      const { stdout, memory } = await measuredHook(at, "SessionStart", {}, { cwd });
      expect(stdout).toContain("Rule A.");
      expect(memory).toBeGreaterThan(0);
      expect(memory).toBeLessThan(MUCH_MEMORY);
    },
  );
});

describe("SEC-3", () => {
  it("SEC-3: of far too many folders those at the top are read, and doctor names the rest", async () => {
    const at = place({ ".continuo/rules/zz.md": "At the top." });
    for (let i = 0; i < 1000; i++)
      mkdirSync(join(at.root, `.continuo/rules/a${i % 60}/b${i}`), { recursive: true });
    expect((await hook(at, "SessionStart")).stdout).toContain("At the top.");
    expect((await continuo(at, ["doctor"])).stdout).toMatch(/\.continuo.*too large/);
  });

  it("SEC-3: 400 rules of 250 KB do not keep a start from a small one, and doctor names them", async () => {
    const at = place({ ".continuo/rules/zz.md": "Small and important." });
    const words = "many words ".repeat(23_000);
    for (let i = 0; i < 400; i++) write(at.root, { [`.continuo/rules/r${i}.md`]: `Rule ${i}. ${words}` });
    const { stdout, bytesRead } = await measuredHook(at, "SessionStart");
    expect(stdout).toContain("Small and important.");
    expect(bytesRead).toBeGreaterThan(0);
    expect(bytesRead).toBeLessThan(20_000_000);
    expect((await continuo(at, ["doctor"])).stdout).toContain("rule files are left out");
  });
});

const GUARD = "---\nguard: { action: deny, tool: Bash, match: rm -rf, message: Ask first. }\n---\nNo.";
const DELETE = { tool_name: "Bash", tool_input: { command: "rm -rf /tmp/x" } };

describe("SEC-4", () => {
  it("SEC-4: a glob with many stars and a long path do not keep a tool call from its rules", async () => {
    const at = place({
      ".continuo/rules/a.md": "---\nglobs: '**/*a*a*a*a/**/*a*a*a*a/**/*b'\n---\nNever.",
      ".continuo/rules/b.md": "---\nglobs: '*.ts'\n---\nRule B.",
    });
    await hook(at, "SessionStart");
    const touched = edit(at, `${"aaaaaaaaaa/".repeat(60)}x.ts`);
    expect((await hook(at, "PostToolUse", touched)).stdout).toContain("Rule B.");
  });

  it("SEC-4: a guard's pattern with many repeats and a long command do not keep another guard from its answer", async () => {
    const at = place({
      ".continuo/rules/a.md": GUARD.replace("rm -rf", "'(a?){400}(b?){400}(c?){400}zz'"),
      ".continuo/rules/b.md": GUARD,
    });
    write(at.home, { "trust.json": JSON.stringify({ version: 1, projects: [at.root] }) });
    const call = { tool_name: "Bash", tool_input: { command: `${"abc".repeat(60_000)}; rm -rf /tmp/x` } };
    expect((await hook(at, "PreToolUse", call)).stdout).toContain("deny");
  });

  it("SEC-4: rules check ends for such a glob", async () => {
    const at = place({
      ".continuo/rules/a.md": "---\nglobs: '**/*a*a*a*a/**/*a*a*a*a/**/*b'\n---\nNever.",
      [`${"a".repeat(200)}/${"a".repeat(200)}/${"a".repeat(200)}`]: "",
    });
    expect((await continuo(at, ["rules", "check"])).code).not.toBeNull();
  });
});

describe("SEC-5", () => {
  it("SEC-5: a folder whose commondir names a trusted repository is not trusted", async () => {
    const at = place({ ".continuo/rules/g.md": GUARD });
    git(at.root, "init", "-q");
    // Whichever of the two is the project's id.
    write(at.home, {
      "trust.json": JSON.stringify({ version: 1, projects: [at.root, join(at.root, ".git")].sort() }),
    });
    expect((await hook(at, "PreToolUse", DELETE)).stdout).toContain("deny");
    const cwd = join(at.folder, "other");
    mkdirSync(join(cwd, "objects"), { recursive: true });
    write(cwd, {
      ".continuo/rules/g.md": GUARD,
      HEAD: "ref: refs/heads/main\n",
      commondir: `${join(at.root, ".git")}\n`,
    });
    expect((await hook(at, "PreToolUse", DELETE, { cwd })).stdout).toBe("");
  });
});

describe("SEC-8", () => {
  it("SEC-8: rules trust asks before it changes anything", async () => {
    const at = place({ ".continuo/rules/g.md": GUARD });
    const { stdout, stderr } = await continuo(at, ["rules", "trust"]);
    expect(stdout + stderr).toContain("rm -rf");
    expect((await hook(at, "PreToolUse", DELETE)).stdout).toBe("");
  });

  it("SEC-8: a damaged trust.json is reported by doctor, and the next rules trust keeps what it held", async () => {
    const at = place({ ".continuo/rules/g.md": GUARD });
    write(at.home, { "trust.json": `{"version":1,"projects":["/other",${JSON.stringify(at.root)},` });
    await hook(at, "PreToolUse", DELETE);
    const { code, stdout } = await continuo(at, ["doctor"]);
    expect(stdout).toContain("trust.json");
    expect(code).toBe(1);
    for (const more of [["--yes"], []]) await continuo(at, ["rules", "trust", ...more]);
    const kept = readdirSync(at.home).filter((name) => name.startsWith("trust.json"));
    expect(kept.map((name) => readFileSync(join(at.home, name), "utf8")).join()).toContain("/other");
  });
});

posix("SEC-10", () => {
  it("SEC-10: a note, its folder and the files beside it can be read by their owner only", async () => {
    const at = place();
    expect((await continuo(at, ["write", "About [[tests]].", "--title", "A note"])).code).toBe(0);
    await continuo(at, ["search", "tests"]);
    const names = readdirSync(at.home, { recursive: true, encoding: "utf8" });
    expect(names).toContain("memory/a-note.md");
    expect(names.filter((name) => (statSync(join(at.home, name)).mode & 0o077) !== 0)).toEqual([]);
  });
});
