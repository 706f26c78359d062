import type { Schema } from "../../base/settings.ts";
import { FOLDER_SETTINGS } from "./files/folders.ts";

export const RULES_SETTINGS = {
  ...FOLDER_SETTINGS,
  drafts: {
    kind: "choice",
    default: "on",
    choices: ["on", "off"],
    help: "whether what your rules and you forbid becomes suggestions of checks, when a session goes idle or ends",
  },
} as const satisfies Schema;
