import type { Area } from "../web.ts";

export const inbox: Area = {
  name: "inbox",
  routes() {
    // Filled in by its own commits.
  },
};
