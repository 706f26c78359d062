import fc from "fast-check";
import { expect, test } from "vitest";
import { paintedForTerminal, paintFor, unpainted } from "../../../src/cli/terminal/paint.ts";

const colourful = paintFor({ hasColour: true });

test("a painted text begins and ends its colour, and is measured without it", () => {
  expect(paintedForTerminal(`a ${colourful("red", "b")} c`)).toBe("a \u001b[31mb\u001b[0m c");
  expect(unpainted(`a ${colourful("red", "b")} c`)).toBe("a b c");
});

test("without colours a text stays as it is", () => {
  expect(paintFor({ hasColour: false })("red", "b")).toBe("b");
});

test("a stranger's text cannot contain a colour or a command for the terminal", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom("\u0002", "\u0003", "\u001b", "[", "1", ":", "m", "x") }),
      (text) => {
        const sent = paintedForTerminal(colourful("green", text));
        expect(sent.startsWith("\u001b[32m") || text === "").toBe(true);
        expect(sent.split("\u001b").length - 1).toBe(text === "" ? 0 : 2);
      },
    ),
  );
});
