import type { Area } from "../web.ts";

export const rules: Area = {
  name: "rules",
  routes() {
    // Filled in by its own commits.
  },
};
