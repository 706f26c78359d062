import { orUndefinedAfter } from "../../../base/deadline.ts";
import { describeError } from "../../../base/errors.ts";
import { quoteLine } from "../../../compose/escape.ts";
import type { ToolContext, ToolDefinition } from "../../../moments/ports/tool.ts";
import type { InProcessBase } from "../../shared/in-process/base.ts";
import type { Invocation, Tool, ToolResult } from "./api.ts";

/**
 * One of Continuo's tools in the SDK's form. A failure is reported to the model; nothing is thrown into the program.
 */
export function sdkTool(
  tool: ToolDefinition,
  { onFailure }: Pick<InProcessBase, "onFailure">,
  contextOf: (invocation: Invocation) => Promise<ToolContext>,
): Tool {
  return {
    name: tool.name,
    description: tool.description,
    parameters: { ...tool.parameters },
    skipPermission: true,
    async handler(args, invocation) {
      try {
        const { ok, text, telemetry } = await tool.run(args, await contextOf(invocation));
        if (!ok) return failed(text);
        return {
          textResultForLlm: text,
          resultType: "success",
          ...(telemetry === undefined ? {} : { toolTelemetry: { ...telemetry } }),
        };
      } catch (error) {
        onFailure(`tool ${tool.name}`, error);
        return failed(`${tool.name} failed: ${quoteLine(describeError(error).message)}`);
      }
    },
  };
}

function failed(text: string): ToolResult {
  return { textResultForLlm: text, resultType: "failure", error: text };
}

/** How much later than its call an event may arrive, because they come through different channels. */
const LATE_MS = 500;

/** Finds out who calls a tool. The call names only the session; events say whether a subagent makes it. */
export interface Callers {
  /** `agent` is undefined for the session itself. */
  began(call: string, agent: string | undefined): void;
  ended(call: string): void;
  /** The subagent that makes a call, once that is known; undefined for the session's own calls. */
  of(call: string): Promise<string | undefined>;
}

export function createCallers(lateMs = LATE_MS): Callers {
  const known = new Map<string, string | undefined>();
  const waiting = new Map<string, () => void>();
  return {
    began(call, agent) {
      known.set(call, agent);
      waiting.get(call)?.();
    },
    ended: (call) => void known.delete(call),
    async of(call) {
      if (!known.has(call)) {
        const event = new Promise<void>((resolve) => waiting.set(call, resolve));
        await orUndefinedAfter(lateMs, event, { unref: true });
        waiting.delete(call);
      }
      return known.get(call);
    },
  };
}
