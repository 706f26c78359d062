import { type ServeOptions, serveMcp } from "../hosts/mcp/serve-mcp.ts";
import { keepEvents } from "../sources/context/events.ts";
import { loadParts } from "./parts.ts";

/** A server with everything that sources register. */
export async function serve(
  options: Pick<ServeOptions, "env" | "cwd" | "version" | "onReady">,
): Promise<void> {
  const { tools, resources, prompts, history } = await loadParts();
  const { env, cwd, onReady } = options;
  // What moments need is loaded after the first answer, for which the host waits.
  const hooks = () => import("./mcp-moments.ts");
  return serveMcp({
    ...options,
    now: Date.now,
    history,
    capabilities: { tools, resources, prompts },
    answerHook: async (args, signal) => (await hooks()).answerMoment(args, signal, env, cwd),
    answerAsked: async (call, signal) => (await hooks()).answerAsked(call, signal),
    onHooks: (folder) =>
      void hooks().then(
        ({ readAhead }) => readAhead(env, folder),
        () => undefined,
      ),
    onOpen: keepEvents,
    onReady: () => void hooks().then(onReady, onReady),
  });
}
