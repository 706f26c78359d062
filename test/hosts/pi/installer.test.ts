import { expect, it } from "vitest";
import { piInstaller } from "../../../src/hosts/pi/installer.ts";
import { WIRING } from "../../support/wiring.ts";

const wiring = { ...WIRING, runtime: "/node" };
const PATH = "/opt/continuo/dist/continuo-pi.js";
const { add, remove, inspect } = piInstaller;

it("adds one line to pi's settings, once, and takes it out again", () => {
  for (const text of [
    '{\n  "theme": "dark"\n}\n',
    '{\n\t"extensions": [\n\t\t"./mine.ts"\n\t],\n\t"theme": "dark"\n}\n',
    '{\r\n  "theme": "dark"\r\n}\r\n',
  ]) {
    const added = add(text, wiring);
    expect(JSON.parse(added).extensions).toContain(PATH);
    expect(add(added, wiring)).toBe(added);
    expect(remove(added)).toBe(text);
    expect(remove(text)).toBe(text);
  }
  expect(JSON.parse(add("", wiring))).toEqual({ extensions: [PATH] });
});

it("replaces an entry of another place, also a Windows one", () => {
  const text = JSON.stringify({
    extensions: ["C:\\old\\continuo-pi.js", "./mine.ts", "/old/continuo-pi.js"],
  });
  expect(JSON.parse(add(text, wiring)).extensions).toEqual(["./mine.ts", PATH]);
});

it("refuses a file that it does not understand", () => {
  for (const [text, why] of [
    ["{", "is not valid JSON: close brace expected in line 1"],
    ["[]", "does not contain a JSON object"],
    ['{"extensions": "x"}', 'is not usable: "extensions" is not a list'],
    ['{"a": 1, // pi takes no comments\n}', "is not valid JSON: invalid comment token in line 1"],
  ] as const)
    expect(() => add(text, wiring)).toThrow(`the settings file ${why}`);
});

it("tells what is wrong with an installation", () => {
  const status = (text: string, exists = true) =>
    inspect(text, wiring, () => exists).map((one) => one.status);
  expect(status("{}")).toEqual(["warn"]);
  expect(status(add("{}", wiring))).toEqual(["ok"]);
  expect(status(add("{}", wiring), false)).toEqual(["fail"]);
  expect(status('{"extensions": ["/old/continuo-pi.js"]}')).toEqual(["warn"]);
  expect(status(`{"extensions": ["/old/continuo-pi.js", "${PATH}"]}`)).toEqual(["fail"]);
});

it("follows pi's own setting for its folder", () => {
  expect(piInstaller.settingsFile({ HOME: "/home/x" })).toBe("/home/x/.pi/agent/settings.json");
  expect(piInstaller.settingsFile({ HOME: "/home/x", PI_CODING_AGENT_DIR: "/y" })).toBe("/y/settings.json");
});
