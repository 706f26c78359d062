import type { SourceModule } from "../../moments/ports/source-module.ts";
import { memory as source } from "./source.ts";

/** Everything that memory offers. */
export const memory: SourceModule = {
  source,
  tools: async (finders) => (await import("./tools.ts")).memoryTools(finders),
  resources: async () => (await import("./resources.ts")).MEMORY_RESOURCES,
  offer: async () => (await import("./offer.ts")).memoryOffer,
};
