import fc from "fast-check";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, it } from "vitest";
import { localTime } from "../../../../src/base/when.ts";
import { itemText, renderItem, renderSection } from "../../../../src/compose/render.ts";
import type { Section } from "../../../../src/compose/section.ts";
import {
  type LastSession,
  lastSessionsLines,
  MOST_TOKENS,
} from "../../../../src/sources/sessions/left-off/lines.ts";
import { resolve } from "../../../../src/sources/sessions/references/resolve.ts";
import { readReference } from "../../../../src/sources/sessions/references.ts";
import { type Standing, standingOf } from "../../../../src/sources/sessions/standing/standing.ts";
import type { DoneCall, Step } from "../../../../src/sources/sessions/standing/steps.ts";

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

const user = (text: string): Step => ({ by: "user", text });
const agent = (text: string): Step => ({ by: "agent", text });
const ran = (command: string, output: string, failed = false): Step => ({
  by: "calls",
  text: "",
  calls: [{ tool: "Bash", input: {}, command, edits: false, failed, output }],
});
const edited: Step = {
  by: "calls",
  text: "",
  calls: [{ tool: "Edit", input: {}, edits: true, failed: false, output: "" }],
};

function standing(...steps: Step[]): Standing {
  const made = standingOf({ steps, edited: ["src/cart.ts"], isWhole: true });
  if (made === undefined) throw new Error("it is trivial");
  return made;
}

const session = (more: Partial<LastSession>): LastSession => ({
  ...{ host: "claude-code", id: "3f2b1c9e-1f0a-4c7e-9d55-0a1b2c3d4e5f", at: NOW - 7_200_000 },
  name: "Fix the rounding",
  standing: standing(agent("A result that says something.")),
  ...more,
});

const textsOf = (...given: Parameters<typeof lastSessionsLines>) =>
  lastSessionsLines(...given).map(({ text }) => text);

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
  it("costs at most 300 tokens with its frame, 185 without what is spare, whatever was said, run and edited", () => {
    const call: fc.Arbitrary<DoneCall> = fc.record({
      tool: fc.constantFrom("Bash", "TodoWrite", "ExitPlanMode", "TaskCreate"),
      input: fc.oneof(
        fc.constant({}),
        fc.record({
          todos: fc.array(fc.record({ content: text, status: fc.constantFrom("pending", "completed") })),
        }),
        text.map((plan) => ({ plan: `# ${plan}` })),
      ),
      command: fc.oneof(
        fc.constantFrom("npm test", "git commit -m x", "git push", "tsc", "eslint ."),
        text.map((one) => `npm test ${one}`),
      ),
      edits: fc.boolean(),
      failed: fc.option(fc.boolean(), { nil: undefined }),
      output: fc.oneof(
        text,
        text.map((one) => `[${one.slice(0, 9)} 1a2b3c4] ${one}`),
        fc.constant("Tests  2 failed | 40 passed"),
      ),
    });
    const cue = fc.constantFrom(
      "",
      "The root cause is ",
      "Decided: we will use ",
      "Still open: ",
      "## Next steps\n- ",
    );
    const step: fc.Arbitrary<Step> = fc.record({
      by: fc.constantFrom("user" as const, "agent" as const, "calls" as const, "summary" as const),
      text: fc.tuple(cue, text).map(([before, one]) => before + one),
      calls: fc.array(call, { maxLength: 3 }),
    });
    const one = fc.record({
      host: fc.constantFrom("claude-code", "opencode", "pi", "copilot", "codex", "gemini"),
      id: fc.oneof(fc.uuid(), text),
      name: text,
      at: fc.integer({ min: 0, max: NOW }),
      standing: fc
        .array(step, { maxLength: 20 })
        .map((steps) =>
          standing(...steps.map((each) => ({ ...each, calls: each.by === "calls" ? each.calls : [] }))),
        ),
    });
    let most = 0;
    fc.assert(
      fc.property(
        fc.array(one, { minLength: 1, maxLength: 3 }),
        fc.array(text, { maxLength: 20 }),
        (list, files) => {
          const lines = lastSessionsLines(list, files, NOW);
          const all = rendered(lines.map((line) => line.text));
          const kept = rendered(lines.filter(({ isSpare }) => isSpare !== true).map((line) => line.text));
          most = Math.max(most, encode(all).length);
          expect(encode(all).length).toBeLessThanOrEqual(MOST_TOKENS.all);
          expect(encode(kept).length).toBeLessThanOrEqual(MOST_TOKENS.kept);
          for (const line of lines) expect(line.text).not.toContain("\n");
        },
      ),
      { numRuns: 600 },
    );
    expect(most).toBeGreaterThan(200); // the room is used
  });

  it("tells of the first one what was asked, how it stands, what is open, why and what was decided, and names the others", () => {
    const made = lastSessionsLines(
      [
        session({
          name: "Fix rounding of cart totals",
          standing: standing(
            user("round half to even, Jonas agreed"),
            agent("The root cause is that `roundCents` runs before the discount is subtracted."),
            edited,
            ran("cd shop && npm test 2>&1 | tail -5", "Tests  1 failed | 40 passed"),
            ran("git commit -am x", "[rounding 1a2b3c4d] Round half to even"),
            agent("Totals are rounded half to even per line item. `test_refund` still fails."),
            user("let's use Decimal instead of float for refunds, and add a test for them"),
          ),
        }),
        session({ name: "Move the build to pnpm", host: "codex" }),
        session({ name: "Retry failed webhooks", host: "opencode" }),
      ],
      ["src/cart.ts"],
      NOW,
    );
    const day = localTime(NOW - 7_200_000).slice(0, 10);
    expect(made.map(({ text }) => text)).toEqual([
      `${day} claude-code "Fix rounding of cart totals". asked last, not answered: let's use Decimal instead of float for refunds, and add a test for them`,
      'state: tests failed (`npm test`: 1 failed, 40 passed); committed "Round half to even" (1a2b3c4 on rounding), no push seen; uncommitted: cart.ts',
      "said: `test_refund` still fails.",
      "cause: The root cause is that `roundCents` runs before the discount is subtracted.",
      "said: Totals are rounded half to even per line item.",
      "goal: round half to even, Jonas agreed",
      `${day} codex "Move the build to pnpm"`,
      `${day} opencode "Retry failed webhooks"`,
    ]);
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
      const written = / claude-code ("[^"]+"|\S+)/.exec(textsOf([one], [], NOW)[0] ?? "")?.[1] ?? "";
      const found = resolve(readReference(`@@${written}`) ?? { name: "" }, nameable, {});
      expect(found).toMatchObject({ kind: "found", session: { id: one.id } });
    }
  });
});
