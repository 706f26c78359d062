import type { Area } from "../web.ts";

export const sessions: Area = {
  name: "sessions",
  routes() {
    // Filled in by its own commits.
  },
};
