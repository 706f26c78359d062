import { join } from "node:path";
import { ContinuoError } from "../base/errors.ts";
import type { Home } from "../store/home.ts";
import { recordModelCall } from "../store/model-calls.ts";
import { type Embedder, unitVectors } from "./embedder.ts";
import { addressProblem, bearer, isSendableKey, isVariableName, post } from "./http.ts";
import { localEmbedder } from "./local-embedder.ts";
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

/** Counts every request, so that users can see what a day has cost. */
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

export interface Endpoint {
  /** The API's address, such as `http://127.0.0.1:11434/v1`. */
  readonly url: string;
  readonly model: string;
  readonly key?: string | undefined;
  readonly timeoutMs: number;
}

/** Texts in one request. */
const BATCH = 32;
/** The timeout of a query, which someone waits for. */
const QUERY_MS = 3000;

/** Any server that answers `POST /embeddings` as OpenAI does. A failed request is not retried here; the next run does. */
export function openaiEmbedder(endpoint: Endpoint): Embedder {
  const url = `${endpoint.url.replace(/\/+$/, "")}/embeddings`;
  let dimensions: number | undefined;
  return {
    id: `${endpoint.model} at ${endpoint.url}`,
    get dimensions() {
      return dimensions;
    },
    async embed(texts, kind, signal) {
      const timeoutMs = kind === "query" ? Math.min(QUERY_MS, endpoint.timeoutMs) : endpoint.timeoutMs;
      const vectors: Float32Array[] = [];
      for (let at = 0; at < texts.length; at += BATCH) {
        const batch = texts.slice(at, at + BATCH);
        const given = await ask(url, { ...endpoint, timeoutMs }, batch, signal);
        const some = unitVectors(given, batch.length, dimensions);
        dimensions = some[0]?.length;
        vectors.push(...some);
      }
      return vectors;
    },
  };
}

async function ask(
  url: string,
  { model, key, timeoutMs }: Endpoint,
  input: readonly string[],
  signal: AbortSignal | undefined,
): Promise<number[][]> {
  const answer = await post({
    url,
    headers: bearer(key),
    body: { model, input, encoding_format: "float" },
    timeoutMs,
    signal,
    failure: ({ why, status, cause }) =>
      status !== undefined && REFUSALS.has(status) ? refused(url, status) : down(url, why, cause),
  });
  return vectorsIn(url, answer);
}

function vectorsIn(url: string, answer: unknown): number[][] {
  const data = (answer as { data?: unknown } | null)?.data;
  if (!Array.isArray(data)) throw down(url, "its answer has no list of embeddings");
  const items = data as ({ index?: unknown; embedding?: unknown } | null)[];
  return items
    .map((item, place) => {
      const embedding = item?.embedding;
      if (!Array.isArray(embedding) || !embedding.every((one) => typeof one === "number"))
        throw down(url, "its answer has an embedding that is not a list of numbers");
      return {
        index: typeof item?.index === "number" ? item.index : place,
        embedding: embedding as number[],
      };
    })
    .sort((a, b) => a.index - b.index)
    .map(({ embedding }) => embedding);
}

/** Status codes of a server that refuses the text itself, for example because it is too long for the model. */
const REFUSALS = new Set([400, 413, 422]);

function refused(url: string, status: number): ContinuoError {
  return new ContinuoError("embedding-refused", `the embeddings endpoint ${url} refused a text (${status})`, {
    hint: "a text may be too long for the model; if all are refused, fix semanticModel",
  });
}

function down(url: string, why: string, cause?: unknown): ContinuoError {
  return new ContinuoError("embedder-down", `the embeddings endpoint ${url} cannot be used: ${why}`, {
    hint: "start it, or fix semanticUrl, semanticModel and semanticKeyEnv",
    cause,
  });
}
