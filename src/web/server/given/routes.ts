import type { Area } from "../web.ts";

export const given: Area = {
  name: "given",
  routes() {
    // Filled in by its own commits.
  },
};
