import type { PromptDefinition } from "../../moments/ports/prompt.ts";
import type { ResourceDefinition } from "../../moments/ports/resource.ts";

// Loaded on first use: a server is started with every session, and few sessions ask for rules.
const ruleStatus = () => import("./rule-status.ts");

export const RULE_PROMPTS: readonly PromptDefinition[] = [
  {
    name: "why",
    description: "Which rules apply to this session, and why",
    arguments: [{ name: "rule", description: "only this one" }],
    render: async ({ rule }, call) => (await ruleStatus()).whyPrompt(rule, call),
    complete: async (_argument, typed, call) => (await ruleStatus()).namesLike(typed, call),
  },
];

export const RULE_RESOURCES: readonly ResourceDefinition[] = [
  {
    uriTemplate: "rules://{name}",
    name: "rule",
    description: "A rule's text, and why it applies to this session or does not",
    mimeType: "text/markdown",
    authority: "Of this project and its user. Follow it while it is active.",
    async read({ name = "" }, call) {
      const { describeRule, hasName, ruleStatuses } = await ruleStatus();
      const found = (await ruleStatuses(call)).filter((one) => hasName(name, one));
      return found.length === 0 ? undefined : found.map(describeRule).join("\n\n");
    },
    async list(call) {
      const names = new Map(
        (await (await ruleStatus()).ruleStatuses(call)).map(({ rule, active, because }) => [
          rule.name,
          `${active ? "active" : "not active"}: ${because}`,
        ]),
      );
      return [...names].map(([name, description]) => ({
        uri: `rules://${encodeURIComponent(name)}`,
        name,
        description,
      }));
    },
    complete: async (_variable, typed, call) => (await ruleStatus()).namesLike(typed, call),
  },
];
