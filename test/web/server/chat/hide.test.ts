import { describe, expect, it } from "vitest";
import { hideSecrets } from "../../../../src/web/server/chat/hide.ts";

const state = (text: string) => ({
  id: "1",
  kind: "entry",
  seq: 11,
  isOpen: true,
  none: null,
  entries: [{ key: 1, kind: "user", text }],
});

describe("keys in what the page gets", () => {
  it.each(["1", "x", "null", "id", "true", "entry", "text", '"', "\\"])(
    "that are short words break nothing: %s",
    (key) => {
      const before = state("Answer 1: index, text, null and the entry is true");
      expect(hideSecrets(before, [key])).toEqual(before);
    },
  );

  it("that are short are hidden where they stand alone or authorise", () => {
    expect(hideSecrets(state("local"), ["local"]).entries[0]?.text).toBe("[key]");
    expect(hideSecrets(state("Authorization: Bearer local."), ["local"]).entries[0]?.text).toBe(
      "Authorization: Bearer [key].",
    );
    expect(hideSecrets(state("a local server"), ["local"]).entries[0]?.text).toBe("a local server");
  });

  it("that are long are hidden everywhere in texts, also with quotes, and one inside another", () => {
    const keys = ['sk-"1234567', 'sk-"1234567-longer'];
    expect(hideSecrets(state(`a${keys[0]}b ${keys[1]}`), keys).entries[0]?.text).toBe("a[key]b [key]");
  });

  it("never change the words by which the page works", () => {
    const before = { kind: "piece", status: "working", wireApi: "completions", host: "copilot" };
    expect(hideSecrets(before, Object.values(before))).toEqual(before);
  });
});
