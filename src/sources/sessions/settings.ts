import type { Schema } from "../../store/settings.ts";

export const SESSIONS_SETTINGS = {
  index: {
    kind: "switch",
    default: true,
    help: "false keeps hooks from indexing sessions; continuo sessions index still does",
  },
  keep: {
    kind: "switch",
    default: true,
    help: "false takes sessions out of the index when their host has deleted them",
  },
} as const satisfies Schema;
