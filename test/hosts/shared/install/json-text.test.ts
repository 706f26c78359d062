import { describe, expect, it } from "vitest";
import { edit, removeEmpty } from "../../../../src/hosts/shared/install/json-text.ts";

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
