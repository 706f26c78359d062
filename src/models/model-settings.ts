import { type Schema, typed, type Values } from "../base/settings.ts";

/** Off unless somebody names a model: nothing is sent, and nothing is paid for. */
export const MODEL_SETTINGS = {
  modelKeys: {
    kind: "texts",
    default: [],
    help: "language models as provider/id, the preferred one first; empty: no model is ever asked",
  },
  modelUrl: {
    kind: "text",
    default: "",
    help: "the API of the provider called endpoint, such as http://127.0.0.1:8080/v1",
  },
  modelApi: {
    kind: "choice",
    default: "openai",
    choices: ["openai", "anthropic"],
    help: "whose form of requests the provider called endpoint understands",
  },
  modelKeyEnv: {
    kind: "text",
    default: "",
    help: "the environment variable that holds that provider's key; empty when it needs none",
  },
  modelPrices: {
    kind: "texts",
    default: [],
    help: "what models cost, to show it: provider/id, then US dollars per million tokens read and written",
  },
  modelTimeoutMs: {
    kind: "whole",
    default: 30_000,
    min: 100,
    max: 600_000,
    help: "how long a model may take for one answer",
  },
} as const satisfies Schema;

export type ModelSettings = Values<typeof MODEL_SETTINGS>;

/** Of a source whose schema has `MODEL_SETTINGS` in it. Settings that nobody read name no model. */
export function modelSettings(values: Values): ModelSettings {
  return typed(MODEL_SETTINGS, values);
}
