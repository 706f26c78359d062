import { describe, expect, it } from "vitest";
import { personsWork } from "../../../src/web/page/applets/persons-work.ts";

const act = { isTrusted: true, ctrlKey: false, metaKey: false, altKey: false };
const within = (...selectors: string[]) => ({ closest: (one: string) => selectors.includes(one) || null });
const OPENED = '["search","q=from a link"]';

describe("the state of an applet that an address opened", () => {
  it("is nobody's work until a person does something in the applet", () => {
    const work = personsWork(OPENED);
    expect(work.isTheirs(OPENED)).toBe(false);
    work.acted(within(".applet"), { ...act, key: "a" });
    expect(work.isTheirs(OPENED)).toBe(true);
  });

  it("is a person's work once it is another one", () => {
    expect(personsWork(OPENED).isTheirs('["search","q=own words"]')).toBe(true);
    expect(personsWork(undefined).isTheirs(OPENED)).toBe(true);
  });

  it("is not made theirs by closing it, by the keys that close a tab, by a script, or elsewhere in the page", () => {
    const work = personsWork(OPENED);
    work.acted(within(".applet", ".applet-head"), act);
    work.acted(within(".applet"), { ...act, key: "w", ctrlKey: true });
    work.acted(within(".applet"), { ...act, key: "Control" });
    work.acted(within(".applet"), { ...act, isTrusted: false });
    work.acted(within("main"), act);
    work.acted(undefined, act);
    expect(work.isTheirs(OPENED)).toBe(false);
  });
});
