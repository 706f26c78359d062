import type { ResourceDefinition } from "../moments/ports/resource.ts";
import { CONTEXT_RESOURCES } from "./context/mcp.ts";
import { MEMORY_RESOURCES } from "./memory/ports/tools.ts";
import { RULE_RESOURCES } from "./rules/mcp.ts";
import { SESSION_RESOURCES } from "./sessions/ports/declarations.ts";

/** Everything that can be read under an address is registered here and nowhere else. */
export const RESOURCES: readonly ResourceDefinition[] = [
  ...CONTEXT_RESOURCES,
  ...RULE_RESOURCES,
  ...MEMORY_RESOURCES,
  ...SESSION_RESOURCES,
];
