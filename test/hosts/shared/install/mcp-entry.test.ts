import { parse } from "jsonc-parser";
import { describe, expect, it } from "vitest";
import { claudeCodeInstaller } from "../../../../src/hosts/claude-code/installer.ts";
import { copilotInstaller } from "../../../../src/hosts/copilot/installer.ts";
import { geminiInstaller } from "../../../../src/hosts/gemini/installer.ts";
import type { Installer, Part, Wiring } from "../../../../src/hosts/port/installer.ts";
import { lastingLaunchOf } from "../../../../src/hosts/shared/install/mcp-launch.ts";
import { WIRING } from "../../../support/wiring.ts";

const wiring: Wiring = {
  ...WIRING,
  runtime: "C:\\Program Files\\nodejs\\node.exe",
  script: "/opt/continuo.cjs",
};
const LAUNCH = { command: wiring.runtime, args: [wiring.script, "mcp"] };

function mcpOf(installer: Installer): Part {
  if (installer.mcp === undefined) throw new Error("it has no MCP entry");
  return installer.mcp;
}

describe.each([
  ["Claude Code", claudeCodeInstaller, { type: "stdio" }, lastingLaunchOf(wiring)],
  ["Copilot CLI", copilotInstaller, { type: "local", tools: ["*"] }, LAUNCH],
  ["Gemini CLI", geminiInstaller, {}, LAUNCH],
])("the MCP entry of %s", (_, installer, more, launch) => {
  const entry = { ...more, ...launch };
  const part = mcpOf(installer);

  it("comes once beside the user's own, and goes alone", () => {
    for (const text of ["", "{}\n", '{\n\t"a": 1,\n\t"mcpServers": {\n\t\t"x": {}\n\t}\n}']) {
      const added = part.add(text, wiring);
      expect(parse(added).mcpServers.continuo).toEqual(entry);
      expect(part.add(added, wiring)).toBe(added);
      expect(parse(part.remove(added))).toEqual(text === "" ? {} : parse(text));
      expect(part.remove(text)).toBe(text);
    }
  });

  it("is brought up to date without losing what the user put into it", () => {
    const old = JSON.stringify({
      mcpServers: { continuo: { command: "/old/node", args: ["/old/continuo.cjs", "mcp"], env: { A: "1" } } },
    });
    expect(parse(part.add(old, wiring)).mcpServers.continuo).toEqual({ ...launch, env: { A: "1" } });
  });

  it.each([
    '{"mcpServers": {"continuo": {"command": "npx", "args": ["continuo", "mcp"]}}}',
    '{"mcpServers": {"continuo": {"url": "http://127.0.0.1"}}}',
    '{"mcpServers": {"continuo": null}}',
  ])("is refused, and kept, where somebody else has one: %s", (text) => {
    expect(() => part.add(text, wiring)).toThrow(expect.objectContaining({ code: "settings-foreign" }));
    expect(part.remove(text)).toBe(text);
  });

  it.each(["{", "[]", '{"mcpServers": []}', '{"mcpServers": "x"}'])("is refused in %s", (text) => {
    expect(() => part.add(text, wiring)).toThrow(expect.objectContaining({ code: "settings-invalid" }));
  });

  it("is judged by doctor, and run as it stands", () => {
    const text = part.add("", wiring);
    const say = (value: string, isThere = true) =>
      part.inspect(value, wiring, () => isThere).map((one) => one.status);
    expect(say("")).toEqual([]);
    expect(say(text)).toEqual([]);
    expect(say(text, false)).toEqual(["fail"]);
    expect(say(text.replace("/opt/", "/old/"))).toEqual(["warn"]);
    // By hand, and found on the PATH: running it tells whether it works.
    const byHand = text.replace(JSON.stringify(wiring.runtime), '"node"');
    expect(part.inspect(byHand, wiring, (path) => path !== "node").map((one) => one.status)).toEqual([
      "warn",
    ]);
    expect(part.probes(text)).toEqual([{ kind: "mcp", ...launch }]);
    expect(part.probes("")).toEqual([]);
  });
});

it("stands where each host looks for it", () => {
  const env = { HOME: "/home/u" };
  const place = (installer: Installer, more = {}) => mcpOf(installer).settingsFile({ ...env, ...more });
  expect(place(claudeCodeInstaller)).toBe("/home/u/.claude.json");
  expect(place(claudeCodeInstaller, { CLAUDE_CONFIG_DIR: "/c" })).toBe("/c/.claude.json");
  expect(place(copilotInstaller)).toBe("/home/u/.copilot/mcp-config.json");
  expect(place(copilotInstaller, { COPILOT_HOME: "/c" })).toBe("/c/mcp-config.json");
  expect(place(geminiInstaller)).toBe(geminiInstaller.settingsFile(env));
});
