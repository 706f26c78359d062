import type { ResourceDefinition } from "../../moments/ports/resource.ts";

// Read when first asked for: a server is started with every session, and few ask for rules.
const rulesNow = () => import("./rule-status.ts");

export const RULE_RESOURCES: readonly ResourceDefinition[] = [
  {
    uriTemplate: "rules://{name}",
    name: "rule",
    description: "A rule's text, and why it applies to this session or does not",
    mimeType: "text/markdown",
    async read({ name = "" }, call) {
      const { describeRule, isCalled, rulesNow: judge } = await rulesNow();
      const found = (await judge(call)).filter((one) => isCalled(name, one));
      return found.length === 0 ? undefined : found.map(describeRule).join("\n\n");
    },
    async list(call) {
      const names = new Map(
        (await (await rulesNow()).rulesNow(call)).map(({ rule, active, because }) => [
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
    complete: async (_variable, typed, call) => (await rulesNow()).namesLike(typed, call),
  },
];
