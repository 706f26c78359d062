import type { PromptDefinition } from "../../moments/ports/prompt.ts";
import type { ResourceDefinition } from "../../moments/ports/resource.ts";
import type { ToolDefinition } from "../../moments/ports/tool.ts";
import { PROMPTS } from "../../sources/prompts.ts";
import { RESOURCES } from "../../sources/resources.ts";
import { TOOLS } from "../../sources/tools.ts";

/** All that the server offers. A kind with an empty list is not announced, so that no client asks for it. */
export interface Offers {
  readonly tools: readonly ToolDefinition[];
  readonly resources: readonly ResourceDefinition[];
  readonly prompts: readonly PromptDefinition[];
}

export const OFFERS: Offers = { tools: TOOLS, resources: RESOURCES, prompts: PROMPTS };
