import { recordFailure } from "../shared/follow.ts";
import type { Parts } from "../shared/in-process/parts.ts";
import type { Hooks, PluginInput } from "./api.ts";
import { createHooks } from "./hooks.ts";

export interface Plugin {
  readonly id: string;
  server(input: PluginInput): Promise<Partial<Hooks>>;
}

/**
 * What OpenCode loads. The start asks nothing of the host, which answers no plugin before this has returned. If the start
 * failed, the host would drop the plugin without telling the user, so the failure is recorded.
 */
export function createPlugin(parts: Parts): Plugin {
  return {
    id: "continuo",
    async server(input) {
      try {
        const { client, directory } = input;
        return createHooks({ client, directory, ...parts });
      } catch (error) {
        recordFailure(parts.env, "opencode start", error, parts.now());
        return {};
      }
    },
  };
}
