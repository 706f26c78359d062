import { chmodSync, lstatSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { CONTINUO, runScript } from "../support/child.ts";
import { runInProcess } from "../support/in-process.ts";
import { temporaryWorld, write } from "../support/world.ts";

/** Every entry below a folder that another user could read, write or enter. */
function open(folder: string): string[] {
  const mode = (lstatSync(folder).mode & 0o777).toString(8);
  const own = mode.endsWith("00") ? [] : [`${mode} ${folder}`];
  if (!lstatSync(folder).isDirectory()) return own;
  return [...own, ...readdirSync(folder).flatMap((name) => open(join(folder, name)))];
}

function place() {
  const guard = "---\nguard: { action: warn, tool: Bash }\n---\nCareful.";
  const world = temporaryWorld({ ".continuo/rules/g.md": guard, "a.ts": "" });
  // The most permissive umask: every writer has to set its mode itself.
  const run = (args: string[], stdin = "") =>
    runInProcess(args, { env: world.env, cwd: world.root, umask: 0, stdin });
  const hook = (event: string, more: object = {}, host = "claude-code") =>
    run(["hook", host, event], JSON.stringify({ session_id: "s1", cwd: world.root, ...more }));
  return { ...world, run, hook };
}

describe.skipIf(process.platform === "win32")("the home, whatever the umask", () => {
  it("contains nothing that another user could read, after every writer has written", async () => {
    const { run, hook, ...world } = place();
    const { home, env, root: cwd } = world;
    mkdirSync(join(env["HOME"] ?? "", ".claude"), { recursive: true });
    await hook("SessionStart", { source: "startup" });
    await hook("UserPromptSubmit", { prompt: "I always want tests first. Use pnpm." });
    await hook("PostToolUse", { tool_name: "Read", tool_input: { file_path: "a.ts" } });
    await hook("PreToolUse", { tool_name: "Bash", tool_input: { command: "ls" } });
    await hook("PreCompact", { trigger: "manual" });
    await hook("Stop");
    await hook("SessionEnd", { reason: "exit" });
    await hook("noevent", {}, "nohost");
    const rpc = (id: number, method: string, params: object) =>
      `${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`;
    const hello = {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "t", version: "1" },
    };
    const keep = { name: "set_relevant_context", arguments: { setName: "ports", items: ["1"] } };
    const stdin = rpc(1, "initialize", hello) + rpc(2, "tools/call", keep);
    await runScript(CONTINUO, ["mcp"], { env, cwd, stdin });
    for (const args of [
      ["write", "About [[tests]].", "--title", "A note"],
      ["edit", "memory://a-note", "append", "More [[tests]]."],
      ["move", "memory://a-note", "memory://folder/b-note"],
      ["read", "memory://folder/b-note"],
      ["search", "tests"],
      ["recent"],
      ["context", "tests"],
      ["sync"],
      ["rules", "trust", "--yes"],
      ["install", "claude-code"],
      ["sessions", "index"],
      ["status"],
      ["doctor"],
      ["uninstall", "claude-code"],
      ["delete", "memory://folder/b-note", "--yes"],
      ["write", "About [[tests]].", "--title", "Another note"],
    ])
      await run(args);
    // This many kinds of files exist, so the test checks something.
    const names = readdirSync(home.root, { recursive: true }).map(String);
    for (const kind of [
      /^memory-.*\.db$/,
      /\.db\.lock$/,
      /^memory\/.*\.md$/,
      /^locks\/.*free$/,
      /^trust\.json$/,
      /^ledger\//,
      /^backups\//,
      /^logs\/health/,
      /^state\//,
      /^cache\//,
    ])
      expect(
        names.filter((name) => kind.test(name)),
        String(kind),
      ).not.toEqual([]);
    expect(open(home.root)).toEqual([]);
  });

  it("is made private by doctor --fix, which says so, if an older version left it readable", async () => {
    const { run, home } = place();
    await run(["write", "About [[tests]].", "--title", "A note"]);
    const note = join(home.root, "memory", "a-note.md");
    chmodSync(note, 0o644);
    chmodSync(join(home.root, "memory"), 0o755);
    expect((await run(["doctor"])).stdout).not.toContain("other users"); // they do not get into the home
    chmodSync(home.root, 0o755);
    // A deleted rule comes back with the permissions that it had, and npm installs what the page's chat needs.
    write(home.root, { "trash/abcdef/rule.md": "A rule.", "chat/node_modules/sdk/index.js": "" });
    chmodSync(join(home.root, "trash"), 0o700);
    expect((await run(["doctor"])).stdout).toMatch(
      /4 files and folders, such as \S+, can be read by other users/,
    );
    expect((await run(["doctor", "--fix"])).stdout).toContain(
      "made 4 files and folders readable for you alone",
    );
    expect(open(join(home.root, "memory"))).toEqual([]);
    expect(statSync(join(home.root, "trash/abcdef/rule.md")).mode & 0o777).toBe(0o644);
    expect((await run(["doctor"])).stdout).not.toContain("other users");
  });
});

describe.skipIf(process.platform === "win32")("a folder of notes that other programs share", () => {
  it("gets new notes and folders with its own permissions, and an edited note keeps its permissions", async () => {
    const { run, home, root } = place();
    const vault = join(root, "..", "vault");
    mkdirSync(join(vault, ".obsidian"), { recursive: true });
    chmodSync(vault, 0o755);
    writeFileSync(join(vault, "old.md"), "# Old\n\n[[tests]]\n");
    chmodSync(join(vault, "old.md"), 0o664);
    mkdirSync(home.root, { recursive: true });
    writeFileSync(home.config, JSON.stringify({ sources: { memory: { root: vault } } }));
    const written = await run(["write", "About [[tests]].", "--title", "A note", "--folder", "sub"]);
    expect(written.code, written.stderr).toBe(0);
    const edited = await run(["edit", "memory://old", "append", "More [[tests]]."]);
    expect(edited.code, edited.stderr).toBe(0);
    const mode = (name: string) => (statSync(join(vault, name)).mode & 0o777).toString(8);
    expect([mode("sub"), mode("sub/a-note.md"), mode("old.md")]).toEqual(["755", "644", "664"]);
  });
});
