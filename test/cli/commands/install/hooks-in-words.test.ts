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
    [
      "claude-code",
      "SessionStart (6): gives a session its rules, notes and last sessions",
      "UserPromptSubmit (",
    ],
    ["codex", "SessionStart (1): gives a session its rules", "PreCompact (1): sees to it that"],
    ["gemini", "BeforeAgent (1): gives a session its rules", "SessionStart (1): records that an earlier"],
    ["copilot", "userPromptSubmitted (1): gives a session its rules", "postToolUse (1): adds the rules"],
  ])("%s's hooks are explained, a line per event", async (host, ...lines) => {
    const stdout = await shown(host);
    const [about = "", diff = ""] = stdout.split("\n\n");
    for (const line of lines) expect(about).toContain(`\n  ${line}`);
    expect(about).toContain("\nWithout Continuo on this machine they do nothing.");
    expect(diff).toContain("+++");
    // Every hook that is counted has its line.
    const counts = [...about.matchAll(/^ {2}\w+ \((\d+)\): /gm)].map(([, many]) => Number(many));
    const sum = counts.reduce((a, b) => a + b, 0);
    expect(about).toMatch(new RegExp(`^What the ${sum} hooks do`));
    expect(stdout).toContain(`Adds ${sum} hooks`);
  });

  it("spare entries are explained, and agents without hooks get no such lines", async () => {
    expect(await shown("claude-code")).toMatch(
      /SessionStart \(6\): .*; 5 of them only if the text is too long for one\n/,
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
      /UserPromptSubmit \(5\): .*; 3 of them only if .*; 1 only while the MCP server does not run\n/,
    );
  });
});
