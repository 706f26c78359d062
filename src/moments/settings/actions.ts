import { CONFIG_GROUP } from "./config.ts";
import { PROJECT_GROUP } from "./project.ts";

/** What the user says in config.json. */
export const SETTING_GROUPS = [PROJECT_GROUP, CONFIG_GROUP];
