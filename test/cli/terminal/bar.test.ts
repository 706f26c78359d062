import fc from "fast-check";
import { expect, it } from "vitest";
import { bar } from "../../../src/cli/terminal/progress.ts";
import { PLAIN } from "../../../src/cli/terminal/screen.ts";
import { widthOf } from "../../../src/cli/terminal/width.ts";

const WIDE = { ...PLAIN, width: 80, isTerminal: true, isFitted: true };

it("a bar grows with the share and is followed by the label", () => {
  expect(bar(WIDE, 0, "reading")).toBe(`${"░".repeat(20)} 0%  reading`);
  expect(bar(WIDE, 1, "reading")).toBe(`${"█".repeat(20)} 100%  reading`);
});

it("a bar is ASCII where only ASCII is sure to be shown", () => {
  const text = bar({ ...WIDE, hasUnicode: false }, 0.5, `reading ${"long ".repeat(30)}`, 1000);
  expect(text).toMatch(/^#+\.+ 50%, 1 s left {2}reading long.*\.\.\.$/);
});

it("without a share there is only the label", () => expect(bar(WIDE, undefined, "7 notes")).toBe("7 notes"));

it("a bar is one line that never fills the last column, whatever the label, the share and the width", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "grapheme", maxLength: 200 }),
      fc.option(fc.double({ min: -1, max: 2 }), { nil: undefined }),
      fc.integer({ min: 40, max: 200 }),
      fc.boolean(),
      (label, share, width, hasUnicode) => {
        const text = bar({ ...WIDE, width, hasUnicode, hasColour: true }, share, label, 5000);
        expect(text).not.toContain("\n");
        expect(widthOf(text)).toBeLessThan(width);
      },
    ),
  );
});
