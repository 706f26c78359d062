import { quote } from "../../compose/escape.ts";
import type { PromptDefinition } from "../../moments/prompt-port.ts";
import { contextOf } from "./resources.ts";

export const CONTEXT_PROMPTS: readonly PromptDefinition[] = [
  {
    name: "sets",
    description: "Bring this session's context sets up to date",
    arguments: [],
    async render(_args, call) {
      const sets = Object.entries(contextOf(call)).map(([name, items]) => `${name}: ${items.join(", ")}`);
      // In our own block, so that what it quotes is never matched as if a person had typed it.
      const kept = sets.length === 0 ? "This session keeps no sets yet." : quote(sets.join("\n"));
      return (
        `<continuo for="sets">\n${kept}\n</continuo>\n` +
        "Compare these sets with what we work on now. Call set_relevant_context for each that is missing or out of date, " +
        "then tell me in one line what you changed."
      );
    },
  },
];
