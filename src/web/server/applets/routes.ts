import type { Area } from "../web.ts";

export const applets: Area = {
  name: "applets",
  routes() {
    // Filled in by its own commits.
  },
};
