import type { ToolDefinition } from "../../../moments/ports/tool.ts";

/** Only what a model needs to choose and to fill in: all of this is sent with every request. */
export const SESSION_TOOLS: readonly ToolDefinition[] = [
  {
    name: "query_session",
    description:
      "Ask a past session, of any agent, what it has on a question; answers with quotes. Without session: which ones have something.",
    parameters: {
      type: "object",
      properties: {
        session: { type: "string", description: "id, name or last; never guess one" },
        question: { type: "string" },
      },
      // `sessionId` is understood as well.
      required: ["question"],
    },
    // It says of each answer what it quotes: other ways to ask a session have the same answers.
    origin: null,
    // Read when first called: most sessions call none, and the index is large.
    run: async (args, call) => (await import("./query-call.ts")).querySession(args, call),
  },
];
