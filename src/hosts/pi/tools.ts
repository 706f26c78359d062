import type { HostServices, ToolDefinition } from "../../moments/ports/tool.ts";
import type { Session } from "../../moments/types.ts";
import type { FileAccess } from "../../moments/working-set.ts";
import { findHome } from "../../store/home.ts";
import { type AccessByTool, namedFile } from "../shared/named-file.ts";
import type { PiContext, PiTool } from "./api.ts";
import type { PiParts } from "./teller.ts";

/** What each of pi's tools that names a file in `path` does with it. */
const ACCESS: AccessByTool = { read: "read", edit: "edit", write: "edit" };

export function filesOf(
  tool: string,
  input: Readonly<Record<string, unknown>>,
  cwd: string,
  root: string,
): FileAccess[] {
  const path = input["path"];
  // pi's own tools take a leading @ for a slip of the model and drop it.
  const meant = typeof path === "string" ? path.replace(/^@/, "") : path;
  return namedFile(ACCESS, tool, meant, cwd, root);
}

/** One of our tools in pi's form. pi checks the arguments against the schema, and a throw is its word for failure. */
export function piTool(
  tool: ToolDefinition,
  { env, now, history }: Pick<PiParts, "env" | "now" | "history">,
  servicesOf: (ctx: PiContext) => HostServices,
): PiTool {
  return {
    name: tool.name,
    label: tool.name.replaceAll("_", " "),
    description: tool.description,
    parameters: tool.parameters,
    async execute(_id, args, signal, _onUpdate, ctx) {
      const session: Session = { host: "pi", id: ctx.sessionManager.getSessionId() };
      const place = { session, cwd: ctx.cwd, home: findHome(env), env, now: now(), history };
      const answer = await tool.run(args, { ...place, signal, host: servicesOf(ctx) });
      if (!answer.ok) throw new Error(answer.text);
      return { content: [{ type: "text", text: answer.text }], details: answer.telemetry ?? {} };
    },
  };
}
