import { loadConfig } from "../../store/config.ts";
import type { ToolDefinition, ToolPlace } from "../ports/tool.ts";

export interface OfferedTools {
  /** Whether the host can defer the schemas of tools that are not needed often. */
  readonly defers?: boolean;
  readonly onFailure: (where: string, error: unknown) => void;
}

/**
 * The tools that a session gets; each one adds to the cost of every request. Call it once, when the session starts:
 * changing the list later invalidates the host's whole cached prompt.
 */
export async function offeredTools(
  tools: readonly ToolDefinition[],
  place: ToolPlace,
  { defers = false, onFailure }: OfferedTools,
): Promise<readonly ToolDefinition[]> {
  // A child gets rules, but no notes.
  if (place.session?.parent !== undefined) return [];
  const sources = [...new Set(tools.flatMap(({ source }) => source ?? []))];
  const { config } = loadConfig(
    place.home.config,
    sources.map((name) => ({ name, settings: {} })),
    place.env,
  );
  const isOn = ({ source }: ToolDefinition) =>
    source === undefined || config.sources[source]?.enabled !== false;
  const setting = config.tools.trim();
  if (setting === "off") return [];
  if (setting !== "auto") {
    const names = setting.split(",").map((name) => name.trim());
    const chosen = tools.filter((tool) => isOn(tool) && (setting === "all" || names.includes(tool.name)));
    // The user chose exactly these.
    return chosen.map((tool) => ({ ...tool, need: "often" }));
  }
  const useful = await Promise.all(
    tools.map(async (tool) => {
      if (!isOn(tool) || (tool.need === "rarely" && !defers)) return false;
      try {
        return (await tool.hasUse?.(place)) ?? true;
      } catch (error) {
        onFailure(`tool ${tool.name}`, error);
        return true;
      }
    }),
  );
  return tools.filter((_tool, at) => useful[at]);
}
