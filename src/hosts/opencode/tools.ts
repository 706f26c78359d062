import type { ToolContext, ToolDefinition } from "../../moments/ports/tool.ts";
import { type FileAccess, projectPath } from "../../moments/working-set.ts";
import { type AccessByTool, namedFile } from "../shared/named-file.ts";
import type { OfferedTool } from "./api.ts";

/** What OpenCode's own tools do with the file that their `filePath` names. */
const ACCESS: AccessByTool = {
  read: "read",
  edit: "edit",
  multiedit: "edit",
  write: "edit",
};

const PATCHED = /^\*\*\* (?:Add File|Update File|Delete File|Move to): (.+)$/gm;

export function filesOf(
  tool: string,
  input: Readonly<Record<string, unknown>>,
  cwd: string,
  root: string,
): FileAccess[] {
  if (Object.hasOwn(ACCESS, tool)) return namedFile(ACCESS, tool, input["filePath"], cwd, root);
  const patch = tool === "apply_patch" || tool === "patch" ? input["patchText"] : undefined;
  if (typeof patch !== "string") return [];
  return [...patch.matchAll(PATCHED)].map(([, path = ""]) => ({
    path: projectPath(path.trim(), cwd, root),
    access: "edit",
  }));
}

const NOT_FOR_SUBAGENTS =
  "Subagents have no access to notes and past sessions. Work with what the task says, or report what is missing.";

type ContextOf = (
  id: string,
  call: { cwd?: string; signal?: AbortSignal | undefined },
) => Promise<ToolContext>;

/** Continuo's tools as plain objects: the host's own helper is the identity, and importing it would need its package. */
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
          const call = { ...(directory === undefined ? {} : { cwd: directory }), signal: abort };
          const context = await contextOf(sessionID, call);
          // Its requests do not offer the tools, unless the host could not say in time that it is a subagent's session.
          if (context.session.parent !== undefined) throw new Error(NOT_FOR_SUBAGENTS);
          const answer = await tool.run(args, context);
          // An error is the host's way of telling the model that a tool failed.
          if (!answer.ok) throw new Error(answer.text);
          return answer.text;
        },
      },
    ]),
  );
}

/** The host takes every argument of a plain object as required; this tells it which ones are. */
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
