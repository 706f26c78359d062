import type { LoadHistory } from "../../../moments/ports/history.ts";
import type { Offer } from "../../../moments/ports/offer.ts";
import type { PromptDefinition } from "../../../moments/ports/prompt.ts";
import type { Source } from "../../../moments/ports/source.ts";
import type { ToolDefinition } from "../../../moments/ports/tool.ts";

/**
 * What an entry point hands to a host that runs Continuo in its own process. A host imports no source, so everything that
 * sources register comes from here; a test brings its own.
 */
export interface Parts {
  readonly sources: readonly Source[];
  readonly tools: readonly ToolDefinition[];
  readonly prompts: readonly PromptDefinition[];
  readonly offers: readonly Offer[];
  readonly history: LoadHistory;
  readonly env: NodeJS.ProcessEnv;
  readonly now: () => number;
}
