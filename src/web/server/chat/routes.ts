import type { Area } from "../web.ts";

export const chat: Area = {
  name: "chat",
  routes() {
    // Filled in by its own commits.
  },
};
