import { typed } from "../../base/settings.ts";
import type { Offer } from "../../moments/ports/offer.ts";
import { MEMORY_SETTINGS } from "./settings.ts";

/** While the agent rests. A note takes a model a tenth of a second and more, and a host with a screen must stay quick. */
const SLICE_MS = 2_000;

export const memoryOffer: Offer = {
  source: "memory",
  jobs: [
    {
      name: "vectors of notes",
      at: "idle",
      run: async ({ home, env, settings, now }, { signal }) => {
        if (typed(MEMORY_SETTINGS, settings).semantic === "off") return;
        const { openMemory } = await import("./memory.ts");
        const memory = openMemory({ home, env, settings, now: () => now, signal, maySearchByMeaning: true });
        try {
          await memory.embed({ sliceMs: SLICE_MS, signal });
        } finally {
          memory.close();
        }
      },
    },
  ],
};
