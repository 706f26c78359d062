import type { Finder } from "./finder.ts";
import type { Offer } from "./offer.ts";
import type { PromptDefinition } from "./prompt.ts";
import type { ResourceDefinition } from "./resource.ts";
import type { Source } from "./source.ts";
import type { ToolDefinition } from "./tool.ts";

/**
 * Everything that one source offers. Only `source` is loaded with it: a hook answers moments and needs none of the rest,
 * so the rest is loaded when a host first needs it.
 */
export interface SourceModule {
  readonly source: Source;
  /** Tools that models may call. `finders`: what a search across sources asks besides the source itself. */
  readonly tools?: (finders: readonly Finder[]) => Promise<readonly ToolDefinition[]>;
  /** Requests that people send by name. */
  readonly prompts?: () => Promise<readonly PromptDefinition[]>;
  /** What can be read under an address. */
  readonly resources?: () => Promise<readonly ResourceDefinition[]>;
  /** What a person is offered at a host's prompt. */
  readonly offer?: () => Promise<Offer>;
  /** Its answer to a search across sources. */
  readonly finder?: () => Promise<Finder>;
}
