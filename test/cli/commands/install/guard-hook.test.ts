import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { setTrust } from "../../../../src/store/trust.ts";
import { CONTINUO, runScript } from "../../../support/child.ts";
import { commandWorld } from "../../../support/in-process.ts";
import { write } from "../../../support/world.ts";

/** A host, its settings, the event at which a session begins, and the one before tool calls. */
type Place = readonly [host: string, path: string, opening: string, guard: string];

const HOSTS: readonly Place[] = [
  ["claude-code", ".claude/settings.json", "SessionStart", "PreToolUse"],
  ["codex", ".codex/hooks.json", "SessionStart", "PreToolUse"],
  ["copilot", ".copilot/hooks/continuo.json", "userPromptSubmitted", "preToolUse"],
  ["gemini", ".gemini/settings.json", "BeforeAgent", "BeforeTool"],
];

const REFUSING = "---\nchecks:\n  commands: { never: rm -rf, reaction: deny }\n---\nNever delete.";
const REMINDING = REFUSING.replace("deny", "remind");
const CLAUDE = HOSTS[0]!;

function world([host, path, opening]: Place, settings?: string) {
  const made = commandWorld();
  const file = join(made.user, path);
  mkdirSync(dirname(file), { recursive: true });
  if (settings !== undefined) writeFileSync(file, settings);
  const begin = async (event: string = opening) => {
    const stdin = JSON.stringify({
      session_id: "s1",
      sessionId: "s1",
      cwd: made.root,
      source: "startup",
      prompt: "hello",
    });
    return (await runScript(CONTINUO, ["hook", host, event], { env: made.env, cwd: made.root, stdin }))
      .stdout;
  };
  const ownRule = (text: string) => write(made.home.root, { "rules/no-rm.md": text });
  return { ...made, file, begin, ownRule, read: () => readFileSync(file, "utf8") };
}

describe("the hook before tool calls", () => {
  it.each(HOSTS)("is added to %s when a session finds a rule that refuses calls", async (...place) => {
    const [host, , , guard] = place;
    const original = host === "copilot" ? undefined : '{\n\t"mine": { "a":1 },  "hooks": {}\n}';
    const { run, begin, ownRule, read, file } = world(place, original);
    await run("install", host);
    const before = read();
    ownRule(REMINDING);
    await begin();
    expect(read()).toBe(before);
    ownRule(REFUSING);
    const said = await begin();
    const hooks = JSON.parse(read()).hooks;
    expect(JSON.stringify(hooks[guard])).toContain(`hook ${host} ${guard}`);
    // Everything else is as it was.
    const { [guard]: _, ...others } = hooks;
    expect({ ...JSON.parse(read()), hooks: others }).toEqual(JSON.parse(before));
    if (host !== "copilot") {
      expect(said).toContain("before they run, because your rule");
      expect(said).toMatch(host === "claude-code" ? /also in this session/ : /from the next session on/);
    }
    const once = read();
    expect(await begin()).not.toContain("before they run");
    expect(read()).toBe(once);
    // It is what an installation would have written.
    expect((await run("install", host)).stdout).toContain("already set up");
    await run("uninstall", host);
    if (original === undefined) expect(existsSync(file)).toBe(false);
    else expect(read()).toBe(original);
  });

  it("is added at a prompt too, and keeps the entries of others byte for byte", async () => {
    const theirs = '"PreToolUse": [ { "matcher":"Bash","hooks":[{"type":"command","command":"echo hi"}] } ]';
    const { run, begin, ownRule, read } = world(CLAUDE, `{ "hooks": { ${theirs} } }`);
    await run("install", "claude-code");
    ownRule(REFUSING);
    await begin("UserPromptSubmit");
    expect(read()).toContain('{ "matcher":"Bash","hooks":[{"type":"command","command":"echo hi"}] }');
    const { PreToolUse } = JSON.parse(read()).hooks;
    expect(PreToolUse).toHaveLength(2);
    expect(PreToolUse[1].hooks[0].command).toContain("hook claude-code PreToolUse");
  });

  it("is added for a trusted project, but not while trust.json is damaged", async () => {
    const { run, begin, read, home, root } = world(CLAUDE);
    await run("install", "claude-code");
    write(home.root, { "trust.json": "{" });
    await begin();
    expect(read()).not.toContain("PreToolUse");
    rmSync(join(home.root, "trust.json"));
    await setTrust(home, root, "shown", 0);
    expect(await begin()).toContain("because rules of a project that you trust may refuse some");
    expect(read()).toContain("PreToolUse");
  });

  it("that the user took out stays out, and rules list, why, check and doctor name the command", async () => {
    const { run, begin, ownRule, read, file } = world(CLAUDE);
    await run("install", "claude-code");
    ownRule(REFUSING);
    for (const what of ["list", "why", "check"])
      expect((await run("rules", what)).stdout).toMatch(/only remind there. Its next session changes that/);
    await begin();
    for (const what of ["list", "why", "check"])
      expect((await run("rules", what)).stdout).not.toContain("only remind there");
    const settings = JSON.parse(read());
    delete settings.hooks.PreToolUse;
    writeFileSync(file, JSON.stringify(settings, null, 2));
    expect(await begin()).not.toContain("before they run");
    expect(read()).not.toContain("PreToolUse");
    for (const what of ["list", "why", "check"])
      expect((await run("rules", what)).stdout).toContain("To change that: continuo install claude-code");
    expect((await run("doctor")).stdout).toContain("no hook for PreToolUse");
    await run("install", "claude-code");
    expect(read()).toContain("PreToolUse");
  });

  it("is not added without the receipt of an installation, or to settings that cannot be edited", async () => {
    const { run, begin, ownRule, read, file, home } = world(CLAUDE);
    await run("install", "claude-code");
    ownRule(REFUSING);
    const commented = read().replace("{", "{ // mine");
    writeFileSync(file, commented);
    await begin();
    expect(read()).toBe(commented);
    writeFileSync(file, commented.replace("// mine", ""));
    rmSync(join(home.backups, "claude-code", "receipt.json"));
    await begin();
    expect(read()).not.toContain("PreToolUse");
  });

  it("is added by rules trust, which names a host only if something changes for it", async () => {
    const { run, read, root } = world(CLAUDE);
    await run("install", "claude-code");
    write(root, { ".continuo/rules/no-rm.md": REFUSING });
    const { stdout } = await run("rules", "trust", "--yes");
    expect(stdout).toContain("Continuo now checks tool calls in Claude Code before they run");
    expect(stdout.match(/no-rm\.md/g)).toHaveLength(1);
    expect(read()).toContain("PreToolUse");
    const again = (await run("rules", "trust", "--yes")).stdout;
    expect(again).not.toMatch(/Claude Code|continuo install/);
  });
});
