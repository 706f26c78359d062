import type { ToolDefinition } from "../../moments/tool-port.ts";
import type { Session } from "../../moments/types.ts";
import { type FileAccess, projectPath } from "../../moments/working-set.ts";
import { findHome } from "../../store/home.ts";
import type { PiTool } from "./api.ts";

/** What each of pi's tools that names a file in `path` does with it. */
const ACCESS: Readonly<Record<string, FileAccess["access"]>> = { read: "read", edit: "edit", write: "edit" };

export function filesOf(
  tool: string,
  input: Readonly<Record<string, unknown>>,
  cwd: string,
  root: string,
): FileAccess[] {
  const access = Object.hasOwn(ACCESS, tool) ? ACCESS[tool] : undefined;
  const path = input["path"];
  if (access === undefined || typeof path !== "string" || path === "") return [];
  // pi's own tools take a leading @ for a slip of the model and drop it.
  return [{ path: projectPath(path.replace(/^@/, ""), cwd, root), access }];
}

/** One of our tools in pi's form. pi checks the arguments against the schema, and a throw is its word for failure. */
export function piTool(tool: ToolDefinition, env: NodeJS.ProcessEnv, now: () => number): PiTool {
  return {
    name: tool.name,
    label: tool.name.replaceAll("_", " "),
    description: tool.description,
    parameters: tool.parameters,
    async execute(_id, args, _signal, _onUpdate, ctx) {
      const session: Session = { host: "pi", id: ctx.sessionManager.getSessionId() };
      const answer = await tool.run(args, { session, cwd: ctx.cwd, home: findHome(env), env, now: now() });
      if (!answer.ok) throw new Error(answer.text);
      return { content: [{ type: "text", text: answer.text }], details: answer.telemetry ?? {} };
    },
  };
}
