import { parse } from "jsonc-parser";
import { describe, expect, it } from "vitest";
import { codexInstaller } from "../../../src/hosts/codex/installer.ts";
import { geminiInstaller } from "../../../src/hosts/gemini/installer.ts";
import type { Wiring } from "../../../src/hosts/port/installer.ts";
import { WIRING } from "../../support/wiring.ts";

const wiring: Wiring = { ...WIRING, runtime: "/opt/my node/bin/node", answered: new Set(["tool"]) };
const USERS = `{
    // mine
    "hooks": {
        "SessionStart": [ { "hooks": [ { "type": "command", "command": "echo 'continuo.cjs hook claude-code'" } ] } ]
    }
}
`;

describe.each([
  ["codex", codexInstaller, "UserPromptSubmit", 5],
  ["gemini", geminiInstaller, "BeforeAgent", 5_000],
] as const)("the entries for %s", (host, installer, event, timeout) => {
  it("name the host, come once, and leave what is the user's", () => {
    const text = installer.add(USERS, wiring);
    expect(text).toContain("// mine");
    expect(text).toContain(`'/opt/my node/bin/node' /opt/continuo/dist/continuo.cjs hook ${host} ${event};`);
    expect(text).toContain(`"timeout": ${timeout}`);
    expect(installer.add(text, wiring)).toBe(text);
    expect(parse(installer.remove(text))).toEqual(parse(USERS));
    expect(installer.remove(text)).toContain("// mine");
    expect(installer.remove(USERS)).toBe(USERS);
  });

  it("are updated when the place changes, and guards come with trust", () => {
    const old = installer.add("", { ...wiring, script: "/old place/continuo.cjs" });
    expect(installer.add(old, wiring)).toBe(installer.add("", wiring));
    const guarded = installer.add("", { ...wiring, guards: true });
    expect(guarded).toMatch(/PreToolUse|BeforeTool/);
    expect(installer.add("", wiring)).not.toMatch(/PreToolUse|BeforeTool/);
  });

  it("of older versions, without a guard, are found, reported, replaced and removed", () => {
    const command = `'/opt/my node/bin/node' /opt/continuo/dist/continuo.cjs hook ${host} ${event}`;
    const old = JSON.stringify({
      hooks: { [event]: [{ hooks: [{ type: "command", command, timeout: 10 }] }] },
    });
    expect(parse(installer.remove(old))).toEqual({});
    expect(parse(installer.add(old, wiring)).hooks[event]).toHaveLength(1);
    const all = parse(installer.add("", wiring));
    for (const [name, [group]] of Object.entries<[{ hooks: [{ command: string }] }]>(all.hooks))
      group.hooks[0].command = command.replace(event, name);
    expect(installer.inspect(JSON.stringify(all), wiring, () => true)).toMatchObject([
      { status: "warn", mend: `run: continuo install ${host}` },
    ]);
  });

  it("are found, missed and found broken", () => {
    const text = installer.add("", wiring);
    const status = (value: string, there = true) =>
      installer.inspect(value, wiring, () => there).map((finding) => finding.status);
    expect(status(text)).toEqual(["ok"]);
    expect(status("")).toEqual(["warn"]);
    expect(status(text, false)).toEqual(["fail"]);
    expect(status(installer.add("", { ...wiring, answered: new Set() }))).toEqual(["fail"]);
  });

  it.each(["{", "[]", '{"hooks": 1}'])("refuse %s", (text) => {
    expect(() => installer.add(text, wiring)).toThrow(expect.objectContaining({ code: "settings-invalid" }));
  });
});

it("lift Codex's limit on what a hook may say where an answer reaches the model, and nowhere else", () => {
  const text = codexInstaller.add("", { ...wiring, guards: true });
  const entries = Object.entries<[{ hooks: [Record<string, unknown>] }]>(parse(text).hooks);
  const lifted = entries.filter(([, [group]]) => group.hooks[0]["additionalContextLimit"] === 0);
  expect(lifted.map(([event]) => event).sort()).toEqual(
    ["PostToolUse", "SessionStart", "SubagentStart", "UserPromptSubmit"].filter((event) =>
      entries.some(([one]) => one === event),
    ),
  );
  expect(lifted.length).toBeLessThan(entries.length);
});

it("are reported, and written again, where Codex's limit still holds", () => {
  const text = codexInstaller.add("", wiring);
  const without = text.replaceAll(/,\s*"additionalContextLimit": 0/g, "");
  expect(codexInstaller.inspect(without, wiring, () => true)).toMatchObject([{ status: "warn" }]);
  expect(codexInstaller.add(without, wiring)).toBe(text);
});

it("of an older version lose the key at events for which Codex warns about it", () => {
  const text = codexInstaller.add("", wiring);
  const older = text
    .replaceAll(/,\s*"additionalContextLimit": 0/g, "")
    .replaceAll(/("timeout": )\d+/g, '$12,\n            "additionalContextLimit": 0');
  expect(older.match(/additionalContextLimit/g)?.length).toBeGreaterThan(4);
  expect(codexInstaller.add(older, wiring)).toBe(text);
});

it("are in the files that the hosts read", () => {
  const env = { HOME: "/home/u" };
  expect(codexInstaller.settingsFile(env)).toBe("/home/u/.codex/hooks.json");
  expect(codexInstaller.settingsFile({ ...env, CODEX_HOME: "/c" })).toBe("/c/hooks.json");
  expect(geminiInstaller.settingsFile(env)).toBe("/home/u/.gemini/settings.json");
});
