import { join } from "node:path";
import { expect, test } from "vitest";
import { opencodeInstaller } from "../../../src/hosts/opencode/installer.ts";
import { WIRING } from "../../support/wiring.ts";
import { temporaryFolder, write } from "../../support/world.ts";

const { add, remove, inspect, settingsFile } = opencodeInstaller;
const wiring = { ...WIRING, runtime: "/usr/bin/node" };
const PLUGIN = "/opt/continuo/dist/continuo-opencode.js";

test("a file that is not there gets the plugin, and nothing else", () => {
  expect(JSON.parse(add("", wiring))).toEqual({ plugin: [PLUGIN] });
});

test.each([
  ['{\n  // mine\n  "model": "a/b", // why\n}\n'],
  ['{\n  "plugin": [\n    "other@1", // the other\n    ["./x.js", { "a": 1 }]\n  ],\n  "model": "a/b"\n}\n'],
  ['{\r\n\t"plugin": ["other"]\r\n}\r\n'],
  ["{}\n"],
  ['{ "plugin": ["other" // last, no comma\n  ] }'],
  ['{ "plugin": [\n    "other", // with a comma\n  ] }'],
])("adding keeps what is there, twice adds once, and removing brings the text back: %j", (text) => {
  const added = add(text, wiring);
  expect(added).toContain(JSON.stringify(PLUGIN));
  for (const comment of ["// mine", "// why", "// the other", "// last", "// with"])
    expect(added.includes(comment)).toBe(text.includes(comment));
  expect(add(added, wiring)).toBe(added);
  expect(remove(added).replaceAll(/\s/g, "")).toBe(text.replaceAll(/\s/g, ""));
  expect(remove(text)).toBe(text);
});

test("an entry of another version, with options or from Windows, is brought up to date in place of being doubled", () => {
  for (const old of ['"/old/continuo-opencode.js"', '["C:\\\\c\\\\continuo-opencode.js", {}]']) {
    const added = add(`{ "plugin": [${old}, "other"] }`, wiring);
    expect(JSON.parse(added)).toEqual({ plugin: ["other", PLUGIN] });
  }
  expect(remove('{ "plugin": ["/c/continuo-opencode.js", // ours\n "other"] }')).toContain("// ours");
  expect(JSON.parse(add('{ "plugin": ["/old/continuo-opencode.js"] }', wiring))).toEqual({
    plugin: [PLUGIN],
  });
});

test.each([
  ["{", "is not valid JSON: close brace expected in line 1"],
  ["[]", "does not contain a JSON object"],
  ['{ "plugin": "x" }', 'is not usable: "plugin" is not a list'],
])("a file that is not understood is refused: %s", (text, why) => {
  expect(() => add(text, wiring)).toThrow(`the settings file ${why}`);
  expect(() => remove(text)).toThrow(`the settings file ${why}`);
});

test("doctor is told what is wrong", () => {
  const say = (text: string, isThere = true) => inspect(text, wiring, () => isThere)[0]?.status;
  const added = add("", wiring);
  expect(say("{}")).toBe("warn");
  expect(say(added)).toBe("ok");
  expect(say(added, false)).toBe("fail");
  expect(say('{ "plugin": ["/old/continuo-opencode.js"] }')).toBe("warn");
  expect(say(`{ "plugin": ["/old/continuo-opencode.js", "${PLUGIN}"] }`)).toBe("warn");
});

test("the file that the user has is the one that is edited", () => {
  const folder = temporaryFolder();
  const env = { XDG_CONFIG_HOME: folder };
  const file = (name: string) => join(folder, "opencode", name);
  expect(settingsFile({ HOME: folder })).toBe(join(folder, ".config", "opencode", "opencode.json"));
  expect(settingsFile(env)).toBe(file("opencode.json"));
  write(folder, { "opencode/opencode.jsonc": "{}" });
  expect(settingsFile(env)).toBe(file("opencode.jsonc"));
  write(folder, { "opencode/opencode.json": "{}" });
  expect(settingsFile(env)).toBe(file("opencode.json"));
});
