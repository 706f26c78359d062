import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { draw, type Look } from "../../../../src/cli/commands/sessions/pick-lines.ts";
import { previewLines } from "../../../../src/cli/commands/sessions/pick-preview.ts";
import {
  offer,
  type PickState,
  press,
  startPicking,
} from "../../../../src/cli/commands/sessions/pick-state.ts";
import { paintFor, unpainted } from "../../../../src/cli/terminal/paint.ts";
import { widthOf } from "../../../../src/cli/terminal/width.ts";
import { candidate, candidates, NOW } from "./candidates.ts";

const ABOUT = {
  asked: [
    { text: "Round prices\nhalf to even", at: NOW - 7_200_000 },
    { text: `Add a test ${"very ".repeat(100)}long`, at: NOW - 60_000 },
  ],
  files: [
    { path: "src/cart.ts", isEdited: true },
    { path: "docs/money.md", isEdited: false },
  ],
};

function lookWith(hasColour: boolean, hasUnicode = true): Look {
  const common = { paint: paintFor({ hasColour }), hasUnicode, now: NOW };
  return {
    ...common,
    preview: (one, width) =>
      previewLines(one, ABOUT, width, { ...common, shortPath: (path) => path.replace("/work", "~") }),
  };
}

const LOOK = lookWith(false);
const screen = (state: PickState, look = LOOK) => draw(state, look).lines.join("\n");
const typed = (state: PickState, text: string) => press(state, { name: "text", text }) as PickState;

describe("the picture of the picker", () => {
  const all = candidates(
    { name: "Fix cart rounding", project: "shop" },
    { name: "Move to pnpm", project: "infra", agent: "codex" },
  );

  it("shows name, project, agent and time of each session, and marks the selected one", () => {
    const lines = draw(startPicking(all, { width: 80, height: 8 }), LOOK).lines;
    expect(lines[0]).toMatch(/^Search: name, project, or what was said +2 of 2$/);
    expect(lines[2]).toMatch(/^▸ Fix cart rounding +shop +claude-code +just now *$/);
    expect(lines[3]).toMatch(/^ {2}Move to pnpm +infra +codex +1 h ago *$/);
    expect(lines.at(-1)).toContain("Enter resume");
  });

  it("has the preview beside the list in a wide terminal, instead of it in a narrow one", () => {
    const wide = screen(startPicking(all, { width: 120, height: 24 }));
    for (const text of [
      "Last prompts",
      "Round prices half to even",
      "Files",
      "src/cart.ts",
      "read docs/money.md",
      "~/shop",
    ])
      expect(wide).toContain(text);
    expect(wide).toMatch(/Fix cart rounding .* │ Fix cart rounding/);
    const narrow = startPicking(all, { width: 60, height: 24 });
    expect(screen(narrow)).not.toContain("Last prompts");
    const opened = screen(press(narrow, { name: "tab" }) as PickState);
    expect(opened).toContain("Last prompts");
    expect(opened).not.toContain("Move to pnpm");
    expect(opened).toContain("Tab back to the list");
  });

  it("says so when nothing fits, shows the message instead of the keys, and that a transcript is gone", () => {
    for (const width of [60, 100]) {
      const none = screen(typed(startPicking(all, { width, height: 8 }), "giraffe"));
      expect(none).toContain("Searching what was said");
      const answered = offer(typed(startPicking(all, { width, height: 8 }), "giraffe"), "giraffe", []);
      expect(screen(answered)).toContain("No session has this in its name or its text.");
    }
    expect(screen({ ...startPicking(all, { width: 60, height: 8 }), message: "Not this one" })).toContain(
      "Not this one",
    );
    const gone = startPicking([candidate({ name: "Old", isGone: true })], { width: 120, height: 8 });
    expect(screen(gone)).toContain("Its agent has deleted the transcript.");
  });

  it("has a heading above sessions that only the index finds, wherever the list is scrolled to", () => {
    const many = candidates("Fix cart rounding", ...Array.from({ length: 8 }, (_, at) => `Session ${at}`));
    const found = many.slice(1).map(({ session }) => session);
    const state = offer(typed(startPicking(many, { width: 60, height: 8 }), "cart"), "cart", found);
    const lines = draw(state, LOOK).lines;
    expect(lines[2]).toContain("▸ Fix cart rounding");
    expect(lines[3]).toBe("  Found by what was said, or by meaning:");
    expect(lines[4]).toContain("Session 0");
    let now = state;
    for (let at = 1; at < many.length; at++) {
      now = press(now, { name: "down" }) as PickState;
      const drawn = draw(now, LOOK).lines;
      expect(drawn).toHaveLength(8);
      expect(drawn.slice(2, 7).join("\n")).toContain(`▸ Session ${at - 1} `);
    }
  });

  it("highlights what matches, and uses only ASCII where a terminal has nothing else", () => {
    const state = typed(startPicking(all, { width: 60, height: 8 }), "cart");
    const painted = screen(state, lookWith(true));
    const paint = paintFor({ hasColour: true });
    expect(painted).toContain(paint("bold", paint("yellow", "cart")));
    const long = startPicking([candidate({ name: "Very long ".repeat(20) })], { width: 120, height: 8 });
    expect(screen(long, lookWith(false, false))).toMatch(/^[\x20-\x7e\n]*$/);
  });

  it("fits every terminal, whatever the names are", () => {
    const name = fc.oneof(
      fc.string({ unit: "grapheme", maxLength: 80 }),
      fc.string({ unit: "binary", maxLength: 40 }),
      fc.constant("日本語🎉".repeat(40)),
      fc.constant("evil\u001b[2J\nname\u202e"),
    );
    fc.assert(
      fc.property(
        fc.array(name, { maxLength: 12 }),
        fc.integer({ min: 20, max: 200 }),
        fc.integer({ min: 1, max: 30 }),
        fc.string({ unit: "grapheme", maxLength: 60 }),
        fc.boolean(),
        (names, width, height, query, isOpen) => {
          const given = names.map((one) => ({ name: one, project: one }));
          const state = {
            ...typed(startPicking(candidates(...given), { width, height }), query),
            preview: isOpen,
          };
          const { lines, cursor } = draw(state, lookWith(true));
          expect(lines).toHaveLength(height === 1 ? 1 : height === 2 ? 2 : Math.max(3, height));
          for (const line of lines) {
            expect(widthOf(line)).toBeLessThan(width);
            expect(unpainted(line)).not.toMatch(/\p{Cc}/u);
          }
          expect(cursor.column).toBeLessThan(width);
        },
      ),
      { numRuns: 40 },
    );
  });
});
