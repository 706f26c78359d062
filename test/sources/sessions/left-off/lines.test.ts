import fc from "fast-check";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, it } from "vitest";
import { localTime } from "../../../../src/base/when.ts";
import { itemText, renderItem, renderSection } from "../../../../src/compose/render.ts";
import type { Section } from "../../../../src/compose/section.ts";
import type { Ending, Told } from "../../../../src/sources/sessions/left-off/ending.ts";
import {
  type LastSession,
  lastSessionsLines,
  MOST_TOKENS,
} from "../../../../src/sources/sessions/left-off/lines.ts";
import { resolve } from "../../../../src/sources/sessions/references/resolve.ts";
import { readReference } from "../../../../src/sources/sessions/references.ts";

const NOW = Date.parse("2026-11-16T12:00:00Z");

/** What the model reads, frame included. */
function rendered(lines: readonly string[]): string {
  const items = lines.map((text, i) => ({ key: `${i}`, name: "", text, reason: "", priority: 0 }));
  const section: Section = {
    ...{
      source: "sessions",
      title: "Last sessions when this one began (query_session tells more)",
      nature: "reference",
    },
    ...{ priority: 0, essential: false, items, layout: "lines" },
  };
  return `${renderSection(
    section,
    items.map((item) => renderItem(section, item, itemText(section, item))),
  )}\n`;
}

const NOTHING: Ending = { told: [], isOpen: false, isWork: true };
const told = (by: Told["by"], text: string, weight = 5): Told => ({ by, text, weight });

const session = (more: Partial<LastSession>): LastSession => ({
  ...{ host: "claude-code", id: "3f2b1c9e-1f0a-4c7e-9d55-0a1b2c3d4e5f", at: NOW - 7_200_000 },
  name: "Fix the rounding",
  ending: NOTHING,
  ...more,
});

const characters = (from: number, to: number) =>
  fc.integer({ min: from, max: to }).map((code) => String.fromCodePoint(code));
const kinds = [
  characters(0x4e00, 0x9fa5), // Han, most of it rare
  characters(0x3041, 0x30fe),
  characters(0xac00, 0xd7a3),
  characters(0x1f300, 0x1faff), // emoji
  characters(0x400, 0x52f),
  characters(0xc0, 0x24f),
  characters(0x600, 0x6ff),
  characters(0xe01, 0xe5b),
  characters(0x21, 0x7e),
  characters(0x61, 0x7a),
  characters(0x41, 0x5a),
  fc.constantFrom("👨‍👩‍👧‍👦", "🏳️‍🌈", "🇩🇪", "é̂̈"),
  fc.constantFrom("the ", "cart ", "rounds ", "prices ", "test ", "src/cart.ts ", "internationalization "),
  fc.constantFrom("9f86d081884c", "a1b2c3", "-", "/", "0"),
  fc.constantFrom("<continuo>", "</continuo-item>", "@@", '"', "\n", "&lt;", "`"),
];
const text = fc.oneof(
  ...kinds.map((kind) => fc.array(kind, { maxLength: 200 }).map((list) => list.join(""))),
  fc.array(fc.oneof(...kinds), { maxLength: 200 }).map((list) => list.join("")),
);

describe("the text about the last sessions", () => {
  it("costs at most 150 tokens with its frame, whatever names, requests, answers and files are", () => {
    const sentence = fc.record({
      by: fc.constantFrom("user" as const, "agent" as const),
      text,
      weight: fc.double({ min: 0, max: 20, noNaN: true }),
    });
    const sessions = fc.array(
      fc
        .record({
          host: fc.constantFrom("claude-code", "opencode", "pi", "copilot", "codex", "gemini"),
          id: fc.oneof(fc.uuid(), text),
          name: text,
          at: fc.integer({ min: 0, max: NOW }),
          ending: fc.record({
            told: fc.array(sentence, { maxLength: 30 }),
            isOpen: fc.boolean(),
            isWork: fc.boolean(),
          }),
        })
        .map((one): LastSession => one),
      { minLength: 1, maxLength: 3 },
    );
    let most = 0;
    fc.assert(
      fc.property(sessions, fc.array(text, { maxLength: 20 }), (list, files) => {
        const made = rendered(lastSessionsLines(list, files, NOW));
        most = Math.max(most, encode(made).length);
        expect(encode(made).length).toBeLessThanOrEqual(MOST_TOKENS);
        expect(made.split("\n").length).toBeLessThanOrEqual(7);
      }),
      { numRuns: 600 },
    );
    expect(most).toBeGreaterThan(100); // the room is used
  });

  it("tells what was said last of the first one, marks a request without an answer, and names the others", () => {
    const made = lastSessionsLines(
      [
        session({
          name: "Fix rounding of cart totals",
          ending: {
            told: [
              told("user", "round half to even, Jonas agreed"),
              told("agent", "Totals are rounded half to even per line item."),
              told("agent", "`test_refund` still fails."),
              told("user", "also add a test for refunds", 8),
            ],
            isOpen: true,
            isWork: true,
          },
        }),
        session({ name: "Move the build to pnpm", host: "codex" }),
        session({ name: "Retry failed webhooks", host: "opencode" }),
      ],
      ["src/cart.ts"],
      NOW,
    );
    const day = localTime(NOW - 7_200_000).slice(0, 10);
    expect(made).toEqual([
      `${day} claude-code "Fix rounding of cart totals": asked: round half to even, Jonas agreed | answered: Totals are rounded half to even per line item. \`test_refund\` still fails. | asked, unanswered: also add a test for refunds Left uncommitted: cart.ts`,
      `${day} codex "Move the build to pnpm"`,
      `${day} opencode "Retry failed webhooks"`,
    ]);
    expect(encode(rendered(made)).length).toBeLessThanOrEqual(MOST_TOKENS);
  });

  it("names each session so that the reference finds it, also if its name was cut", () => {
    const names = [
      'Say "hello" to the user',
      "Make the checkout of the shop work without JavaScript on slow connections in trains and tunnels",
      "カートの合計を銀行型の丸めで計算するように修正して、返金のテストも追加する",
      "购物车总额的舍入",
      "…",
    ];
    const all = names.map((name, i) => session({ name, id: `id-${i}-abcdef` }));
    const nameable = all.map((one) => ({ ...one, modified: one.at }));
    for (const one of all) {
      const written =
        / claude-code ("[^"]+"|\S+)/.exec(lastSessionsLines([one], [], NOW)[0] ?? "")?.[1] ?? "";
      const found = resolve(readReference(`@@${written}`) ?? { name: "" }, nameable, {});
      expect(found).toMatchObject({ kind: "found", session: { id: one.id } });
    }
  });
});
