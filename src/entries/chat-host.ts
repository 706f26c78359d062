import { createChatHost } from "../hosts/copilot/chat/chat-host.ts";
import { wrapClient } from "../hosts/copilot/sdk/wrap-client.ts";
import type { ChatHost } from "../moments/ports/chat.ts";
import { findHome } from "../store/home.ts";
import { loadParts } from "./parts.ts";

/** The conversations of Continuo's page: they run on the Copilot SDK, and each has Continuo in it. */
export function chatHost(env: NodeJS.ProcessEnv, runtimeEnv: () => NodeJS.ProcessEnv): ChatHost {
  return createChatHost({
    home: findHome(env),
    env: runtimeEnv,
    wrap: (client) => wrapClient(client, { env }, loadParts),
  });
}
