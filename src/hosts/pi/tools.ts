import type { HostServices, ToolDefinition } from "../../moments/ports/tool.ts";
import type { Moment, ToolMoment } from "../../moments/types.ts";
import { record, text, toolMoment as toolCall } from "../shared/fields.ts";
import type { InProcessBase } from "../shared/in-process/base.ts";
import { reads, replaces, runs, writes } from "../shared/tool-use/argument-edits.ts";
import { type HostTool, hostTools } from "../shared/tool-use/host-tools.ts";
import type { PiContext, PiEvent, PiTool } from "./api.ts";

const REPLACED = { old: "oldText", new: "newText", several: "edits" } as const;

const OWN: Readonly<Record<string, HostTool>> = {
  read: reads("path"),
  edit: replaces("path", REPLACED),
  write: writes("path", "content"),
  bash: runs("command"),
  powershell: runs("command"),
};

/** pi's own tools. They drop a leading @ of a path as the model's mistake. */
export const tools = hostTools((name) => {
  const tool = Object.hasOwn(OWN, name) ? OWN[name] : undefined;
  return tool && withoutAt(tool);
});

function withoutAt({ files, edits, ...tool }: HostTool): HostTool {
  const meant = <T extends { readonly path: string }>(one: T): T => ({
    ...one,
    path: one.path.replace(/^@/, ""),
  });
  return {
    ...tool,
    ...(files === undefined ? {} : { files: (input, cwd) => files(input, cwd).map(meant) }),
    ...(edits === undefined ? {} : { edits: (input) => edits(input).map(meant) }),
  };
}

export type Common = Pick<Moment, "session" | "project" | "cwd" | "at" | "model" | "transcript">;

/** The moment after a call of one of pi's tools. */
export function toolMoment(common: Common, event: PiEvent): ToolMoment {
  return toolCall(common, text(event, "toolName"), record(event, "input"), tools);
}

/**
 * One of Continuo's tools in pi's form. pi checks the arguments against the schema, and treats an exception as a failed
 * call.
 */
export function piTool(
  tool: ToolDefinition,
  { toolContext }: Pick<InProcessBase, "toolContext">,
  servicesOf: (ctx: PiContext) => HostServices,
): PiTool {
  return {
    name: tool.name,
    label: tool.title,
    description: tool.description,
    parameters: tool.parameters,
    async execute(_id, args, signal, _onUpdate, ctx) {
      const session = { host: "pi", id: ctx.sessionManager.getSessionId() };
      const transcript = ctx.sessionManager.getSessionFile();
      const call = toolContext({ session, cwd: ctx.cwd, signal, host: servicesOf(ctx), transcript });
      const answer = await tool.run(args, call);
      if (!answer.ok) throw new Error(answer.text);
      return { content: [{ type: "text", text: answer.text }], details: answer.telemetry ?? {} };
    },
  };
}
