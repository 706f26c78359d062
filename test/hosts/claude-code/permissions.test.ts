import { describe, expect, it } from "vitest";
import { permissionsPart, READ_ONLY_TOOLS } from "../../../src/hosts/claude-code/permissions.ts";
import { MODULES } from "../../../src/sources/index.ts";

const part = permissionsPart(() => "settings.json");
const wiring = { runtime: "/n", script: "/c", answered: new Set<never>(), guards: false };
const allowing = { ...wiring, allowTools: true };
const WRITING = ["write_memory", "edit_memory", "propose_learning", "set_relevant_context"];

describe("the permissions for tools that only read", () => {
  it("are those of all tools but the ones that write", async () => {
    const all = await Promise.all(MODULES.map(async (module) => (await module.tools?.([])) ?? []));
    const names = all.flat().map(({ name }) => name);
    expect([...READ_ONLY_TOOLS, ...WRITING].sort()).toEqual(names.sort());
  });

  it.each([
    ["no permissions", '{\n  "model": "opus"\n}\n'],
    ["some", '{\n  "permissions": { "allow": ["Bash(ls)"], "deny": [] }\n}\n'],
    ["an empty list", '{"permissions":{"allow":[]}}'],
    ["one that the user allowed", '{ "permissions": { "allow": ["mcp__continuo__read_memory"] } }'],
  ])("come on request to settings with %s, and go again without a trace", (_, text) => {
    expect(part.add(text, wiring)).toBe(text);
    const added = part.add(text, allowing);
    const { allow } = JSON.parse(added).permissions;
    for (const tool of READ_ONLY_TOOLS) expect(allow).toContain(`mcp__continuo__${tool}`);
    expect(new Set(allow).size).toBe(allow.length);
    expect(part.add(added, allowing)).toBe(added);
    expect(part.count(added)).toEqual({ permissions: READ_ONLY_TOOLS.length });
    expect(part.remove(added, text)).toBe(text);
  });

  it("are not needed where the whole server is allowed, and refused where the list is no list or there twice", () => {
    const whole = '{"permissions":{"allow":["mcp__continuo"]}}';
    expect(part.add(whole, allowing)).toBe(whole);
    for (const text of [
      '{"permissions":{"allow":{}}}',
      '{"permissions":[]}',
      '{"permissions":{},"permissions":{}}',
    ])
      expect(() => part.add(text, allowing)).toThrow(expect.objectContaining({ code: "settings-invalid" }));
  });
});
