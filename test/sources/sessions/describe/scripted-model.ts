import type { LanguageModel, ModelRequest } from "../../../../src/models/language-model.ts";

export const CARD = {
  name: "Round prices half to even",
  description: "Prices were off by a cent. They are now rounded half to even.",
  summary: "## Goal\nFix the rounding.\n\n## Key decisions\nHalf to even.\n\n## Outcome\nDone.",
  tags: ["rounding", "prices", "ticket:SHOP-123"],
};

export const card = (more: object = {}): string => JSON.stringify({ ...CARD, ...more });

/** A model that gives these answers in turn and repeats the last one; an error is thrown. */
export function scripted(...answers: readonly (string | Error)[]) {
  const requests: ModelRequest[] = [];
  const model: LanguageModel = {
    key: "fake/model",
    async complete(request) {
      const answer = answers[Math.min(requests.length, answers.length - 1)] ?? card();
      requests.push(request);
      if (answer instanceof Error) throw answer;
      return { text: answer, usage: { input: 1000, output: 50, costUsd: 0.001 } };
    },
  };
  return { model, requests };
}
