import type { SourceModule } from "../../moments/ports/source.ts";
import { rules as source } from "./source.ts";

/** Everything that rules offers. */
export const rules: SourceModule = {
  source,
  actions: async () => (await import("./actions/index.ts")).RULE_GROUPS,
  hasNoActionTools: true,
  prompts: async () => (await import("./mcp.ts")).RULE_PROMPTS,
  resources: async () => (await import("./mcp.ts")).RULE_RESOURCES,
  suggestions: async () => (await import("./drafts/suggestions.ts")).checkSuggestions,
  offer: async () => (await import("./source.ts")).rulesOffer,
};
