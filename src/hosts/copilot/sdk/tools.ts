import { describeError } from "../../../base/errors.ts";
import { quoteLine } from "../../../compose/escape.ts";
import type { LoadHistory } from "../../../moments/ports/history.ts";
import type { ToolDefinition } from "../../../moments/ports/tool.ts";
import type { Session } from "../../../moments/types.ts";
import { findHome } from "../../../store/home.ts";
import { recordFailure } from "../../shared/follow.ts";
import type { Invocation, Tool, ToolResult } from "./api.ts";

export interface ToolPlace {
  readonly env: NodeJS.ProcessEnv;
  readonly now: () => number;
  readonly history: LoadHistory;
  /** The host does not say where a tool is called. */
  cwd(): string;
  callerOf(invocation: Invocation): Promise<Session>;
}

/** One of our tools in the SDK's form. What fails is told to the model; nothing is thrown into the program. */
export function sdkTool(tool: ToolDefinition, place: ToolPlace): Tool {
  const { env, now, history } = place;
  return {
    name: tool.name,
    description: tool.description,
    parameters: { ...tool.parameters },
    skipPermission: true,
    async handler(args, invocation) {
      try {
        const session = await place.callerOf(invocation);
        const call = { session, cwd: place.cwd(), home: findHome(env), env, now: now(), history };
        const { ok, text, telemetry } = await tool.run(args, call);
        if (!ok) return failed(text);
        return {
          textResultForLlm: text,
          resultType: "success",
          ...(telemetry === undefined ? {} : { toolTelemetry: { ...telemetry } }),
        };
      } catch (error) {
        recordFailure(env, `copilot-sdk tool ${tool.name}`, error, now());
        return failed(`${tool.name} failed: ${quoteLine(describeError(error).message)}`);
      }
    },
  };
}

function failed(text: string): ToolResult {
  return { textResultForLlm: text, resultType: "failure", error: text };
}
