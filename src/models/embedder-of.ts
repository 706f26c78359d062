import { join } from "node:path";
import { ContinuoError } from "../base/errors.ts";
import type { Home } from "../store/home.ts";
import { isSendable, isVariable, whyNoAddress } from "./address-and-key.ts";
import type { Embedder } from "./embedder.ts";
import { localEmbedder } from "./local-embedder.ts";
import { openaiEmbedder } from "./openai-embedder.ts";
import type { SemanticSettings } from "./semantic-settings.ts";

const modelsFolder = (home: Home): string => join(home.root, "models");

/** The embedder that the settings name; undefined when semantic search is off. Loads and sends nothing yet. */
export function embedderOf(
  settings: SemanticSettings,
  home: Home,
  env: NodeJS.ProcessEnv,
): Embedder | undefined {
  if (settings.semantic === "local") return localEmbedder(modelsFolder(home));
  if (settings.semantic !== "endpoint") return undefined;
  const { semanticUrl: url, semanticModel: model, semanticKeyEnv: keyEnv } = settings;
  const wrong = whyNoAddress(url);
  if (wrong !== undefined)
    throw unusable(`semanticUrl ${wrong}`, "give the API's address, such as http://127.0.0.1:11434/v1");
  if (model === "") throw unusable("semanticModel is empty", "give the embedding model's name");
  if (keyEnv !== "" && !isVariable(keyEnv))
    throw unusable("semanticKeyEnv names no variable", "put the key itself into one, and its name here");
  const key = keyEnv === "" ? undefined : env[keyEnv]?.trim();
  if (keyEnv !== "" && !key)
    throw unusable(`the variable ${keyEnv} is not set`, "set it, or leave semanticKeyEnv empty");
  if (key !== undefined && !isSendable(key))
    throw unusable(`the variable ${keyEnv} holds a sign that no key has`, "look for a line feed in it");
  return openaiEmbedder({ url, model, key, timeoutMs: settings.semanticTimeoutMs });
}

function unusable(what: string, hint: string): ContinuoError {
  return new ContinuoError("semantic-settings", `the embeddings endpoint is not usable: ${what}`, { hint });
}
