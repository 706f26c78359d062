import { type Schema, typed, type Values } from "../base/settings.ts";

/** Off unless a model is configured: then nothing is sent, and nothing costs money. */
export const MODEL_SETTINGS = {
  modelKeys: {
    kind: "texts",
    default: [],
    help: "language models as provider/id, the preferred one first; empty: no model is used",
  },
  modelUrl: {
    kind: "text",
    default: "",
    help: "the API address of the provider `endpoint`, such as http://127.0.0.1:8080/v1",
  },
  modelApi: {
    kind: "choice",
    default: "openai",
    choices: ["openai", "anthropic"],
    help: "the API format of the provider `endpoint`",
  },
  modelKeyEnv: {
    kind: "text",
    default: "",
    help: "the environment variable that holds that provider's key; empty if it needs none",
  },
  modelPrices: {
    kind: "texts",
    default: [],
    help: "model prices, for display only: provider/id, then US dollars per million tokens read and written",
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

/** The model settings of a source whose schema contains `MODEL_SETTINGS`. Without settings, no model is configured. */
export function modelSettings(values: Values): ModelSettings {
  return typed(MODEL_SETTINGS, values);
}
