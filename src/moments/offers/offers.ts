import { quote, quotedBlock } from "../../compose/escape.ts";
import type { Finder } from "../ports/finder.ts";
import type { Offer } from "../ports/offer.ts";
import type { PromptDefinition } from "../ports/prompt.ts";
import type { ResourceDefinition } from "../ports/resource.ts";
import type { SourceModule } from "../ports/source.ts";
import type { ToolDefinition } from "../ports/tool.ts";

/** What sources provide besides answers to moments, in the order of the modules. */
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
  const [tools, prompts, resources, offers, { deliveries }, { reviewOffer, reviewPrompts }] =
    await Promise.all([
      all((module) => module.tools?.(finders).then((tools) => tools.map(belongingTo(module)))),
      all((module) => module.prompts?.()),
      all((module) => module.resources?.()),
      all((module) => module.offer?.()),
      import("./deliveries-offer.ts"),
      import("../review/review-offer.ts"),
    ]);
  return {
    tools: tools.flat().map(withQuotedAnswers),
    prompts: [...prompts.flat(), ...reviewPrompts(modules)],
    resources: resources.flat(),
    offers: [deliveries, ...offers, reviewOffer(modules)],
  };
}

export async function loadFinders(modules: readonly SourceModule[]): Promise<readonly Finder[]> {
  return Promise.all(modules.flatMap((module) => module.finder?.() ?? []));
}

const FOR_CHILDREN = "Not available to subagents. Tell the session that started you what to look up or keep.";

const belongingTo =
  ({ source }: SourceModule) =>
  (tool: ToolDefinition): ToolDefinition => ({ ...tool, source: source.name });

/**
 * Every tool is wrapped here before a host sees it, so that no tool and no host can forget it: an answer can neither close
 * nor imitate a frame, and text that others wrote is labelled as quoted data. A child gets rules, not memory: where a host
 * cannot keep the tools from it, the call is refused.
 */
export function withQuotedAnswers(tool: ToolDefinition): ToolDefinition {
  return {
    ...tool,
    async run(args, call) {
      if (call.session.parent !== undefined) return { ok: false, text: FOR_CHILDREN };
      const answer = await tool.run(args, call);
      const isLabelled = answer.ok && tool.origin !== null;
      return { ...answer, text: isLabelled ? quotedBlock(tool.origin, answer.text) : quote(answer.text) };
    },
  };
}
