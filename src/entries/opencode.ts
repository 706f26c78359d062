import { createPlugin } from "../hosts/opencode/plugin.ts";
import { loadParts } from "./parts.ts";

/** The only export: OpenCode calls every function that a plugin's file exports. */
export default createPlugin(loadParts);
