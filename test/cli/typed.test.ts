import { dirname } from "node:path";
import { describe, expect, it } from "vitest";
import { CONTINUO, runScript } from "../support/child.ts";
import { hasTmux, openTerminal } from "../support/terminal.ts";
import { temporaryWorld } from "../support/world.ts";

/** What a person sees who types this command. */
async function typed(args: string, shows: RegExp, press?: string): Promise<string> {
  const { root, env } = temporaryWorld();
  // Ctrl-C is for the command, not for this shell.
  const script = `trap : INT; ${process.execPath} ${CONTINUO} ${args}; echo "ENDED $?"; sleep 60`;
  const terminal = await openTerminal(dirname(root), ["sh", "-c", script], { cwd: root, env });
  try {
    await terminal.until(shows);
    if (press !== undefined) await terminal.press(press);
    return await terminal.until(/ENDED \d+/);
  } finally {
    await terminal.close();
  }
}

describe.skipIf(!hasTmux)("typed at a terminal", () => {
  it.each(["hook", "hook claude-code SessionStart"])("%s says what it is for and ends", async (args) => {
    const screen = await typed(args, /continuo hook is for agents/);
    expect(screen).toContain("continuo install AGENT");
    expect(screen).toContain("ENDED 0");
  });

  it("mcp says that it waits for a client, and Ctrl-C stops it", async () => {
    expect(await typed("mcp", /MCP server[\s\S]*Ctrl-C stops it/, "C-c")).toMatch(/ENDED \d+/);
  });
});

describe("called by a program", () => {
  it("mcp writes nothing besides the protocol, and a hook without an event stays silent", async () => {
    const { env, root: cwd } = temporaryWorld();
    expect(await runScript(CONTINUO, ["mcp"], { env, cwd })).toMatchObject({ stdout: "", stderr: "" });
    const hook = await runScript(CONTINUO, ["hook", "claude-code"], { env, cwd, stdin: "{}" });
    expect(hook).toMatchObject({ code: 0, stdout: "" });
  });
});
