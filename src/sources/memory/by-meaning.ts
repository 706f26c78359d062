import type { Embedder } from "../../models/embedder.ts";
import { embedderOf } from "../../models/embedder-of.ts";
import type { SemanticSettings } from "../../models/semantic-settings.ts";
import type { Home } from "../../store/home.ts";
import type { Values } from "../../store/settings.ts";
import type { MemoryIndex } from "./index/memory-index.ts";
import { type SemanticArm, semanticArm } from "./search/semantic-arm.ts";
import { type EmbedOptions, type EmbedResult, embedPending } from "./vectors/embed-pending.ts";

/** Finding notes by what they mean, with the model that the settings name. */
export interface ByMeaning {
  armOf(index: MemoryIndex): SemanticArm;
  embed(index: MemoryIndex, options: EmbedOptions): Promise<EmbedResult>;
}

/** Loading a model takes a second: a process that answers many questions loads it once. */
const embedders = new Map<string, Embedder | undefined>();

/** Undefined when it is turned off. */
export function byMeaning(settings: Values, home: Home, env: NodeJS.ProcessEnv): ByMeaning | undefined {
  const wanted = settings as unknown as SemanticSettings;
  const key = JSON.stringify([home.root, wanted.semantic, wanted.semanticUrl, wanted.semanticModel]);
  if (!embedders.has(key)) embedders.set(key, embedderOf(wanted, home, env));
  const embedder = embedders.get(key);
  if (embedder === undefined) return undefined;
  const arms = new Map<MemoryIndex, SemanticArm>();
  return {
    armOf(index) {
      const arm = arms.get(index) ?? semanticArm(index, embedder);
      arms.set(index, arm);
      return arm;
    },
    embed: (index, options) => embedPending(index, embedder, options),
  };
}
