import { quote, quotedBlock } from "../compose/escape.ts";
import type { ToolDefinition } from "./ports/tool.ts";

/**
 * Every tool goes through here before a host sees it: what it answers can neither close nor imitate a frame, and words of
 * others are labelled as quoted data. So no tool can forget it, and no host.
 */
export function quotedTool(tool: ToolDefinition): ToolDefinition {
  return {
    ...tool,
    async run(args, call) {
      const answer = await tool.run(args, call);
      const isLabelled = answer.ok && tool.origin !== null;
      return { ...answer, text: isLabelled ? quotedBlock(tool.origin, answer.text) : quote(answer.text) };
    },
  };
}
