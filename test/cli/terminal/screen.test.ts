import { expect, test } from "vitest";
import { type Device, PLAIN, screenFor } from "../../../src/cli/terminal/screen.ts";

const linux: Device = { isTerminal: true, columns: 120, rows: 40, platform: "linux" };
const utf8 = { TERM: "xterm-256color", LANG: "en_GB.UTF-8" };

test("a pipe has 80 columns and no colours, whatever the variables of a terminal say", () => {
  expect(screenFor(utf8, { ...linux, isTerminal: false })).toEqual(PLAIN);
});

test("a terminal has its own size, colours and Unicode", () => {
  expect(screenFor(utf8, linux)).toEqual({
    width: 120,
    height: 40,
    isTerminal: true,
    isFitted: true,
    hasColour: true,
    hasUnicode: true,
  });
});

test.each([
  [{ ...utf8, NO_COLOR: "1" }, false],
  [{ ...utf8, NO_COLOR: "" }, true],
  [{ ...utf8, TERM: "dumb" }, false],
  [{ ...utf8, FORCE_COLOR: "0" }, false],
])("%o has colours: %s", (env, hasColour) => {
  expect(screenFor(env, linux).hasColour).toBe(hasColour);
});

test("FORCE_COLOR colours a pipe, unless NO_COLOR is set", () => {
  const pipe = { ...linux, isTerminal: false };
  expect(screenFor({ FORCE_COLOR: "1" }, pipe).hasColour).toBe(true);
  expect(screenFor({ FORCE_COLOR: "1", NO_COLOR: "1" }, pipe).hasColour).toBe(false);
});

test.each<[string, NodeJS.ProcessEnv, NodeJS.Platform, boolean]>([
  ["a locale without UTF-8", { TERM: "xterm", LANG: "C" }, "linux", false],
  ["the kernel's console", { TERM: "linux", LANG: "en_GB.UTF-8" }, "linux", false],
  ["a dumb terminal", { TERM: "dumb", LANG: "en_GB.UTF-8" }, "linux", false],
  ["macOS over ssh without a locale", { TERM: "xterm" }, "darwin", true],
  ["Windows Terminal", { WT_SESSION: "1" }, "win32", true],
  ["the old Windows console", {}, "win32", false],
])("%s: Unicode %#", (_name, env, platform, hasUnicode) => {
  expect(screenFor(env, { ...linux, platform }).hasUnicode).toBe(hasUnicode);
});

test("a pipe is as wide as COLUMNS says, and lines are fitted to it; other values count for nothing", () => {
  const pipe = { ...linux, isTerminal: false, columns: undefined };
  expect(screenFor({ ...utf8, COLUMNS: "100" }, pipe)).toEqual({ ...PLAIN, width: 100, isFitted: true });
  for (const COLUMNS of ["", "0", "wide", "-5", "99999"])
    expect(screenFor({ ...utf8, COLUMNS }, pipe)).toEqual(PLAIN);
});

test("a narrow terminal is treated as 40 columns wide", () => {
  expect(screenFor(utf8, { ...linux, columns: 10 }).width).toBe(40);
  expect(screenFor(utf8, { ...linux, columns: 0 }).width).toBe(80);
});
