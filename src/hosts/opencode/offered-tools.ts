import type { LoadHistory } from "../../moments/ports/history.ts";
import type { ToolDefinition } from "../../moments/ports/tool.ts";
import type { Session } from "../../moments/types.ts";
import { findHome } from "../../store/home.ts";
import type { OfferedTool } from "./api.ts";

export interface Offer {
  readonly tools: readonly ToolDefinition[];
  readonly directory: string;
  readonly env: NodeJS.ProcessEnv;
  readonly now: () => number;
  readonly history: LoadHistory;
  sessionOf(id: string): Promise<Session>;
}

/** Our tools as plain objects: the host's own helper is the identity, and importing it would need its package. */
export function offeredTools({
  tools,
  directory,
  env,
  now,
  history,
  sessionOf,
}: Offer): Record<string, OfferedTool> {
  return Object.fromEntries(
    tools.map((tool): [string, OfferedTool] => [
      tool.name,
      {
        description: tool.description,
        args: tool.parameters.properties,
        async execute(args, context) {
          const answer = await tool.run(args, {
            session: await sessionOf(context.sessionID),
            cwd: context.directory ?? directory,
            home: findHome(env),
            env,
            now: now(),
            history,
            signal: context.abort,
          });
          // An error is the host's way of telling the model that a tool failed.
          if (!answer.ok) throw new Error(answer.text);
          return answer.text;
        },
      },
    ]),
  );
}

/** The host takes every argument of a plain object for required; here it is told which ones are. */
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
