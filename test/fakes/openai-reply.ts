import type { ServerResponse } from "node:http";

export interface ToolUse {
  name: string;
  input: Record<string, unknown>;
}

export interface Reply {
  text?: string;
  toolUses?: ToolUse[];
  /** Replaces the size estimate that the fake would report. */
  promptTokens?: number;
  /** Wait before answering, to hold a turn open. */
  delayMs?: number;
  /** Answers in a way of its own: an error, pieces one after the other, or never. */
  answer?: (outgoing: ServerResponse) => void | Promise<void>;
}

export interface Completion {
  id: string;
  model: string;
  text: string | undefined;
  calls: Array<{ id: string; type: "function"; function: { name: string; arguments: string } }>;
  finish: "stop" | "tool_calls";
  usage: { prompt_tokens: number; completion_tokens: number; total_tokens: number };
}

/** Ids are derived from the request's index, so two runs of one script give the same bytes. */
export function completionFrom(reply: Reply, model: string, index: number, inputTokens: number): Completion {
  const calls = (reply.toolUses ?? []).map((use, place) => ({
    id: `call_fake_${index}_${place}`,
    type: "function" as const,
    function: { name: use.name, arguments: JSON.stringify(use.input) },
  }));
  const prompt_tokens = reply.promptTokens ?? inputTokens;
  return {
    id: `chatcmpl_fake_${index}`,
    model,
    text: reply.text ?? (calls.length === 0 ? "ok" : undefined),
    calls,
    finish: calls.length > 0 ? "tool_calls" : "stop",
    usage: { prompt_tokens, completion_tokens: 10, total_tokens: prompt_tokens + 10 },
  };
}

export function jsonFrom({ id, model, text, calls, finish, usage }: Completion): unknown {
  const message = {
    role: "assistant",
    content: text ?? null,
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
  };
  const choices = [{ index: 0, message, finish_reason: finish }];
  return { id, object: "chat.completion", created: 0, model, choices, usage };
}

/** The same completion as the server-sent events of a streaming answer. */
export function sseFrom({ id, model, text, calls, finish, usage }: Completion): string {
  const chunk = (delta: object, finish_reason: string | null, more: object = {}) => ({
    id,
    object: "chat.completion.chunk",
    created: 0,
    model,
    choices: [{ index: 0, delta, finish_reason }],
    ...more,
  });
  const chunks = [
    chunk({ role: "assistant", content: text ?? "" }, null),
    ...calls.map((call, index) => chunk({ tool_calls: [{ index, ...call }] }, null)),
    chunk({}, finish, { usage }),
  ];
  return `${chunks.map((one) => `data: ${JSON.stringify(one)}\n\n`).join("")}data: [DONE]\n\n`;
}
