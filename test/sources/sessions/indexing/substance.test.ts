import { describe, expect, it } from "vitest";
import { isSilent, saysNothing } from "../../../../src/sources/sessions/indexing/substance.ts";

const session = (prompts: number, passages = prompts * 2) => ({
  counts: { turns: passages, prompts, passages, compactions: 0 },
});

describe("a request", () => {
  it.each([
    "hi",
    "Hello there!",
    "test",
    "ok",
    "yes please",
    "/clear",
    "thanks, great",
    "1",
    "who are you?",
    " ",
    "continue",
  ])("says nothing about the work: %j", (text) => expect(saysNothing(text)).toBe(true));

  it.each([
    "lint",
    "push",
    "fix the login",
    "/review the cart",
    "why?!",
    "修复登录",
    "test the cart",
    "```\npanic: nil map\n```",
  ])("says something: %j", (text) => expect(saysNothing(text)).toBe(false));
});

describe("a session", () => {
  it("is silent if nobody asked anything or it has no text", () => {
    expect(isSilent(session(0, 3))).toBe(true);
    expect(isSilent(session(1, 0))).toBe(true);
    expect(isSilent(session(1))).toBe(false);
  });
});
