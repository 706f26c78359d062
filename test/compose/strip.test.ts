import { describe, expect, it } from "vitest";
import { splitInjected, stripInjected } from "../../src/compose/strip.ts";
import { cpuSeconds } from "../support/cpu-time.ts";

describe("injected blocks in a text", () => {
  it("are removed and returned separately, each complete, in their order", () => {
    const text = "a<continuo>1</continuo>b<system-reminder x='y'>2</system-reminder>c<continuo-addition>3";
    expect(splitInjected(text)).toEqual({
      text: "abc",
      injected: "<continuo>1</continuo>\n<system-reminder x='y'>2</system-reminder>\n<continuo-addition>3",
    });
    expect(stripInjected(text)).toBe("abc");
  });

  it("are not found if there are none", () => {
    for (const text of ["plain", "a < b", "<continuous>", "<system-reminders>"]) {
      expect(splitInjected(text)).toEqual({ text, injected: "" });
    }
  });

  it("are searched in reasonable time in a long text that only opens them", () => {
    expect(cpuSeconds(() => void stripInjected("<continuo ".repeat(50_000)))).toBeLessThan(5);
  });
});
