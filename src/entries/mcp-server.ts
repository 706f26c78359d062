import { type ServeOptions, serveMcp } from "../hosts/mcp/serve-mcp.ts";
import { keepEvents } from "../sources/context/events.ts";
import { loadParts } from "./parts.ts";

/** A server with everything that sources register. */
export async function serve(
  options: Pick<ServeOptions, "env" | "cwd" | "version" | "onReady">,
): Promise<void> {
  const { tools, resources, prompts, history } = await loadParts();
  return serveMcp({
    ...options,
    now: Date.now,
    history,
    capabilities: { tools, resources, prompts },
    onOpen: keepEvents,
  });
}
