import type { SourceModule } from "../../moments/ports/source.ts";
import { memory as source } from "./ports/source.ts";

/** Everything that the notes source offers. */
export const memory: SourceModule = {
  source,
  async actions() {
    const { NOTE_ACTIONS } = await import("./actions/index.ts");
    return Promise.all(Object.values(NOTE_ACTIONS).map((load) => load()));
  },
  hasNoActionTools: true,
  tools: async (finders) => (await import("./ports/tools.ts")).memoryTools(finders),
  resources: async () => (await import("./ports/tools.ts")).MEMORY_RESOURCES,
  offer: async () => (await import("./ports/source.ts")).memoryOffer,
};
