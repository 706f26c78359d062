import type { Schema, Values } from "../base/settings.ts";

/**
 * Part of the notes source's settings. By default the package's own table is used: no model is loaded, nothing is sent.
 */
export const SEMANTIC_SETTINGS = {
  semantic: {
    kind: "choice",
    default: "table",
    choices: ["off", "table", "local", "endpoint"],
    help: "find notes by meaning: with Continuo's own table, a larger model in CONTINUO_HOME/models, or an endpoint, to which your notes are sent; off: by words alone",
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
    help: "the environment variable that holds the endpoint's key; empty if it needs none",
  },
  semanticTimeoutMs: {
    kind: "whole",
    default: 30_000,
    min: 100,
    max: 600_000,
    help: "how long the endpoint may take for one batch of notes",
  },
} as const satisfies Schema;

/** Whether a larger model than the package's table is configured. */
export const isModel = (semantic: SemanticSettings["semantic"]): boolean =>
  semantic === "local" || semantic === "endpoint";

export type SemanticSettings = Values<typeof SEMANTIC_SETTINGS>;
