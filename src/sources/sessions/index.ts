import type { SourceModule } from "../../moments/ports/source-module.ts";
import { sessions as source } from "./source.ts";

/** Everything that sessions offers. */
export const sessions: SourceModule = {
  source,
  tools: async () => (await import("./tools.ts")).SESSION_TOOLS,
  prompts: async () => (await import("./prompts.ts")).SESSION_PROMPTS,
  resources: async () => (await import("./resources.ts")).SESSION_RESOURCES,
  offer: async () => (await import("./offer.ts")).sessionsOffer,
  finder: async () => (await import("./finder.ts")).sessionsFinder,
};
