import { loadHistory } from "../hosts/load-history.ts";
import { type ServeOptions, serveMcp } from "../hosts/mcp/serve-mcp.ts";
import { keepEvents } from "../sources/context/events.ts";
import { PROMPTS } from "../sources/prompts.ts";
import { RESOURCES } from "../sources/resources.ts";
import { TOOLS } from "../sources/tools.ts";

/** A server with everything that sources register. */
export function serve(options: Pick<ServeOptions, "env" | "cwd" | "version" | "onReady">): Promise<void> {
  return serveMcp({
    ...options,
    now: Date.now,
    history: loadHistory,
    capabilities: { tools: TOOLS, resources: RESOURCES, prompts: PROMPTS },
    onOpen: keepEvents,
  });
}
