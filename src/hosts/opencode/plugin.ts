import { SOURCES } from "../../sources/index.ts";
import { OFFERS } from "../../sources/offers.ts";
import { PROMPTS } from "../../sources/prompts.ts";
import { TOOLS } from "../../sources/tools.ts";
import { loadHistory } from "../load-history.ts";
import { recordFailure } from "../shared/follow.ts";
import type { Hooks, PluginInput } from "./api.ts";
import { createHooks } from "./hooks.ts";

/**
 * What OpenCode loads. Nothing is asked of the host here: it answers nobody before this has returned. Failing would
 * make the host drop the plugin without a word to the user, so it is at least recorded.
 */
async function server(input: PluginInput): Promise<Partial<Hooks>> {
  const { env } = process;
  try {
    const { client, directory } = input;
    return createHooks({
      client,
      directory,
      env,
      now: Date.now,
      sources: SOURCES,
      history: loadHistory,
      tools: TOOLS,
      prompts: PROMPTS,
      offers: OFFERS,
    });
  } catch (error) {
    recordFailure(env, "opencode start", error, Date.now());
    return {};
  }
}

/** The only export: the host calls every other function that a plugin's file exports. */
export default { id: "continuo", server };
