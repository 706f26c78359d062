import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Key, readKeys, readRest } from "../../../src/cli/terminal/keys.ts";

const names = (text: string) =>
  readKeys("", text).keys.map((key) => (key.name === "text" ? key.text : `<${key.name}>`));

describe("keys", () => {
  it("are read in the forms that terminals send", () => {
    expect(names("a\u00e9日🎉")).toEqual(["aé日🎉"]);
    expect(names("\x1b[A\x1bOB\x1b[H\x1b[4~\x1b[5~\x1b[6~\x1b[1;5C\x1b[3~")).toEqual(
      ["up", "down", "home", "end", "pageup", "pagedown", "right", "delete"].map((name) => `<${name}>`),
    );
    for (const [typed, name] of Object.entries({
      "\r": "enter",
      "\t": "tab",
      "\x7f": "backspace",
      "\b": "backspace",
      "\x03": "interrupt",
      "\x04": "eof",
      "\x15": "clear",
      "\x17": "word",
    }))
      expect(names(typed)).toEqual([`<${name}>`]);
  });

  it("that mean nothing here are one unknown key each: function keys, the mouse, Alt, control characters", () => {
    const unknown = "<unknown>";
    expect(names("\x1bOP\x1b[<0;10;20M\x1b[15~\x1bx\x1aa")).toEqual([...Array(5).fill(unknown), "a"]);
  });

  it("Esc is read when nothing follows it, and never in the middle of an arrow key", () => {
    expect(readKeys("", "\x1b")).toEqual({ keys: [], rest: "\x1b" });
    expect(readRest("\x1b")).toEqual([{ name: "escape" }]);
    expect(readKeys("\x1b", "[A")).toEqual({ keys: [{ name: "up" }], rest: "" });
    expect(readRest("\x1b[")).toEqual([]);
  });

  it("a paste is text, on one line, and presses nothing", () => {
    expect(names("\x1b[200~fix\nthe \x1b[A cart\r\x1b[201~!")).toEqual(["fix the  [A cart ", "!"]);
    expect(names("first line\rsecond line\r").join("")).toBe("first line second line ");
    expect(names("typed fast\r")).toEqual(["typed fast", "<enter>"]);
    expect(names("typed fast\r\n")).toEqual(["typed fast", "<enter>"]);
    expect(names("first line\r\nsecond line\r\n").join("")).toBe("first line second line ");
  });

  it("Ctrl-C gets out of a paste that never ends", () => {
    const { rest } = readKeys("", "\x1b[200~endless");
    expect(readKeys(rest, "\x03")).toEqual({ keys: [{ name: "interrupt" }], rest: "" });
    expect(readKeys("", `\x1b[200~${"x".repeat(2 * 1024 * 1024)}`).rest).toBe("");
  });

  it("are the same in whatever portions the bytes come", () => {
    const part = fc.constantFrom(
      "\x1b[A",
      "\x1bOB",
      "\x1b[6~",
      "\x1b[1;2D",
      "\x1b[200~a\nb\x1b[201~",
      "x",
      "\t",
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), fc.array(fc.nat(3), { minLength: 1 }), (parts, sizes) => {
        const text = parts.join("");
        const keys: Key[] = [];
        let rest = "";
        for (let at = 0, turn = 0; at < text.length; turn++) {
          const size = 1 + (sizes[turn % sizes.length] ?? 0);
          const read = readKeys(rest, text.slice(at, at + size));
          keys.push(...read.keys);
          rest = read.rest;
          at += size;
        }
        const joined = (all: readonly Key[]) =>
          all.map((key) => ("text" in key ? key.text : `<${key.name}>`)).join("");
        expect(joined(keys)).toBe(names(text).join(""));
        expect(rest).toBe("");
      }),
    );
  });

  it("no bytes make it throw, and no control character becomes text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string(), (rest, chunk) => {
        for (const key of readKeys(rest, chunk).keys)
          if (key.name === "text") expect(key.text).not.toMatch(/\p{Cc}/u);
      }),
    );
  });
});
