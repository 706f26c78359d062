import type { ToolDefinition } from "../../moments/ports/tool.ts";

export const proposeLearning: ToolDefinition = {
  name: "propose_learning",
  title: "Suggest a learning",
  effect: "adds",
  description: "Suggest a lasting wish of the user; they decide later.",
  parameters: {
    type: "object",
    properties: {
      text: { type: "string", description: "the wish" },
      evidence: { type: "string", description: "their own words, verbatim" },
      scope: { type: "string", description: "where it holds", enum: ["project", "everywhere"] },
    },
    required: ["text", "evidence"],
  },
  origin: null,
  // Without a session there is no transcript, so nothing can be quoted.
  hasUse: ({ namesSession }) => namesSession,
  // Loaded on the first call, because an MCP server is started with every session, and the patterns for wishes are
  // large.
  run: async (args, call) => (await import("./propose-learning.ts")).callProposeLearning(args, call),
};

export const SEED_TOOLS: readonly ToolDefinition[] = [proposeLearning];
