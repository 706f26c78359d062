import { isRecord } from "../base/json.ts";
import { count, type ModelApi } from "./endpoint-model.ts";
import { bearer } from "./http.ts";
import type { ModelUsage } from "./language-model.ts";

/** `POST /messages`. */
export const anthropicApi: ModelApi = {
  request: ({ url, model, secret }, { system, prompt, maxTokens }) => ({
    url: `${url}/messages`,
    headers: {
      "anthropic-version": "2023-06-01",
      ...(secret === undefined ? {} : { "x-api-key": secret }),
    },
    body: { model, max_tokens: maxTokens, system, messages: [{ role: "user", content: prompt }] },
  }),
  read({ content, usage }) {
    const texts = (Array.isArray(content) ? (content as unknown[]) : []).flatMap((block) =>
      isRecord(block) && typeof block["text"] === "string" ? [block["text"]] : [],
    );
    if (texts.length === 0) return undefined;
    const read = ["input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens"];
    return {
      text: texts.join(""),
      ...(isRecord(usage) && {
        usage: {
          input: read.reduce((sum, name) => sum + count(usage[name]), 0),
          output: count(usage["output_tokens"]),
        },
      }),
    };
  },
};

/** `POST /chat/completions`, which most servers support. OpenAI itself uses another name for the answer's limit. */
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
      // Empty text: the model used all its tokens for thinking, and would do so again.
      return typeof text === "string" && text !== ""
        ? { text, ...(isRecord(usage) && { usage: usageIn(usage) }) }
        : undefined;
    },
  };
}

function usageIn(usage: Record<string, unknown>): ModelUsage {
  // OpenRouter reports the cost.
  const cost = usage["cost"];
  return {
    input: count(usage["prompt_tokens"]),
    output: count(usage["completion_tokens"]),
    ...(typeof cost === "number" && cost >= 0 && { costUsd: cost }),
  };
}

export interface Provider {
  readonly api: ModelApi;
  readonly url: string;
  /** The variable in which the provider's own tools expect a different address. */
  readonly urlEnv?: string;
  /** Absent if the provider needs no key. */
  readonly keyEnv?: string;
}

const compatible = openaiApi("max_tokens");

/** Providers that need no setting except their key. Every other server is the provider `endpoint`. */
export const PROVIDERS: ReadonlyMap<string, Provider> = new Map<string, Provider>([
  [
    "anthropic",
    {
      api: anthropicApi,
      url: "https://api.anthropic.com",
      urlEnv: "ANTHROPIC_BASE_URL",
      keyEnv: "ANTHROPIC_API_KEY",
    },
  ],
  [
    "openai",
    {
      api: openaiApi("max_completion_tokens"),
      url: "https://api.openai.com/v1",
      urlEnv: "OPENAI_BASE_URL",
      keyEnv: "OPENAI_API_KEY",
    },
  ],
  [
    "google",
    {
      api: compatible,
      url: "https://generativelanguage.googleapis.com/v1beta/openai",
      keyEnv: "GEMINI_API_KEY",
    },
  ],
  ["openrouter", { api: compatible, url: "https://openrouter.ai/api/v1", keyEnv: "OPENROUTER_API_KEY" }],
  ["ollama", { api: compatible, url: "http://127.0.0.1:11434/v1" }],
]);
