import type { SourceModule } from "../../moments/ports/source.ts";
import { context as source } from "./source.ts";

/** Everything that the sets source offers. */
export const context: SourceModule = {
  source,
  actions: async () => (await import("./actions.ts")).SET_GROUPS,
  hasNoActionTools: true,
  tools: async () => (await import("./tools.ts")).CONTEXT_TOOLS,
  prompts: async () => (await import("./mcp.ts")).CONTEXT_PROMPTS,
  resources: async () => (await import("./mcp.ts")).CONTEXT_RESOURCES,
  offer: async () => (await import("./offer.ts")).contextOffer,
};
