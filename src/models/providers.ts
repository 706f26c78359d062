import { anthropicApi } from "./anthropic-api.ts";
import type { ModelApi } from "./endpoint-model.ts";
import { openaiApi } from "./openai-api.ts";

export interface Provider {
  readonly api: ModelApi;
  readonly url: string;
  /** Where the provider's own tools look for another address. */
  readonly urlEnv?: string;
  /** Absent when it needs no key. */
  readonly keyEnv?: string;
}

const compatible = openaiApi("max_tokens");

/** Those that need no setting but their key. Every other server is the provider `endpoint`. */
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
