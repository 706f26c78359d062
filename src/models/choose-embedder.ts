import { join } from "node:path";
import { ContinuoError } from "../base/errors.ts";
import type { Home } from "../store/home.ts";
import { recordModelCall } from "../store/model-calls.ts";
import type { Embedder } from "./embedder.ts";
import { addressProblem, isSendableKey, isVariableName } from "./http.ts";
import { localEmbedder } from "./local-embedder.ts";
import { openaiEmbedder } from "./openai-embedder.ts";
import type { SemanticSettings } from "./semantic-settings.ts";

const modelsFolder = (home: Home): string => join(home.root, "models");

/** The configured embedder; undefined if semantic search is off. Loads and sends nothing yet. */
export function chooseEmbedder(
  settings: SemanticSettings,
  home: Home,
  env: NodeJS.ProcessEnv,
): Embedder | undefined {
  if (settings.semantic === "local") return counted(localEmbedder(modelsFolder(home)), env);
  if (settings.semantic !== "endpoint") return undefined;
  const { semanticUrl: url, semanticModel: model, semanticKeyEnv: keyEnv } = settings;
  const wrong = addressProblem(url);
  if (wrong !== undefined)
    throw unusable(`semanticUrl ${wrong}`, "give the API's address, such as http://127.0.0.1:11434/v1");
  if (model === "") throw unusable("semanticModel is empty", "give the embedding model's name");
  if (keyEnv !== "" && !isVariableName(keyEnv))
    throw unusable(
      "semanticKeyEnv is not the name of a variable",
      "put the key into an environment variable, and the variable's name here",
    );
  const key = keyEnv === "" ? undefined : env[keyEnv]?.trim();
  if (keyEnv !== "" && !key)
    throw unusable(`the variable ${keyEnv} is not set`, "set it, or leave semanticKeyEnv empty");
  if (key !== undefined && !isSendableKey(key))
    throw unusable(`the variable ${keyEnv} contains a character that no key has`, "check it for a line feed");
  return counted(openaiEmbedder({ url, model, key, timeoutMs: settings.semanticTimeoutMs }), env);
}

/** Every request is counted, for people who look at what a day has cost. */
function counted(embedder: Embedder, env: NodeJS.ProcessEnv): Embedder {
  return {
    id: embedder.id,
    get dimensions() {
      return embedder.dimensions;
    },
    embed(texts, kind, signal) {
      recordModelCall(env, "vectors", embedder.id);
      return embedder.embed(texts, kind, signal);
    },
    ...(embedder.close === undefined ? {} : { close: () => embedder.close?.() ?? Promise.resolve() }),
  };
}

function unusable(what: string, hint: string): ContinuoError {
  return new ContinuoError("semantic-settings", `the embeddings endpoint is not usable: ${what}`, { hint });
}
