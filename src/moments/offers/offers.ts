import { quote, quotedBlock } from "../../compose/escape.ts";
import type { Finder } from "../ports/finder.ts";
import type { Offer } from "../ports/offer.ts";
import type { PromptDefinition } from "../ports/prompt.ts";
import type { ResourceDefinition } from "../ports/resource.ts";
import type { SourceModule } from "../ports/source.ts";
import type { ToolDefinition } from "../ports/tool.ts";
import { actionsOffer, actionsPrompt } from "./actions-offer.ts";

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
  const [tools, prompts, resources, offers, { deliveries }, { reviewOffer, reviewPrompts }, acting] =
    await Promise.all([
      all((module) => module.tools?.(finders).then((tools) => tools.map(belongingTo(module)))),
      all((module) => module.prompts?.()),
      all((module) => module.resources?.()),
      all((module) => module.offer?.()),
      import("./deliveries-offer.ts"),
      import("../review/review-offer.ts"),
      loadActionTools(modules),
    ]);
  return {
    tools: [...tools.flat(), ...acting].map(withQuotedAnswers),
    prompts: [...prompts.flat(), ...reviewPrompts(modules), actionsPrompt(modules)],
    resources: resources.flat(),
    offers: [deliveries, ...offers, reviewOffer(modules), actionsOffer(modules)],
  };
}

export async function loadFinders(modules: readonly SourceModule[]): Promise<readonly Finder[]> {
  return Promise.all(modules.flatMap((module) => module.finder?.() ?? []));
}

/** Each source's own actions, because a tool is disabled together with its source. */
async function loadActionTools(modules: readonly SourceModule[]): Promise<ToolDefinition[]> {
  const sources = modules.map(({ source }) => source);
  const tools = modules.map(async (module) => {
    const groups = module.hasNoActionTools ? undefined : await module.actions?.();
    if (groups?.some(({ actions }) => actions.some(({ tool }) => tool !== undefined)) !== true) return [];
    const { actionTools } = await import("../actions/as-tool.ts");
    return actionTools(groups, { sources: async () => sources }).map(belongingTo(module));
  });
  return (await Promise.all(tools)).flat();
}

const FOR_CHILDREN = "Not available to subagents. Tell the session that started you what to look up or keep.";

const belongingTo =
  ({ source }: SourceModule) =>
  (tool: ToolDefinition): ToolDefinition => ({ ...tool, source: source.name });

/**
 * Every tool is wrapped here before a host sees it, so that no tool or host can forget to: an answer can neither close
 * nor imitate a frame, and text that others wrote is labelled as quoted data. A child gets rules, but no notes: if a
 * host cannot hide the tools from it, the call is refused.
 */
function withQuotedAnswers(tool: ToolDefinition): ToolDefinition {
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
