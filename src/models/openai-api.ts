import { isRecord } from "../base/settings.ts";
import { count, type ModelApi } from "./endpoint-model.ts";
import type { ModelUsage } from "./port.ts";
import { bearer } from "./post.ts";

/** `POST /chat/completions`, which most servers understand. OpenAI itself names the bound of an answer otherwise. */
export function openaiApi(bound: "max_tokens" | "max_completion_tokens"): ModelApi {
  return {
    request: ({ url, model, secret }, { system, prompt, maxTokens }) => ({
      url: `${url}/chat/completions`,
      headers: bearer(secret),
      body: {
        model,
        messages: [
          { role: "system", content: system },
          { role: "user", content: prompt },
        ],
        [bound]: maxTokens,
      },
    }),
    read({ choices, usage }) {
      const first: unknown = Array.isArray(choices) ? choices[0] : undefined;
      const message = isRecord(first) ? first["message"] : undefined;
      const text = isRecord(message) ? message["content"] : undefined;
      // Nothing at all: it thought until there was no room for an answer, and would again.
      return typeof text === "string" && text !== ""
        ? { text, ...(isRecord(usage) && { usage: usageIn(usage) }) }
        : undefined;
    },
  };
}

function usageIn(usage: Record<string, unknown>): ModelUsage {
  // OpenRouter tells the cost.
  const cost = usage["cost"];
  return {
    input: count(usage["prompt_tokens"]),
    output: count(usage["completion_tokens"]),
    ...(typeof cost === "number" && cost >= 0 && { costUsd: cost }),
  };
}
