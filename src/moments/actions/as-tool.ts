import { whyRefused } from "../../base/errors.ts";
import type { ActionGroup } from "../ports/action.ts";
import type { ToolDefinition } from "../ports/tool.ts";
import { type AgentPlace, placeOf, textOf } from "./in-agent.ts";
import { checkTold, jsonSchemaOf } from "./input.ts";

/**
 * The actions that are tools. An action that the user decides, or is asked about, is never one, whatever it declares.
 */
export function actionTools(groups: readonly ActionGroup[], more: AgentPlace): readonly ToolDefinition[] {
  return groups
    .flatMap(({ actions }) => actions)
    .flatMap((action): ToolDefinition[] => {
      const { tool, about, effect, asks } = action;
      if (tool === undefined || effect === "decides" || asks !== undefined) return [];
      return [
        {
          ...tool,
          effect: effect === "reads" ? "reads" : "replaces",
          description: `${about[0]?.toUpperCase()}${about.slice(1)}.`,
          parameters: jsonSchemaOf(action),
          async run(args, call) {
            try {
              const input = checkTold(action.input, args);
              return { ok: true, text: await textOf(action, input, placeOf(call, more)) };
            } catch (error) {
              // The model can react to a refusal; a bug is reported by the host's adapter.
              return { ok: false, text: whyRefused(error) };
            }
          },
        },
      ];
    });
}
