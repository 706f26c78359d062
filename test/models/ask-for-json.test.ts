import { describe, expect, it } from "vitest";
import { type Attempt, askForJson, jsonIn } from "../../src/models/ask-for-json.ts";
import {
  addUsage,
  type LanguageModel,
  type ModelRequest,
  usageText,
} from "../../src/models/language-model.ts";

function scripted(...replies: (string | Error)[]): LanguageModel & { readonly asked: ModelRequest[] } {
  const asked: ModelRequest[] = [];
  return {
    key: "test/m",
    asked,
    async complete(request) {
      asked.push(request);
      const reply = replies[asked.length - 1] ?? "";
      if (reply instanceof Error) throw reply;
      return { text: reply, usage: { input: 10, output: 2, costUsd: 0.001 } };
    },
  };
}

const name = (value: unknown): { name: string } | string => {
  const { name } = value as { name?: unknown };
  return typeof name === "string" ? { name } : "name is missing";
};
const request = { system: "s", prompt: "p", maxTokens: 10, read: name };

describe("asking for JSON", () => {
  it("accepts an answer in fences, with text around it", async () => {
    const model = scripted('Here it is:\n```json\n{"name": "a {b}"}\n```\nBye.');
    expect(await askForJson(model, request)).toEqual({ name: "a {b}" });
    expect(model.asked).toHaveLength(1);
  });

  it("asks at most twice more, each time with the wrong answer and the reason", async () => {
    const model = scripted("no", '{"nam": 1}', '{"name": "x"}');
    const attempts: Attempt[] = [];
    const meant = await askForJson(model, { ...request, onAttempt: (attempt) => attempts.push(attempt) });
    expect(meant).toEqual({ name: "x" });
    expect(model.asked[1]?.prompt).toContain("no JSON object");
    expect(model.asked[2]?.prompt).toContain('name is missing. It was:\n{"nam": 1}');
    expect(attempts.map(({ error }) => error)).toEqual([
      "it is no JSON object",
      "name is missing",
      undefined,
    ]);
  });

  it("gives up after three wrong answers, and at once if a request fails", async () => {
    const wrong = scripted("1", "2", "3", '{"name": "late"}');
    await expect(askForJson(wrong, request)).rejects.toMatchObject({ code: "model-output" });
    expect(wrong.asked).toHaveLength(3);
    const attempts: Attempt[] = [];
    const down = scripted(new Error("refused"), '{"name": "late"}');
    await expect(
      askForJson(down, { ...request, onAttempt: (attempt) => attempts.push(attempt) }),
    ).rejects.toThrow("refused");
    expect(attempts).toEqual([{ model: "test/m", error: "refused" }]);
  });

  it("finds no JSON in text without any", () => {
    for (const text of ["", "}{", "{", "null", "[1]", "{a: 1}"]) expect(jsonIn(text)).toBeUndefined();
  });
});

describe("what a model cost", () => {
  it("is shown in dollars, with more decimals for small amounts, or in tokens if the price is unknown", () => {
    expect(usageText({ input: 1, output: 1, costUsd: 0.0123456 })).toBe("$0.0123");
    expect(usageText({ input: 1, output: 1, costUsd: 0.0012345 })).toBe("$0.001234");
    expect(usageText({ input: 1200, output: 30 })).toBe("1200 tokens read, 30 written");
  });

  it("has no sum if a part of it is unknown", () => {
    const some = { input: 1, output: 2, costUsd: 1 };
    expect(addUsage(some, some)).toEqual({ input: 2, output: 4, costUsd: 2 });
    expect(addUsage(some, { input: 1, output: 1 })).toEqual({ input: 2, output: 3 });
  });
});
