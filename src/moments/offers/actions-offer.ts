import type { Offer } from "../ports/offer.ts";
import type { PromptDefinition } from "../ports/prompt.ts";
import type { SourceModule } from "../ports/source.ts";
import type { ToolContext } from "../ports/tool.ts";

const ABOUT = "Run a Continuo command, such as: rules list, mutes. Without one, all are listed";

/** `/continuo mutes`, for hosts whose commands answer the user without a model. */
export function actionsOffer(modules: readonly SourceModule[]): Offer {
  return {
    commands: [{ name: "continuo", description: ABOUT, run: (typed, call) => answer(modules, typed, call) }],
  };
}

/** The same as a prompt, only for hosts that show the answer to the user alone. */
export function actionsPrompt(modules: readonly SourceModule[]): PromptDefinition {
  return {
    name: "run",
    description: ABOUT,
    arguments: [{ name: "command", description: "such as: rules list" }],
    onlyAnswers: true,
    answer: (typed, call) => answer(modules, typed, call),
    render: async ({ command = "" }, call) => ({
      quoted: await answer(modules, command, call),
      request: "Show me this as it is.",
    }),
  };
}

async function answer(modules: readonly SourceModule[], typed: string, call: ToolContext): Promise<string> {
  const [{ loadGroups }, { answerInAgent }] = await Promise.all([
    import("./action-groups.ts"),
    import("../actions/in-agent.ts"),
  ]);
  const sources = modules.map(({ source }) => source);
  return answerInAgent(await loadGroups(modules), typed, call, { sources: async () => sources });
}
