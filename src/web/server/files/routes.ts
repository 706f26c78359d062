import type { Area } from "../web.ts";

export const files: Area = {
  name: "files",
  routes() {
    // Filled in by its own commits.
  },
};
