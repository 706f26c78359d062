import { typed, type Values } from "../../base/settings.ts";
import type { Embedder } from "../../models/embedder.ts";
import { embedderOf } from "../../models/embedder-of.ts";
import { SEMANTIC_SETTINGS, type SemanticSettings } from "../../models/semantic-settings.ts";
import type { Home } from "../../store/home.ts";
import type { MemoryIndex } from "./index/memory-index.ts";
import { type SemanticArm, semanticArm } from "./search/semantic-arm.ts";
import { type EmbedOptions, type EmbedResult, embedPending } from "./vectors/embed-pending.ts";

/** Finding notes by what they mean, with the model that the settings name. */
export interface ByMeaning {
  armOf(index: MemoryIndex): SemanticArm;
  embed(index: MemoryIndex, options: EmbedOptions): Promise<EmbedResult>;
}

/** Loading a model takes a second: a process that answers many questions loads it once. */
const embedders = new Map<string, Embedder>();

/**
 * Undefined when it is turned off. A model that is turned on but cannot be had, because it is not installed or its
 * settings are wrong, fails when it is asked and not before: a hybrid search then goes on by words.
 */
export function byMeaning(settings: Values, home: Home, env: NodeJS.ProcessEnv): ByMeaning | undefined {
  const wanted = typed(SEMANTIC_SETTINGS, settings);
  if (wanted.semantic === "off") return undefined;
  const arms = new Map<MemoryIndex, SemanticArm>();
  return {
    armOf: (index) => ({
      async nearest(query, signal) {
        const arm = arms.get(index) ?? semanticArm(index, embedderFor(wanted, home, env));
        arms.set(index, arm);
        return arm.nearest(query, signal);
      },
    }),
    embed: async (index, options) => embedPending(index, embedderFor(wanted, home, env), options),
  };
}

function embedderFor(wanted: SemanticSettings, home: Home, env: NodeJS.ProcessEnv): Embedder {
  const { semantic, semanticUrl, semanticModel, semanticKeyEnv, semanticTimeoutMs } = wanted;
  const key = JSON.stringify([
    ...[home.root, semantic, semanticUrl, semanticModel],
    ...[semanticKeyEnv, semanticTimeoutMs],
  ]);
  const known = embedders.get(key) ?? embedderOf(wanted, home, env);
  if (known === undefined) throw new Error("semantic search is turned off");
  embedders.set(key, known);
  return known;
}
