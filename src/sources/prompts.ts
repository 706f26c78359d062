import type { PromptDefinition } from "../moments/ports/prompt.ts";
import { CONTEXT_PROMPTS } from "./context/mcp.ts";
import { RULE_PROMPTS } from "./rules/mcp.ts";
import { SESSION_PROMPTS } from "./sessions/ports/declarations.ts";

/** Every request that people send by its name is registered here and nowhere else. */
export const PROMPTS: readonly PromptDefinition[] = [...RULE_PROMPTS, ...CONTEXT_PROMPTS, ...SESSION_PROMPTS];
