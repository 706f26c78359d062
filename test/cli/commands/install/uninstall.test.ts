import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { ownData } from "../../../../src/cli/commands/install/own-data.ts";
import { homeAt } from "../../../../src/store/home.ts";
import { commandWorld } from "../../../support/in-process.ts";
import { temporaryWorld, write } from "../../../support/world.ts";

const world = (more: NodeJS.ProcessEnv = {}) => commandWorld({}, more);

const GEMINI = '{\n  "theme": "dark"\n}\n';

describe("install and uninstall of several agents", () => {
  it("set up those that are named, and remove all that are connected", async () => {
    const { run, user } = world();
    write(user, { ".gemini/settings.json": GEMINI });
    const done = await run("install", "gemini", "cursor");
    expect(done.code).toBe(0);
    expect(done.stdout).toContain("To undo this: continuo uninstall gemini cursor");
    const which = await run("uninstall");
    expect(which).toMatchObject({ code: 0 });
    expect(which.stdout).toMatch(/Nothing was changed\.\nGemini CLI: continuo uninstall gemini\nCursor: /);
    expect((await run("uninstall", "--all")).stdout).toMatch(
      /removed from Gemini CLI[\s\S]*removed from Cursor[\s\S]*To undo this: continuo install gemini cursor/,
    );
    expect(readFileSync(join(user, ".gemini/settings.json"), "utf8")).toBe(GEMINI);
    expect(existsSync(join(user, ".cursor/mcp.json"))).toBe(false);
    const again = await run("uninstall", "--all");
    expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining("nothing to remove") });
  });

  it("leave the user's own bytes, also if `doctor --fix` repaired what was changed by hand", async () => {
    const { run, user } = world();
    const file = join(user, ".gemini/settings.json");
    write(user, { ".gemini/settings.json": GEMINI });
    await run("install", "gemini");
    const { hooks, ...rest } = JSON.parse(readFileSync(file, "utf8"));
    delete hooks.AfterTool;
    writeFileSync(file, JSON.stringify({ ...rest, hooks }, null, 2));
    expect((await run("doctor", "--fix")).stdout).toContain("set up again");
    expect(readFileSync(file, "utf8")).toContain("AfterTool");
    await run("uninstall", "--all");
    expect(readFileSync(file, "utf8").trim()).toBe(GEMINI.trim());
  });

  it("remove the folders that they made, if nothing else came into them, and no other", async () => {
    const { run, user } = world();
    mkdirSync(join(user, ".gemini"), { recursive: true });
    await run("install", "gemini", "cursor", "kiro", "copilot");
    // Again, after the user deleted a file: the folder is still Continuo's.
    rmSync(join(user, ".cursor/mcp.json"));
    await run("install", "cursor");
    write(user, { ".kiro/mine": "" });
    expect((await run("uninstall", "--all")).code).toBe(0);
    expect(
      readdirSync(user)
        .filter((name) => name.startsWith("."))
        .sort(),
    ).toEqual([".gemini", ".kiro"]);
    expect(readdirSync(join(user, ".kiro"))).toEqual(["mine"]);
  });

  it("set up every agent that is found with --all, and go on after one that fails", async () => {
    const { run, user } = world({ PATH: "/nowhere" });
    write(user, { ".gemini/settings.json": "{ not json", ".cursor/x": "" });
    const told = await run("install", "--all", "--diff");
    expect(told.stdout.replace(/\s+/g, " ")).toContain(
      `Gemini CLI was not connected: ${join(user, ".gemini/settings.json")} is not valid JSON`,
    );
    const done = await run("install", "--all", "--json");
    expect(done.code).toBe(1);
    const { agents } = JSON.parse(done.stdout).data;
    expect(agents.map(({ host, outcome }: { host: string; outcome: string }) => [host, outcome])).toEqual([
      ["gemini", "failed"],
      ["cursor", "connected"],
    ]);
  });

  it("remove the others if the settings of one are broken, name its file, and fail", async () => {
    const { run, user, home } = world({ PATH: "/nowhere" });
    write(user, {
      ".gemini/settings.json": GEMINI,
      ".cursor/x": "",
      ".kiro/settings/mcp.json": "{ not ours",
    });
    await run("install", "gemini", "cursor");
    const gemini = join(user, ".gemini/settings.json");
    writeFileSync(gemini, `${readFileSync(gemini, "utf8")} oh`);
    const done = await run("uninstall", "--all", "--data", "--yes");
    expect(done.code).toBe(1);
    expect(done.stdout).toContain("removed from Cursor");
    expect(done.stdout.replace(/\s+/g, " ")).toContain(
      `not removed from Gemini CLI: ${gemini} is not valid JSON`,
    );
    expect(done.stdout.replace(/\s+/g, " ")).toContain("Still used by Gemini CLI.");
    // Nothing of Continuo's is in it.
    expect(done.stdout).not.toContain("Kiro");
    expect(existsSync(join(user, ".cursor/mcp.json"))).toBe(false);
    expect(existsSync(home.backups)).toBe(true);
    const told = JSON.parse((await run("uninstall", "--all", "--json")).stdout);
    expect(told).toMatchObject({ ok: false });
  });

  it("suggest the nearest name, and what to do with other MCP clients", async () => {
    const { run } = world();
    const wrong = await run("install", "cusor");
    expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('did you mean "cursor"?') });
    const other = await run("install", "other", "--json");
    const { entry } = JSON.parse(other.stdout).data;
    expect(entry.mcpServers.continuo.args.at(-1)).toBe("mcp");
  });
});

/** What shows that a folder is Continuo's. */
const INDEX = { "sessions.db": "SQLite format 3\0" };

describe("uninstall --data", () => {
  it("removes Continuo from every agent first, then its folder, and says what it deleted", async () => {
    const { run, user, home } = world();
    write(user, { ".gemini/settings.json": GEMINI });
    await run("install", "gemini");
    write(home.root, { "memory/a.md": "A.", "rules/b.md": "B." });
    const unsure = await run("uninstall", "--data");
    expect(unsure).toMatchObject({ code: 1, stderr: expect.stringContaining("--yes") });
    expect(readFileSync(join(user, ".gemini/settings.json"), "utf8")).toContain("continuo");
    expect((await run("uninstall", "--data", "--diff")).stdout).toContain("Would delete");
    const done = await run("uninstall", "--data", "--yes");
    expect(done).toMatchObject({ code: 0, stderr: "" });
    expect(done.stdout.replace(/\s+/g, " ")).toMatch(
      /Deleted \S+ \(\d+ files, under 1 MB, 1 note, 1 rule of yours\)/,
    );
    expect(done.stdout).toContain("Continuo is removed from Gemini CLI: ");
    // Without the data there is nothing to go back to, and without a profile nothing to say about it.
    expect(done.stdout).not.toMatch(/undo|profile/);
    expect(existsSync(home.root)).toBe(false);
    expect(readFileSync(join(user, ".gemini/settings.json"), "utf8")).toBe(GEMINI);
    expect(await run("uninstall", "--data", "--yes")).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("There is no data"),
    });
  });

  it("names Copilot's folder, which the page's chats are in, only after there was a chat", async () => {
    const { run, user, home } = world();
    write(user, { ".copilot/session-state/one.jsonl": "{}" });
    write(home.root, INDEX);
    expect((await run("uninstall", "--data", "--yes")).stdout).toMatch(/Deleted(?!.*\.copilot)/s);
    write(home.root, { ...INDEX, "chat/package.json": "{}" });
    expect((await run("uninstall", "--data", "--yes")).stdout).toMatch(
      /Kept: the chats of the page.*~\/\.copilot/,
    );
    expect(existsSync(join(user, ".copilot/session-state/one.jsonl"))).toBe(true);
  });

  it("names what is kept of the profile, and how to delete it only where the folder is the usual one", async () => {
    const { run, user, home, root } = world();
    const uninstalled = async () => (await run("uninstall", "--data", "--yes")).stdout;
    write(home.root, { "rules/b.md": "B.", ...INDEX });
    write(user, { ".pai/seed.json": "{}", ".pai/seed.continuo.jsonl": "" });
    const usual = await uninstalled();
    expect(usual).toContain("accepted: ~/.pai/seed.json and ~/.pai/seed.continuo.jsonl\n");
    expect(usual).toContain("To delete all of it: rm -rf ~/.pai");
    expect(existsSync(join(user, ".pai/seed.json"))).toBe(true);

    const path = join(root, "dotfiles", "me.json");
    write(root, { "dotfiles/me.json": "{}" });
    write(home.root, {
      ...INDEX,
      "config.json": JSON.stringify({ sources: { seed: { path } } }),
    });
    const own = await uninstalled();
    expect(own).toContain(path);
    expect(own).not.toContain("rm -rf");
  });

  it.each([
    ["a project", "did not write: .git", "x"],
    ["the user's home", "contains your home", "user"],
    ["a folder above it", "contains your home", "."],
    ["the root", "contains your home", "/"],
    ["a link", "is a link", "link"],
    ["a folder of rules", "does not look like", "y"],
  ])("refuses %s", (_, why, name) => {
    const { root, env } = temporaryWorld();
    const folder = join(root, "..");
    write(folder, { "x/.git/HEAD": "", "user/mine.txt": "", "y/rules/a.md": "" });
    symlinkSync(root, join(folder, "link"));
    const refusal = expect.objectContaining({ message: expect.stringContaining(why) });
    expect(() => ownData(homeAt(resolve(folder, name)), env)).toThrow(refusal);
  });

  it("leaves a folder alone that has only names which others use too", async () => {
    const { run, home } = world();
    write(home.root, { "models/weights": "x", "cache/a": "", "logs/b": "", "state/c": "" });
    // Also with what Continuo has by name only: a ledger, a receipt and an index of somebody else.
    write(home.root, {
      "ledger/2025.dat": "x",
      "ledger/ledger-000001.jsonl": "not ours\n",
      "backups/x/receipt.json": "{}",
      "sessions.db": "x",
      "given/y": "",
      "memory/mine.txt": "mine",
    });
    const refused = await run("uninstall", "--data", "--yes");
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("does not look like Continuo's"),
    });
    expect(existsSync(join(home.root, "models/weights"))).toBe(true);
  });
});
