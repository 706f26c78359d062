import { withQuotedAnswers } from "../moments/offers.ts";
import type { ToolDefinition } from "../moments/ports/tool.ts";
import { CONTEXT_TOOLS } from "./context/tools.ts";
import { FINDERS } from "./finders.ts";
import { memoryTools } from "./memory/ports/tools.ts";
import { SESSION_TOOLS } from "./sessions/ports/declarations.ts";

/** Every tool that models may call is registered here and nowhere else. Apart from sources: hooks need none. */
export const TOOLS: readonly ToolDefinition[] = [
  ...CONTEXT_TOOLS,
  ...memoryTools(FINDERS),
  ...SESSION_TOOLS,
].map(withQuotedAnswers);
