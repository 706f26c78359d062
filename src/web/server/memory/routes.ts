import type { Area } from "../web.ts";

export const memory: Area = {
  name: "memory",
  routes() {
    // Filled in by its own commits.
  },
};
