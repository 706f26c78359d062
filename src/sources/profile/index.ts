import type { SourceModule } from "../../moments/ports/source.ts";
import { seed as source } from "./source.ts";

/** Everything that the profile source offers. */
export const seed: SourceModule = {
  source,
  tools: async () => (await import("./tools.ts")).SEED_TOOLS,
  actions: async () => [
    (await import("./actions/index.ts")).SEED_GROUP,
    (await import("./actions/init.ts")).INIT,
  ],
  hasNoActionTools: true,
  suggestions: async () => (await import("./learning/suggestions.ts")).learningSuggestions,
};
