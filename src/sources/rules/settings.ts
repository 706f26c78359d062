import type { Schema } from "../../base/settings.ts";
import { FOLDER_SETTINGS } from "./files/folders.ts";

export const RULES_SETTINGS = {
  ...FOLDER_SETTINGS,
  drafts: {
    kind: "choice",
    default: "on",
    choices: ["on", "off"],
    help: "on: suggest checks from what you and your rules forbid, when a session goes idle or ends",
  },
} as const satisfies Schema;
