import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Budget } from "../../src/compose/budget.ts";
import { type Composition, compose } from "../../src/compose/compose.ts";
import { headOf, type Room, sizeOf } from "../../src/compose/room.ts";
import type { Section } from "../../src/compose/section.ts";
import { splitInjected } from "../../src/compose/strip.ts";
import { countTokens } from "../../src/compose/tokens.ts";
import { item, section } from "../support/world.ts";

const WIDE = { limit: 100_000, aim: 600 };
const CHARACTERS: Room = { most: 9500, unit: "characters" };

/** Every item's text, reassembled from the parts. */
function shown(made: Composition): Map<string, string> {
  const texts = new Map<string, string>();
  for (const { text } of made.parts) {
    for (const [, name = "", body = ""] of text.matchAll(
      /<continuo-item name="([^"]*)"(?: part="\d+ of \d+")?>\n([\s\S]*?)\n<\/continuo-item>/g,
    ))
      texts.set(name, `${texts.get(name) ?? ""}${body}\n`);
    // Lines have no names: all of a section's count as one text.
    for (const [, title = "", body = ""] of text.matchAll(/^## (.*)\n.*\n((?:- .*\n)+)(?=[<#])/gm))
      texts.set(title, (texts.get(title) ?? "") + body.replace(/^- (\(part \d+ of \d+\) )?/gm, ""));
  }
  return texts;
}

const squeezed = (text: string) => text.replace(/\s/g, "");

describe("a block that is longer than one output of a host", () => {
  it("is distributed over parts, each a complete block with whole items", () => {
    const rules = Array.from({ length: 30 }, (_, i) =>
      item(`r${10 + i}`, `Rule ${i}. `.padEnd(1000, "word ")),
    );
    const made = compose("snapshot", [section(rules)], { ...WIDE, room: CHARACTERS });
    expect(made.parts).toHaveLength(4);
    expect(made.dropped).toEqual([]);
    for (const [i, part] of made.parts.entries()) {
      expect(part.text.length).toBeLessThanOrEqual(9500);
      expect(part.text.startsWith(`<continuo part="${i + 1} of 4">\n## Rules\n`)).toBe(true);
      expect(part.text.endsWith("\n</continuo>")).toBe(true);
      expect(splitInjected(`a${part.text}b`)).toEqual({ text: "ab", injected: part.text });
    }
    expect(made.parts.flatMap((part) => part.items)).toEqual(made.items);
    expect(made.text.match(/Rule \d+\./g)).toHaveLength(30);
  });

  it("shows an item that is longer than a part in pieces that end with a line, and counts it once", () => {
    const lines = Array.from({ length: 300 }, (_, i) => `${i}. One line of a long instruction, no more.`);
    const made = compose("snapshot", [section([item("big", lines.join("\n")), item("small", "Use pnpm.")])], {
      ...WIDE,
      room: CHARACTERS,
    });
    expect(made.parts).toHaveLength(2);
    expect(made.items.map((one) => one.key)).toEqual(["big", "small"]);
    expect(made.parts.map((part) => part.items.map(({ key, piece }) => [key, piece?.part]))).toEqual([
      [["big", 1]],
      [
        ["big", 2],
        ["small", undefined],
      ],
    ]);
    expect(made.parts[0]?.text).toContain('<continuo-item name="big" part="1 of 2">\n0. One line');
    expect(made.parts[1]?.text).toContain('<continuo-item name="big" part="2 of 2">');
    expect(shown(made).get("big")).toBe(`${lines.join("\n")}\n`);
  });

  it("counts bytes if the host does", () => {
    const rules = Array.from({ length: 13 }, (_, i) =>
      item(`r${i}`, "Пишите тесты раньше кода. ".repeat(40)),
    );
    const room: Room = { most: 9500, unit: "bytes" };
    const made = compose("snapshot", [section(rules)], { ...WIDE, room });
    expect(made.dropped).toEqual([]);
    expect(made.parts.length).toBeGreaterThan(2);
    for (const { text } of made.parts) expect(Buffer.byteLength(text)).toBeLessThanOrEqual(9500);
  });

  it("is one block without a number if it fits", () => {
    const made = compose("snapshot", [section([item("a", "Rule A.")])], { ...WIDE, room: CHARACTERS });
    expect(made.parts.map((part) => part.text)).toEqual([made.text]);
    expect(made.text.startsWith("<continuo>\n")).toBe(true);
  });
});

const anyText = fc.oneof(
  { weight: 4, arbitrary: fc.string({ maxLength: 80 }) },
  { weight: 1, arbitrary: fc.constant("") },
  { weight: 1, arbitrary: fc.constant("word ".repeat(3000)) },
  { weight: 1, arbitrary: fc.constant("строка правил\n".repeat(60)) },
  { weight: 1, arbitrary: fc.constant("規則を守る。".repeat(90)) },
  { weight: 1, arbitrary: fc.constant("👩‍👩‍👧🧵".repeat(200)) },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 300 }) },
  { weight: 1, arbitrary: fc.constant('</continuo-item></continuo>\n<continuo part="1 of 9">') },
);
const anySections = fc
  .array(
    fc.record({
      essential: fc.boolean(),
      priority: fc.integer({ min: 0, max: 3 }),
      isList: fc.boolean(),
      texts: fc.array(fc.record({ text: anyText, priority: fc.integer({ min: -3, max: 3 }) }), {
        maxLength: 7,
      }),
    }),
    { maxLength: 3 },
  )
  .map((raw) =>
    raw.map(({ essential, priority, isList, texts }, at) =>
      section(
        texts.map(({ text, priority: own }, i) => item(`${at}-${i}`, text, { priority: own })),
        { title: `S${at}`, essential, priority, ...(isList && { layout: "lines" as const }) },
      ),
    ),
  );
const anyBudget: fc.Arbitrary<Budget> = fc
  .record({
    limit: fc.oneof(fc.integer({ min: 0, max: 900 }), fc.integer({ min: 0, max: 12_000 })),
    aim: fc.integer({ min: 0, max: 1200 }),
    essential: fc.option(fc.integer({ min: 0, max: 5000 }), { nil: undefined }),
    others: fc.option(fc.integer({ min: 0, max: 3000 }), { nil: undefined }),
    room: fc.option(
      fc.record({
        most: fc.oneof(fc.integer({ min: 0, max: 700 }), fc.integer({ min: 0, max: 10_000 })),
        unit: fc.constantFrom("characters" as const, "bytes" as const),
        parts: fc.option(fc.integer({ min: 1, max: 5 }), { nil: undefined }),
      }),
      { nil: undefined },
    ),
  })
  .map(({ essential, others, room, ...rest }) => ({
    ...rest,
    ...(essential === undefined ? {} : { essential }),
    ...(others === undefined ? {} : { others }),
    ...(room === undefined
      ? {}
      : {
          room: {
            most: room.most,
            unit: room.unit,
            ...(room.parts === undefined ? {} : { parts: room.parts }),
          },
        }),
  }));

describe("compose, for any sections and any limits", () => {
  const keep = (sections: readonly Section[], keys: ReadonlySet<string>): Section[] =>
    sections.map((one) => ({ ...one, items: one.items.filter(({ key }) => keys.has(key)) }));

  it("leaves out no item that would fit beside the chosen ones", () => {
    fc.assert(
      fc.property(anySections, anyBudget, (sections, budget) => {
        const made = compose("snapshot", sections, budget);
        const kept = new Set(made.items.map((one) => one.key));
        const isNoted = made.text.includes("left out for lack of room");
        for (const { key } of made.dropped) {
          const others = made.dropped.length - 1;
          const note = `${others} left out for lack of room. "continuo start" lists them.`;
          const notes = isNoted && others > 0 ? [note] : [];
          // The block with this item and with the shortest note about the others, composed separately.
          const alone = compose("snapshot", keep(sections, new Set(kept).add(key)), budget, notes);
          const isWhole = alone.dropped.length === 0 && notes.every((one) => alone.text.includes(one));
          expect(isWhole, `${key} would have fitted`).toBe(false);
        }
      }),
      { numRuns: 300 },
    );
  });

  it("stays within every limit and shows every item that it keeps whole", () => {
    fc.assert(
      fc.property(anySections, anyBudget, (sections, budget) => {
        const made = compose("snapshot", sections, budget);
        for (const { text, tokens } of made.parts) expect(countTokens(text)).toBeLessThanOrEqual(tokens);
        expect(made.tokens).toBeLessThanOrEqual(budget.limit);
        expect(made.items.length + made.dropped.length).toBe(sections.flatMap((one) => one.items).length);
        const { room } = budget;
        if (room !== undefined) {
          expect(made.parts.length).toBeLessThanOrEqual(room.parts ?? 99);
          for (const { text } of made.parts) expect(sizeOf(text, room)).toBeLessThanOrEqual(room.most);
        }
        for (const { text } of made.parts) {
          expect(text.match(/<continuo[ >]/g)).toHaveLength(1);
          expect(text.match(/<\/continuo>/g)).toHaveLength(1);
        }
        const free = compose("snapshot", keep(sections, new Set(made.items.map((one) => one.key))), {
          limit: 1_000_000,
          aim: 1_000_000,
        });
        const [have, want] = [shown(made), shown(free)];
        expect([...have.keys()].sort()).toEqual([...want.keys()].sort());
        for (const [name, text] of want) expect(squeezed(have.get(name) ?? "")).toBe(squeezed(text));
      }),
      { numRuns: 300 },
    );
  });

  it("cuts a text anywhere but inside a code point", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme", maxLength: 200 }),
        fc.nat(300),
        fc.boolean(),
        (text, most, isBytes) => {
          const room: Room = { most, unit: isBytes ? "bytes" : "characters" };
          const head = headOf(text, most, room);
          expect(sizeOf(head, room)).toBeLessThanOrEqual(most);
          expect(text.startsWith(head)).toBe(true);
          expect(head.isWellFormed()).toBe(true);
        },
      ),
    );
  });
});
