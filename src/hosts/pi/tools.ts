import type { HostServices, ToolDefinition } from "../../moments/ports/tool.ts";
import type { Moment, ToolMoment } from "../../moments/types.ts";
import type { FileAccess } from "../../moments/working-set.ts";
import { record, text, toolMoment as toolCall } from "../shared/fields.ts";
import type { InProcessBase } from "../shared/in-process/base.ts";
import { type AccessByTool, namedFile } from "../shared/named-file.ts";
import type { PiContext, PiEvent, PiTool } from "./api.ts";

/** What each of pi's tools that names a file in `path` does with it. */
const ACCESS: AccessByTool = { read: "read", edit: "edit", write: "edit" };

export function filesOf(
  tool: string,
  input: Readonly<Record<string, unknown>>,
  cwd: string,
  root: string,
): FileAccess[] {
  const path = input["path"];
  // pi's own tools treat a leading @ as the model's mistake and drop it.
  const meant = typeof path === "string" ? path.replace(/^@/, "") : path;
  return namedFile(ACCESS, tool, meant, cwd, root);
}

export type Common = Pick<Moment, "session" | "project" | "cwd" | "at" | "model" | "transcript">;

/** A call of one of pi's tools. */
export function toolMoment(common: Common, event: PiEvent): ToolMoment {
  return toolCall(common, text(event, "toolName"), record(event, "input"), filesOf);
}

/** A tool of Continuo in pi's form. pi checks the arguments against the schema, and a tool that throws has failed. */
export function piTool(
  tool: ToolDefinition,
  { toolContext }: Pick<InProcessBase, "toolContext">,
  servicesOf: (ctx: PiContext) => HostServices,
): PiTool {
  return {
    name: tool.name,
    label: tool.name.replaceAll("_", " "),
    description: tool.description,
    parameters: tool.parameters,
    async execute(_id, args, signal, _onUpdate, ctx) {
      const session = { host: "pi", id: ctx.sessionManager.getSessionId() };
      const transcript = ctx.sessionManager.getSessionFile();
      const call = toolContext({
        session,
        cwd: ctx.cwd,
        signal,
        host: servicesOf(ctx),
        ...(transcript === undefined ? {} : { transcript }),
      });
      const answer = await tool.run(args, call);
      if (!answer.ok) throw new Error(answer.text);
      return { content: [{ type: "text", text: answer.text }], details: answer.telemetry ?? {} };
    },
  };
}
