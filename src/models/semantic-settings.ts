import type { Schema, Values } from "../base/settings.ts";

/** Part of the memory source's settings. Off unless somebody turns it on: no model is loaded, nothing is sent. */
export const SEMANTIC_SETTINGS = {
  semantic: {
    kind: "choice",
    default: "off",
    choices: ["off", "local", "endpoint"],
    help: "finding notes by meaning: with a model in CONTINUO_HOME/models, or at an endpoint, which is sent your notes",
  },
  semanticUrl: {
    kind: "text",
    default: "",
    help: "the OpenAI-compatible API that answers /embeddings, such as http://127.0.0.1:11434/v1",
  },
  semanticModel: { kind: "text", default: "", help: "the embedding model's name at the endpoint" },
  semanticKeyEnv: {
    kind: "text",
    default: "",
    help: "the environment variable that holds the endpoint's key; empty when it needs none",
  },
  semanticTimeoutMs: {
    kind: "whole",
    default: 30_000,
    min: 100,
    max: 600_000,
    help: "how long the endpoint may take for one batch of notes",
  },
} as const satisfies Schema;

export type SemanticSettings = Values<typeof SEMANTIC_SETTINGS>;
