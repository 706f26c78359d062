import type { Area } from "../web.ts";

export const cards: Area = {
  name: "cards",
  routes() {
    // Filled in by its own commits.
  },
};
