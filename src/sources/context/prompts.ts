import type { PromptDefinition } from "../../moments/ports/prompt.ts";
import { contextOf } from "./mcp.ts";

export const CONTEXT_PROMPTS: readonly PromptDefinition[] = [
  {
    name: "sets",
    description: "Bring this session's context sets up to date",
    arguments: [],
    async render(_args, call) {
      const sets = Object.entries(contextOf(call)).map(([name, items]) => `${name}: ${items.join(", ")}`);
      return {
        quoted: sets.length === 0 ? "This session keeps no sets yet." : sets.join("\n"),
        request:
          "Compare these sets with what we work on now. Call set_relevant_context for each that is missing or out of date, " +
          "then tell me in one line what you changed.",
      };
    },
  },
];
