import type { Area } from "../web.ts";

export const connect: Area = {
  name: "connect",
  routes() {
    // Filled in by its own commits.
  },
};
