import type { SourceModule } from "../../moments/ports/source.ts";
import { sessions as source } from "./ports/source.ts";

/** Everything that the sessions source offers. */
export const sessions: SourceModule = {
  source,
  actions: async () => [(await import("./actions/index.ts")).SESSIONS],
  hasNoActionTools: true,
  tools: async () => (await import("./ports/declarations.ts")).SESSION_TOOLS,
  prompts: async () => (await import("./ports/declarations.ts")).SESSION_PROMPTS,
  resources: async () => (await import("./ports/declarations.ts")).SESSION_RESOURCES,
  offer: async () => (await import("./ports/offer.ts")).sessionsOffer,
  finder: async () => (await import("./ports/declarations.ts")).sessionsFinder,
};
