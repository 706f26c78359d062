import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { paintedForTerminal, paintFor, unpainted } from "../../../src/cli/terminal/paint.ts";
import { PLAIN } from "../../../src/cli/terminal/screen.ts";
import { table, widthOf } from "../../../src/cli/terminal/table.ts";

const on = (width: number) => ({ ...PLAIN, width, isTerminal: true, isFitted: true });
const paint = paintFor({ hasColour: true });

/** Cells of people, and of people who want to break the table. */
const cell = fc.oneof(
  fc.constantFrom("", "-", "2 h ago", "claude-code"),
  fc.string({ unit: "grapheme", maxLength: 60 }),
  fc.string({ unit: "binary", maxLength: 60 }),
  fc.constantFrom(
    "東京".repeat(40),
    "🎉👨‍👩‍👧‍👦❤️".repeat(20),
    "x".repeat(10_000),
    "word ".repeat(2000),
    "\u202eevil\u2066 \u001b[2J\r\n\t\u2028FORGED  row",
    "e\u0301\u0301".repeat(50),
  ),
  fc.string({ maxLength: 30 }).map((text) => paint("cyan", text) + text),
);

const anyTable = fc.integer({ min: 1, max: 9 }).chain((columns) =>
  fc.record({
    head: fc.array(fc.string({ maxLength: 12 }), { minLength: columns, maxLength: columns }),
    rows: fc.array(fc.array(cell, { minLength: columns, maxLength: columns }), { maxLength: 8 }),
    width: fc.integer({ min: 40, max: 160 }),
    flexible: fc.integer({ min: 0, max: columns - 1 }),
    optional: fc.subarray([...Array(columns).keys()].slice(1)),
    wraps: fc.subarray([...Array(columns).keys()]),
    keepEnd: fc.subarray([...Array(columns).keys()]),
  }),
);

describe("a table on a terminal", () => {
  it("never has a line that is wider than the screen, as the terminal shows it", () => {
    fc.assert(
      fc.property(anyTable, fc.boolean(), ({ head, rows, width, ...columns }, hasColour) => {
        const printed = table(head, rows, { ...on(width), hasColour }, columns);
        // What a terminal gets: nothing in it may take more columns than were counted.
        const shown = paintedForTerminal(printed).replace(/\u001b\[\d+m/g, "");
        for (const line of shown.split("\n")) expect(widthOf(line)).toBeLessThanOrEqual(width);
        expect(shown).not.toMatch(/[\r\t\u001b\u202e\u2028]/);
      }),
      { numRuns: 300 },
    );
  });

  it("has one line for each row unless a column is wrapped", () => {
    fc.assert(
      fc.property(anyTable, ({ head, rows, width, flexible, optional }) => {
        const lines = table(head, rows, on(width), { flexible, optional }).split("\n");
        expect(lines).toHaveLength(rows.length + 1);
      }),
    );
  });

  it("shows everything if it fits", () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.stringMatching(/^[a-z]{1,9}$/), fc.stringMatching(/^[a-z]{1,9}$/))),
        (rows) => {
          expect(table(["a", "b"], rows, on(60))).toBe(table(["a", "b"], rows));
        },
      ),
    );
  });

  const rows = [
    [
      "retry-webhooks",
      "claude-code",
      "2 h ago",
      "the file src/payments/webhooks.ts was touched by the session",
    ],
    ["tests", "codex", "yesterday", "always"],
  ];
  const head = ["name", "agent", "when", "why"];

  it("cuts the flexible column and keeps the others", () => {
    expect(table(head, rows, on(60), { flexible: 3 })).toBe(
      [
        "  name            agent        when       why",
        "  retry-webhooks  claude-code  2 h ago    the file src/paym…",
        "  tests           codex        yesterday  always",
      ].join("\n"),
    );
  });

  it("leaves out optional columns before the flexible one becomes too narrow", () => {
    expect(table(head, rows, on(50), { flexible: 3, optional: [1] })).toBe(
      [
        "  name            when       why",
        "  retry-webhooks  2 h ago    the file src/payment…",
        "  tests           yesterday  always",
      ].join("\n"),
    );
  });

  it("wraps a column between words inside the column", () => {
    expect(table(head, rows, on(60), { wraps: [3] })).toBe(
      [
        "  name            agent        when       why",
        "  retry-webhooks  claude-code  2 h ago    the file",
        "                                          src/payments/webho",
        "                                          oks.ts was touched",
        "                                          by the session",
        "  tests           codex        yesterday  always",
      ].join("\n"),
    );
  });

  it("keeps the end of a path", () => {
    expect(
      table(["path"], [["/home/sam/projects/shop/.continuo/rules/tests.md"]], on(40), { keepEnd: [0] }),
    ).toBe("  path\n  …rojects/shop/.continuo/rules/tests.md");
  });

  it("cuts with ASCII where only ASCII is sure to be shown", () => {
    expect(table(["n"], [["x".repeat(100)]], { ...on(40), hasUnicode: false })).toBe(
      `  n\n  ${"x".repeat(35)}...`,
    );
  });

  it("closes the colour of a text that it cuts", () => {
    const text = table(["n", "m"], [[paint("red", "x".repeat(100)), "y"]], on(40));
    expect(paintedForTerminal(text)).toContain("…\u001b[0m  y");
  });
});

describe("a table in a file or a pipe", () => {
  it("shows every cell whole, on its line, without colours", () => {
    const long = "x".repeat(10_000);
    const text = table(["n", "m"], [[long, "a\nb"]], PLAIN, { optional: [1], flexible: 0 });
    expect(text.split("\n")).toHaveLength(2);
    expect(text).toContain(`  ${long}  a b`);
    expect(unpainted(text)).toBe(text);
  });
});

it("a column that is both flexible and kept at its end is counted once, so an optional one is left out in time", () => {
  const shown = table(["when", "title", "address"], [["yesterday", "t".repeat(28), "a".repeat(38)]], on(60), {
    flexible: [1, 2],
    keepEnd: [2],
    optional: [2],
  });
  expect(shown).toContain("t".repeat(28));
  expect(shown).not.toContain("address");
});
