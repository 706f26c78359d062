import { expect, it } from "vitest";
import { shortIds } from "../../../../src/sources/sessions/actions/shown.ts";

const short = (...ids: string[]) => [...shortIds(ids).values()];

it("an id with a unique beginning is shortened to eight characters", () => {
  expect(short("11111111-aaaa", "22222222-bbbb")).toEqual(["11111111", "22222222"]);
  expect(short("abc")).toEqual(["abc"]);
});

it("ids with the same beginning, such as those of one minute, are shortened to where they differ, in any case", () => {
  expect(short("01a1df34-a408-71f0", "01a1df34-a509-71f0", "01a1df36-96f1")).toEqual([
    "01a1df34-a4",
    "01a1df34-a5",
    "01a1df36",
  ]);
  expect(short("ses_e20cbb746ffeYr", "ses_E20CBB746ffeXr")).toEqual([
    "ses_E20CBB746ffeX",
    "ses_e20cbb746ffeY",
  ]);
});

it("an id that is the beginning of another is shown in full, and an id that two hosts have counts once", () => {
  expect(short("agent-12", "agent-1234")).toEqual(["agent-12", "agent-123"]);
  expect(short("11111111-aaaa", "11111111-aaaa")).toEqual(["11111111"]);
});
