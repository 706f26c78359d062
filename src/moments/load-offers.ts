import type { Finder } from "./ports/finder.ts";
import type { Offer } from "./ports/offer.ts";
import type { PromptDefinition } from "./ports/prompt.ts";
import type { ResourceDefinition } from "./ports/resource.ts";
import type { SourceModule } from "./ports/source-module.ts";
import type { ToolDefinition } from "./ports/tool.ts";
import { quotedTool } from "./quoted-tool.ts";

/** What sources offer besides answers to moments, in the order of the modules. */
export interface Offered {
  readonly tools: readonly ToolDefinition[];
  readonly prompts: readonly PromptDefinition[];
  readonly resources: readonly ResourceDefinition[];
  readonly offers: readonly Offer[];
}

export async function loadOffers(modules: readonly SourceModule[]): Promise<Offered> {
  const finders = await loadFinders(modules);
  const all = <T>(load: (module: SourceModule) => Promise<T> | undefined): Promise<T[]> =>
    Promise.all(modules.flatMap((module) => load(module) ?? []));
  const [tools, prompts, resources, offers, { deliveries }] = await Promise.all([
    all((module) => module.tools?.(finders)),
    all((module) => module.prompts?.()),
    all((module) => module.resources?.()),
    all((module) => module.offer?.()),
    import("./deliveries-offer.ts"),
  ]);
  return {
    tools: tools.flat().map(quotedTool),
    prompts: prompts.flat(),
    resources: resources.flat(),
    offers: [deliveries, ...offers],
  };
}

export async function loadFinders(modules: readonly SourceModule[]): Promise<readonly Finder[]> {
  return Promise.all(modules.flatMap((module) => module.finder?.() ?? []));
}
