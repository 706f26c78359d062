import type { Offer } from "../../moments/ports/offer.ts";
import { readCatalog } from "./catalog/catalog.ts";

export const rulesOffer: Offer = {
  source: "rules",
  jobs: [
    {
      name: "rules read ahead",
      at: "idle",
      // Rule files that were changed since are read while the agent rests: the next prompt finds them in the cache.
      run: async ({ project, home, env, settings, session, now }) => {
        await readCatalog({
          root: project.root,
          home: home.root,
          env,
          settings,
          host: session.host,
          readOnly: false,
          now,
        });
      },
    },
  ],
};
