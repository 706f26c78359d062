import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fold, wordsOf } from "../../../../src/cli/commands/sessions/pick-match.ts";
import {
  enrich,
  filtered,
  hasPreview,
  offer,
  type PickState,
  press,
  resize,
  rowsOf,
  startPicking,
  wantsIndex,
} from "../../../../src/cli/commands/sessions/pick-state.ts";
import type { Key, KeyName } from "../../../../src/cli/terminal/keys.ts";
import { candidates } from "./candidates.ts";

const SIZE = { width: 120, height: 10 };
const NAMES = ["Fix cart rounding", "Move to pnpm", "Profile the search", "Cart icons", "Login twice"];
const begun = (size = SIZE) => startPicking(candidates(...NAMES), size);
const text = (typed: string): Key => ({ name: "text", text: typed });
const key = (name: KeyName): Key => ({ name });

/** The state after keys that decide nothing. */
function having(state: PickState, ...keys: (Key | KeyName)[]): PickState {
  return keys.reduce<PickState>((now, one) => {
    const next = press(now, typeof one === "string" ? key(one) : one);
    if ("kind" in next) throw new Error(`decided: ${next.kind}`);
    return next;
  }, state);
}

const shown = (state: PickState) => state.found.map(({ name }) => name);

describe("the state of the picker", () => {
  it("typing filters, the best first, and selects the first; deleting finds more again", () => {
    const state = having(begun(), "down", "down", text("cart"));
    expect(shown(state)).toEqual(["Cart icons", "Fix cart rounding"]);
    expect(state.selected).toBe(0);
    expect(shown(having(state, "backspace", "backspace", "backspace", "backspace"))).toEqual(NAMES);
    expect(shown(having(state, text(" fix")))).toEqual(["Fix cart rounding"]);
    expect(having(state, text(" fix"), "word").query).toBe("cart ");
    expect(having(state, "clear").query).toBe("");
  });

  it("offers what the index finds below the names, unless the query is another by then or many names fit", () => {
    const state = having(begun(), text("cart"));
    expect(wantsIndex(state)).toBe(true);
    const [, pnpm, search, icons] = begun().all.map(({ session }) => session);
    const indexed = [search, icons, pnpm].flatMap((one) => one ?? []);
    const cart = having(state, "down");
    const offered = offer(
      cart,
      "cart",
      [...indexed].map((one) => cart.all.find(({ session }) => session.id === one.id)?.session ?? one),
    );
    expect(shown(offered)).toEqual(["Cart icons", "Fix cart rounding", "Profile the search", "Move to pnpm"]);
    expect(offered).toMatchObject({ selected: 1, extra: 2 });
    expect(wantsIndex(offered)).toBe(false);
    expect(press(having(offered, "end"), key("enter"))).toMatchObject({ session: { name: "Move to pnpm" } });
    expect(shown(enrich(offered, offered.all))).toEqual(shown(offered));
    expect(offer(state, "car", indexed)).toBe(state);
    const longer = having(offered, text(" fix"));
    expect(shown(longer)).toEqual(["Fix cart rounding"]);
    expect(wantsIndex(longer)).toBe(true);
    expect(wantsIndex(having(begun(), text("ca")))).toBe(false);
    const many = startPicking(candidates(...Array.from({ length: 9 }, (_, at) => `Session ${at}`)), SIZE);
    expect(wantsIndex(having(many, text("session")))).toBe(false);
  });

  it("moves within the list, by pages and to its ends", () => {
    expect(having(begun(), "up").selected).toBe(0);
    expect(having(begun(), "down", "down", "up").selected).toBe(1);
    expect(having(begun(), "end", "down").selected).toBe(NAMES.length - 1);
    expect(having(begun(), "end", "home").selected).toBe(0);
    const many = startPicking(candidates(...Array.from({ length: 50 }, (_, at) => `Session ${at}`)), SIZE);
    const paged = having(many, "pagedown", "pagedown");
    expect(paged.selected).toBe(2 * rowsOf(many));
    expect(having(paged, "pageup", "pageup", "pageup").selected).toBe(0);
  });

  it("Enter chooses what is selected; with nothing found it does nothing", () => {
    expect(press(having(begun(), "down"), key("enter"))).toMatchObject({
      kind: "chosen",
      session: { name: NAMES[1] },
    });
    const none = having(begun(), text("giraffe"));
    expect(shown(having(none, "enter"))).toEqual([]);
  });

  it("Esc and Ctrl-D leave, Ctrl-C interrupts", () => {
    expect(press(begun(), key("escape"))).toEqual({ kind: "leave" });
    expect(press(begun(), key("eof"))).toEqual({ kind: "leave" });
    expect(press(begun(), key("interrupt"))).toEqual({ kind: "interrupt" });
  });

  it("Tab shows and hides the preview; where there is room it is there at once", () => {
    expect(hasPreview(begun())).toBe(true);
    expect(hasPreview(having(begun(), "tab"))).toBe(false);
    const narrow = begun({ width: 60, height: 10 });
    expect([
      hasPreview(narrow),
      hasPreview(having(narrow, "tab")),
      hasPreview(having(narrow, "tab", "tab")),
    ]).toEqual([false, true, false]);
  });

  it("a preview that was only looked at in a narrow window is beside the list in a wide one", () => {
    const narrow = having(resize(begun(), { width: 60, height: 20 }), "tab", "tab");
    expect(hasPreview(resize(narrow, { width: 120, height: 20 }))).toBe(true);
    const hidden = having(begun(), "tab");
    expect(hasPreview(resize(hidden, { width: 130, height: 20 }))).toBe(false);
  });

  it("a message disappears with the next key", () => {
    expect(having({ ...begun(), message: "no" }, "down").message).toBeUndefined();
  });

  it("what is selected stays selected when prompts are read meanwhile", () => {
    const state = having(begun(), text("cart"), "down");
    const name = state.found[state.selected]?.name;
    const more = state.all.map((one) => ({ ...one, text: { ...one.text, prompts: fold("a cart") } }));
    const later = enrich(state, more);
    expect(later.found[later.selected]?.name).toBe(name);
    expect(later.found.length).toBeGreaterThan(state.found.length);
  });

  const anyKey = fc.oneof(
    fc.constantFrom<Key[]>(
      ...(
        [
          "up",
          "down",
          "home",
          "end",
          "pageup",
          "pagedown",
          "tab",
          "backspace",
          "word",
          "clear",
          "left",
        ] as const
      ).map((name) => key(name)),
    ),
    fc.string({ unit: fc.constantFrom(..."abcdefinoprt  é"), minLength: 1, maxLength: 4 }).map(text),
  );
  const anySize = fc.record({
    width: fc.integer({ min: 1, max: 200 }),
    height: fc.integer({ min: 1, max: 60 }),
  });

  it("whatever is pressed, the selection exists and is on the screen, and every query finds what it finds alone", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(anyKey, anySize), { maxLength: 30 }), anySize, (events, size) => {
        const prompts = ["round half to even", "", "a tip", "frozen cart", "redirect"];
        const all = candidates(...NAMES.map((name, at) => ({ name, prompts: prompts[at] ?? "" })));
        let state = startPicking(all, size);
        for (const event of events) {
          state = "name" in event ? having(state, event) : resize(state, event);
          expect(state.selected).toBeGreaterThanOrEqual(0);
          expect(state.selected).toBeLessThan(Math.max(1, state.found.length));
          expect(state.top).toBeLessThanOrEqual(state.selected);
          expect(state.top + rowsOf(state)).toBeGreaterThan(state.selected);
          expect(state.found).toEqual(filtered(all, wordsOf(state.query)));
        }
      }),
    );
  });
});
