import { chmodSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runInProcess } from "../../../support/in-process.ts";
import { temporaryFolder, temporaryWorld, write } from "../../../support/world.ts";

const shown = async (host: string) => {
  const { env, root } = temporaryWorld();
  const { stdout } = await runInProcess(["install", host, "--diff"], { env, cwd: root });
  return stdout;
};

describe("before the diff of an installation", () => {
  it.each([
    ["claude-code", "SessionStart: gives a session its rules, notes and last sessions", "UserPromptSubmit: "],
    ["codex", "SessionStart: gives a session its rules", "PreCompact: sees to it that"],
    ["gemini", "BeforeAgent: gives a session its rules", "SessionStart: records that an earlier"],
    ["copilot", "userPromptSubmitted: gives a session its rules", "postToolUse: adds the rules"],
  ])("%s's hooks are explained, a line per event", async (host, ...lines) => {
    const stdout = await shown(host);
    const [about = "", diff = ""] = stdout.split("\n\n");
    for (const line of lines) expect(about).toContain(`\n  ${line}`);
    expect(about).toContain("\nWithout Continuo on this machine they do nothing.");
    expect(diff).toContain("+++");
    // Every event that is counted has its line.
    const events = [...about.matchAll(/^ {2}\w+: /gm)].length;
    expect(about).toMatch(/^What the hooks do, by event of /);
    expect(stdout).toContain(`Adds hooks for ${events} events and 1 MCP server to `);
  });

  it("spare entries are explained, and agents without hooks get no such lines", async () => {
    expect(await shown("claude-code")).toMatch(
      /SessionStart: .* \(6 entries: 5 only if the text is too long for one\)\n/,
    );
    for (const host of ["opencode", "cursor"]) expect(await shown(host)).not.toContain("by event of");
  });

  it("an entry that steps in for the MCP server is told apart from those for long texts", async () => {
    const { env, root } = temporaryWorld();
    const bin = temporaryFolder();
    write(bin, { claude: "#!/bin/sh\necho '2.1.325 (Claude Code)'\n" });
    chmodSync(join(bin, "claude"), 0o755);
    const { stdout } = await runInProcess(["install", "claude-code", "--diff"], {
      env: { ...env, PATH: bin },
      cwd: root,
    });
    expect(stdout).toMatch(
      /UserPromptSubmit: .* \(5 entries: 3 only if .*, 1 only while the MCP server does not run\)\n/,
    );
  });
});
