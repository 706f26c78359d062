import fc from "fast-check";
import { expect, test } from "vitest";
import { edit, has, removeElement, twinsAt } from "../../../../src/hosts/shared/install/json-text.ts";
import { parseObject } from "../../../../src/hosts/shared/install/jsonc.ts";

test("a line comment before the last element does not swallow the bracket when the element goes", () => {
  const text = '{ "plugin": ["theirs", // and ours\n  "ours"] }';
  expect(removeElement(text, ["plugin"], 1)).toBe('{ "plugin": ["theirs" // and ours\n  ] }');
});

test("whatever stands between elements, one that goes leaves the others and every comment", () => {
  const gap = fc.constantFrom("", " ", "\n  ", "\r\n\t", "/*c,*/", " // c, ]\n");
  const value = fc.constantFrom('"a"', '"b,"', '["x", { "y": 1 }]', "3");
  const list = fc.array(fc.tuple(gap, value, gap), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(list, fc.boolean(), gap, fc.nat(3), (elements, trailing, last, at) => {
      const inner = elements.map((element) => element.join("")).join(",");
      const text = `{"p": [${inner}${trailing ? "," : ""}${last}], "q": 1}`;
      const index = at % elements.length;
      const { p, q } = parseObject(text) as { p: unknown[]; q: number };
      const result = removeElement(text, ["p"], index);
      expect(parseObject(result)).toEqual({ p: p.toSpliced(index, 1), q });
      expect(result.match(/c,/g)).toEqual(text.match(/c,/g));
    }),
  );
});

/** Settings as people write them. */
const LAYOUTS = [
  ["on lines", '{\n  "a": 1,\n  "list": [\n    { "x": 1 }\n  ]\n}\n'],
  ["with tabs and Windows line ends", '{\r\n\t"a": 1,\r\n\t"list": [\r\n\t\t{ "x": 1 }\r\n\t]\r\n}\r\n'],
  ["with entries on one line each", '{\n  "token": "x"   ,"odd":[ 1,2 ],\n  "list": [{ "x": 1 }] }\n'],
  ["on one line", '{"a":1,"list":[{"x":1}]}'],
  ["on one line with spaces", '{ "a": 1, "list": [ { "x": 1 } ] }'],
  ["with comments", '{\n  "a": 1, // one\n  /* two */ "list": [{ "x": 1 } // three\n  ] // four\n}\n'],
  ["with trailing commas", '{\n  "a": 1,\n  "list": [\n    { "x": 1 },\n  ],\n}\n'],
] as const;

test.each(LAYOUTS)(
  "what is added to settings %s changes no other byte, and leaves none when it goes",
  (_, text) => {
    const ours = { command: "node", args: ["x"] };
    const element = edit(text, ["list", 1], ours);
    const property = edit(text, ["servers", "ours"], ours);
    expect((parseObject(element) as { list: unknown[] }).list[1]).toEqual(ours);
    expect(parseObject(property)["servers"]).toEqual({ ours });
    expect(removeElement(element, ["list"], 1)).toBe(text);
    expect(edit(property, ["servers"], undefined)).toBe(text);
    // The user's text is in it, in order: only characters were added.
    for (const added of [element, property]) {
      let at = 0;
      for (const character of added) if (character === text[at]) at++;
      expect(at).toBe(text.length);
    }
  },
);

test("a value that is replaced is all that changes", () => {
  const text = '{\n  "servers": { "ours": {"command":"old", "mine":  1} } // mine\n}';
  expect(edit(text, ["servers", "ours", "command"], "new")).toBe(text.replace("old", "new"));
});

test("an object that becomes empty keeps no line, and empty ones are found", () => {
  expect(edit('{\n  "a": {\n    "b": 1\n  }\n}', ["a", "b"], undefined)).toBe('{\n  "a": {}\n}');
  expect(edit('{"a": {}}', ["a", "b"], 1)).toBe('{"a": {"b": 1}}');
  expect([has('{"a": {}}', ["a"]), has('{"a": {}}', ["a", "b"]), has("", ["a"])]).toEqual([
    true,
    false,
    false,
  ]);
});

test("keys that are there twice are found where they matter", () => {
  const text = '{"a": {"b": 1, "b": 2}, "c": {"d": 1, "d": 2}}';
  expect([twinsAt(text, []), twinsAt(text, ["a"])]).toEqual([[], ["b"]]);
});
