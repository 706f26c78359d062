import type { Area } from "../web.ts";

export const overview: Area = {
  name: "overview",
  routes() {
    // Filled in by its own commits.
  },
};
