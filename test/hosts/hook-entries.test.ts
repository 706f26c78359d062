import fc from "fast-check";
import { parse } from "jsonc-parser";
import { describe, expect, it } from "vitest";
import { hookCommand } from "../../src/hosts/hook-command.ts";
import { addEntries, findOurs, removeOurs } from "../../src/hosts/hook-entries.ts";

const wiring = {
  runtime: "/opt/node/bin/node",
  script: "/opt/continuo/dist/continuo.cjs",
  answered: new Set<never>(),
  guards: false,
};
const entries = ["SessionStart", "UserPromptSubmit"].map((event) => ({
  event,
  command: hookCommand("claude-code", wiring, event, { platform: "linux" }),
  timeout: 10,
}));

const USERS = `{
    // my own settings
    "model": "opus",
    "hooks": {
        "SessionStart": [
            { "hooks": [ { "type": "command", "command": "echo mine" } ] }, // keep
        ],
        "Stop": [],
    },
    "permissions": { "allow": ["Bash(ls)"] }
}
`;

describe("addEntries", () => {
  it("keeps the user's comments, order and own hooks", () => {
    const text = addEntries("claude-code", USERS, entries);
    expect(text).toContain("// my own settings");
    expect(text).toContain("// keep");
    const value = parse(text);
    expect(value.hooks.SessionStart).toHaveLength(2);
    expect(value.hooks.SessionStart[0].hooks[0].command).toBe("echo mine");
    expect(value.permissions).toEqual({ allow: ["Bash(ls)"] });
    expect(Object.keys(value)).toEqual(["model", "hooks", "permissions"]);
  });

  it("changes nothing the second time", () => {
    const once = addEntries("claude-code", USERS, entries);
    expect(addEntries("claude-code", once, entries)).toBe(once);
  });

  it("replaces entries of another version or place instead of adding to them", () => {
    const old = entries.map((entry) => ({
      ...entry,
      command: entry.command.replace("/opt/", "/old/"),
      timeout: 3,
    }));
    expect(addEntries("claude-code", addEntries("claude-code", "", old), entries)).toBe(
      addEntries("claude-code", "", entries),
    );
  });

  it.each(["[]", "{", '{"hooks": []}', "null", '{"a": }'])("refuses %j without touching it", (text) => {
    expect(() => addEntries("claude-code", text, entries)).toThrow(
      expect.objectContaining({ code: "settings-invalid" }),
    );
  });

  it("starts from an empty or missing file", () => {
    expect(parse(addEntries("claude-code", "", entries)).hooks.SessionStart[0].hooks[0]).toEqual({
      type: "command",
      command: entries[0]!.command,
      timeout: 10,
    });
  });
});

describe("removeOurs", () => {
  it("gives back the very text for settings without hooks of those events", () => {
    const plain = '{\n  "model": "opus"\n}\n';
    expect(parse(removeOurs("claude-code", addEntries("claude-code", plain, entries)))).toEqual({
      model: "opus",
    });
  });

  it("leaves the user's hooks in a group that both share", () => {
    const shared = JSON.stringify({
      hooks: {
        Stop: [
          {
            hooks: [
              { type: "command", command: "mine" },
              { type: "command", command: entries[0]!.command },
            ],
          },
        ],
      },
    });
    expect(parse(removeOurs("claude-code", shared))).toEqual({
      hooks: { Stop: [{ hooks: [{ type: "command", command: "mine" }] }] },
    });
  });

  it("keeps comments and a trailing comma around what it takes out", () => {
    const removed = removeOurs("claude-code", addEntries("claude-code", USERS, entries));
    expect(removed).toContain("// keep");
    expect(parse(removed)).toEqual(parse(USERS));
  });

  it("undoes addEntries for any settings", () => {
    const hook = fc.record({ type: fc.constant("command"), command: fc.string() });
    const groups = fc.array(
      fc.record({ matcher: fc.string(), hooks: fc.array(hook, { minLength: 1, maxLength: 2 }) }),
      { minLength: 1, maxLength: 2 },
    );
    const settings = fc.record(
      {
        model: fc.string(),
        hooks: fc.dictionary(fc.constantFrom("SessionStart", "Stop", "Weird Event"), groups, { minKeys: 1 }),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(settings, fc.constantFrom("", "  ", "\t", "    "), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        const added = addEntries("claude-code", text, entries);
        expect(findOurs("claude-code", added)).toHaveLength(entries.length);
        expect(parse(removeOurs("claude-code", added))).toEqual(JSON.parse(text));
      }),
      { numRuns: 200 },
    );
  });
});
