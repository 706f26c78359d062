import { HOOK_TOOL } from "../names.ts";
import type { ListedTool } from "./protocol.ts";

/** What hooks of Claude Code call instead of starting a process. Claude Code shows a tool for apps to no model. */
export const HOOK_TOOL_LISTED: ListedTool = {
  name: HOOK_TOOL,
  description: "Called by Claude Code's hooks.",
  parameters: { type: "object", properties: {} },
  meta: { ui: { visibility: ["app"] } },
};
