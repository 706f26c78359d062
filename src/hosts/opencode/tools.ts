import { isRecord } from "../../base/json.ts";
import type { ToolContext, ToolDefinition } from "../../moments/ports/tool.ts";
import { patches, reads, replaces, runs, writes } from "../shared/tool-use/argument-edits.ts";
import { hostTools } from "../shared/tool-use/host-tools.ts";
import type { OfferedTool } from "./api.ts";

const REPLACED = { old: "oldString", new: "newString", empty: "whole" } as const;

/** OpenCode's own tools. */
export const tools = hostTools(
  {
    read: reads("filePath"),
    edit: replaces("filePath", REPLACED),
    multiedit: replaces("filePath", { ...REPLACED, several: "edits" }),
    write: writes("filePath", "content"),
    apply_patch: patches("patchText"),
    patch: patches("patchText"),
    bash: runs("command"),
  },
  {
    // A failed call has no answer. A failing command is a successful call.
    hasFailed(_tool, response) {
      const metadata = isRecord(response) ? response["metadata"] : undefined;
      const exit = isRecord(metadata) ? metadata["exit"] : undefined;
      return typeof exit === "number" && exit !== 0;
    },
    isNewFile(tool, response) {
      const metadata = tool === "write" && isRecord(response) ? response["metadata"] : undefined;
      const exists = isRecord(metadata) ? metadata["exists"] : undefined;
      return typeof exists === "boolean" ? !exists : undefined;
    },
  },
);

const NOT_FOR_SUBAGENTS =
  "Subagents have no access to notes and past sessions. Work with what the task says, or report what is missing.";

type ContextOf = (
  id: string,
  call: { cwd?: string; signal?: AbortSignal | undefined },
) => Promise<ToolContext>;

/**
 * Continuo's tools as plain objects. The host's own helper function would return them unchanged, and importing it would
 * need its package.
 */
export function offeredTools(
  tools: readonly ToolDefinition[],
  contextOf: ContextOf,
): Record<string, OfferedTool> {
  return Object.fromEntries(
    tools.map((tool): [string, OfferedTool] => [
      tool.name,
      {
        description: tool.description,
        args: tool.parameters.properties,
        async execute(args, { sessionID, directory, abort }) {
          const call = { cwd: directory, signal: abort };
          const context = await contextOf(sessionID, call);
          // A subagent is not offered the tools, unless the host could not say in time that the session is a
          // subagent's.
          if (context.session.parent !== undefined) throw new Error(NOT_FOR_SUBAGENTS);
          const answer = await tool.run(args, context);
          // An error is how the host tells the model that a tool failed.
          if (!answer.ok) throw new Error(answer.text);
          return answer.text;
        },
      },
    ]),
  );
}

/** The host treats every argument of a plain object as required; this corrects which ones are. */
export function correctDefinition(
  tools: readonly ToolDefinition[],
  name: string,
  output: { parameters?: unknown; jsonSchema?: unknown },
): void {
  const tool = tools.find((one) => one.name === name);
  if (tool === undefined) return;
  for (const key of ["parameters", "jsonSchema"] as const) {
    const schema = output[key];
    if (typeof schema === "object" && schema !== null && "required" in schema)
      output[key] = { ...schema, required: tool.parameters.required ?? [] };
  }
}
