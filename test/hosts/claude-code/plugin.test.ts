import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { PLUGIN_SERVER } from "../../../src/hosts/claude-code/files.ts";
import { claudeCode } from "../../../src/hosts/claude-code/hook.ts";
import { claudeCodeInstaller } from "../../../src/hosts/claude-code/installer.ts";
import { toolInput } from "../../../src/hosts/shared/hook/tool-input.ts";
import type { MomentName } from "../../../src/moments/types.ts";
import { SOURCES } from "../../../src/sources/index.ts";
import { ROOT } from "../../support/child.ts";
import { OFFERED } from "../../support/offered.ts";

const { tools: TOOLS } = OFFERED;

const read = (path: string) => readFileSync(join(ROOT, "claude-code-plugin", path), "utf8");

const COMMANDS = readdirSync(join(ROOT, "claude-code-plugin/commands")).map((name) => `commands/${name}`);

describe("the Claude Code plugin", () => {
  it("wires the same events with the same timeouts as an installation with guards in a new Claude Code", () => {
    const settings = claudeCodeInstaller.add("", {
      runtime: "node",
      script: "continuo.cjs",
      answered: new Set(SOURCES.flatMap((source) => Object.keys(source.answers) as MomentName[])),
      // A plugin's file cannot know whether a project will be trusted, and a guard that is silently absent is worse
      // than a process too many.
      guards: true,
      hostVersion: "2.1.325",
      mcp: { offIn: [] },
    });
    type Hook = { type: string; command: string; timeout: number };
    const installed = JSON.parse(settings).hooks as Record<string, [{ hooks: [Hook, ...Hook[]] }]>;
    const script = `\${CLAUDE_PLUGIN_ROOT}/dist/continuo.cjs`;
    const inPlugin = (event: string, hook: Hook, at: number) => {
      // In settings a guard has a process of its own. Here each tool call would start one, whether or not there are guards.
      if (event === "PreToolUse") {
        expect(hook.type).toBe("command");
        const input = toolInput(claudeCode, event);
        return {
          type: "mcp_tool",
          server: PLUGIN_SERVER,
          tool: "for_hooks_only",
          input,
          timeout: hook.timeout,
        };
      }
      if (hook.type === "mcp_tool") return { ...hook, server: PLUGIN_SERVER };
      const args = [script, "hook", "claude-code", event];
      const isLeftBehind = event === "SessionEnd";
      if (at === 0 && !isLeftBehind) return { type: "command", command: "node", args, timeout: hook.timeout };
      // A shell is needed where a file decides whether a process is started at all, and to leave a process behind.
      const command = hook.command.replace("node continuo.cjs", `node "${script}"`);
      // Other hosts that load Claude Code's plugins would run this one too.
      const here = '{ [ "$CLAUDE_PID" = "$PPID" ] && { $1; }; :; } 2>/dev/null';
      const isGuarded = command.includes(" no-server)") || isLeftBehind;
      return { ...hook, command: isGuarded ? command.replace(/^\{ (.*); :; \} .*$/, here) : command };
    };
    const expected = Object.entries(installed).map(([event, [{ hooks }]]) => [
      event,
      [{ hooks: hooks.map((hook, at) => inPlugin(event, hook, at)) }],
    ]);
    expect(JSON.parse(read("hooks/hooks.json"))).toEqual({ hooks: Object.fromEntries(expected) });
  });

  it("names only tools that there are", () => {
    const named = [...COMMANDS, "skills/continuo/SKILL.md"].flatMap((path) =>
      [...read(path).matchAll(/(?:mcp__plugin_continuo_continuo__|`)([a-z]+_[a-z_]+)/g)].map(
        ([, name]) => name,
      ),
    );
    expect(named.length).toBeGreaterThan(2);
    expect(TOOLS.map((tool) => tool.name)).toEqual(expect.arrayContaining(named));
  });

  it("puts nothing that a user typed into a shell line", () => {
    const lines = COMMANDS.flatMap((path) => [...read(path).matchAll(/!`([^`]*)`/g)].map(([, line]) => line));
    expect(lines).toHaveLength(3);
    // Claude Code pastes arguments into the text: between backquotes they would be commands.
    for (const line of lines) expect(line).not.toMatch(/ARGUMENTS|\$\d/);
  });

  it("costs nothing in a request: neither the skill nor the commands are shown to the model", () => {
    for (const path of [...COMMANDS, "skills/continuo/SKILL.md"])
      expect(read(path)).toContain("disable-model-invocation: true");
  });
});
