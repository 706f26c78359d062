import { describe, expect, it } from "vitest";
import { edit, leaveAsIn, removeEmpty, twinsAt } from "../../../../src/hosts/shared/install/json-text.ts";
import { cpuSeconds } from "../../../support/cpu-time.ts";

describe("an edit of JSON as text", () => {
  it("puts an object or a list in the place of null", () => {
    expect(edit('{"mcpServers":null}', ["mcpServers", "continuo"], { command: "x" })).toBe(
      '{"mcpServers":{"continuo":{"command":"x"}}}',
    );
    expect(edit('{"plugin":null}', ["plugin", 0], "continuo")).toBe('{"plugin":["continuo"]}');
    expect(JSON.parse(edit('{\n  "a": null\n}\n', ["a", "b", "c"], 1))).toEqual({ a: { b: { c: 1 } } });
  });

  it.each(["7", '"text"', "true"])("refuses to go into %s", (value) => {
    expect(() => edit(`{"a":${value}}`, ["a", "b"], 1)).toThrow("neither a list nor an object");
  });
});

describe("removing what is empty", () => {
  it.each([
    ['{"a":{}}', "{}"],
    ['{"a":[ ]}', "{}"],
    ['{"a":{"b":1}}', '{"a":{"b":1}}'],
    ['{"a":{ /* mine */ }}', '{"a":{ /* mine */ }}'],
    ['{"a":[\n// mine\n]}', '{"a":[\n// mine\n]}'],
    ['{"a":7}', '{"a":7}'],
    ["{}", "{}"],
  ])("makes %j to %j", (text, left) => expect(removeEmpty(text, ["a"])).toBe(left));
});

describe("a container that Continuo's entries leave empty", () => {
  it.each([
    ["is removed if it was not there", '{"a":{}}', "{}", "{}"],
    ["stays if it was empty", '{"a":{}}', '{"a":{}}', '{"a":{}}'],
    ["is null again if it was", '{"a":{}}', '{"a":null}', '{"a":null}'],
    ["is null again, also a list", '{\n  "a": []\n}\n', '{"a":null}', '{\n  "a": null\n}\n'],
    ["stays as it is if something is in it", '{"a":{"b":1}}', '{"a":null}', '{"a":{"b":1}}'],
    ["stays with a comment", '{"a":{/* mine */}}', '{"a":null}', '{"a":{/* mine */}}'],
  ])("%s", (_, text, original, left) => expect(leaveAsIn(original, text, ["a"])).toBe(left));
});

describe("keys that are there twice", () => {
  it("are found, each once", () => {
    expect(twinsAt('{"a":1,"b":2,"a":3,"a":4,"b":5,"c":6}', [])).toEqual(["a", "b"]);
  });

  it("are found in a file with 40,000 keys in the time that it takes to read it", () => {
    const textOf = (many: number) =>
      JSON.stringify(Object.fromEntries(Array.from({ length: many }, (_, i) => [`k${i}`, 1])));
    const [small, large] = [textOf(2_500), textOf(40_000)];
    const spent = (text: string, times: number) =>
      cpuSeconds(() => {
        for (let i = 0; i < times; i++) twinsAt(text, []);
      });
    // As many keys in all. Comparing each with each would be 16 times the work. The clock may count in steps of 10 ms.
    expect(spent(large, 4) / Math.max(0.05, spent(small, 64))).toBeLessThan(6);
  });
});
