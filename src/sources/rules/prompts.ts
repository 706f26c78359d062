import type { PromptDefinition } from "../../moments/ports/prompt.ts";

const rulesNow = () => import("./rule-status.ts");

export const RULE_PROMPTS: readonly PromptDefinition[] = [
  {
    name: "why",
    description: "Which rules apply to this session, and why",
    arguments: [{ name: "rule", description: "only this one" }],
    render: async ({ rule }, call) => (await rulesNow()).whyPrompt(rule, call),
    complete: async (_argument, typed, call) => (await rulesNow()).namesLike(typed, call),
  },
];
