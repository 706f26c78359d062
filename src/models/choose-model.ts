import { nearest } from "../base/text.ts";
import { recordModelCall } from "../store/model-calls.ts";
import { endpointModel, type Price } from "./endpoint-model.ts";
import { addressProblem, isSendableKey, isVariableName } from "./http.ts";
import { boundedModel, type HostModels, type LanguageModel } from "./language-model.ts";
import type { ModelSettings } from "./model-settings.ts";
import { anthropicApi, openaiApi, PROVIDERS, type Provider } from "./providers.ts";

interface Choice {
  /** The first of `modelKeys` that can be used here; undefined if none can be used or none is configured. */
  readonly model?: LanguageModel;
  /** One text for each key that cannot be used, with a way to fix it. */
  readonly problems: readonly string[];
}

const ENDPOINT = "endpoint";
const PROVIDER_NAMES = [...PROVIDERS.keys(), ENDPOINT];

/**
 * Whether these models are an agent's own, so that it is no error if Continuo cannot use them outside that agent. A
 * misspelt provider is an error.
 */
export function areOfAgents({ modelKeys }: ModelSettings): boolean {
  return modelKeys.every((key) => {
    const [name = "", model] = key.split("/");
    return (
      name !== "" && model && !PROVIDER_NAMES.includes(name) && nearest(name, PROVIDER_NAMES) === undefined
    );
  });
}

/** The host's own models come first: the user is already logged in to them. Sends nothing. */
export async function chooseModel(
  settings: ModelSettings,
  env: NodeJS.ProcessEnv,
  hostModels?: HostModels,
): Promise<Choice> {
  const problems: string[] = [];
  for (const key of settings.modelKeys) {
    const own = await hostModels?.(key);
    const found =
      own === undefined ? modelAt(key, settings, env) : boundedModel(own, settings.modelTimeoutMs);
    if (typeof found !== "string") return { model: counted(found, env), problems };
    problems.push(found);
  }
  return { problems };
}

/** Counts every request, so that users can see what a day has cost. */
function counted(model: LanguageModel, env: NodeJS.ProcessEnv): LanguageModel {
  return {
    ...model,
    complete(request) {
      recordModelCall(env, "text", model.key);
      return model.complete(request);
    },
  };
}

/** The model, or the reason why there is none. */
function modelAt(key: string, settings: ModelSettings, env: NodeJS.ProcessEnv): LanguageModel | string {
  const slash = key.indexOf("/");
  const [name, model] = [key.slice(0, slash), key.slice(slash + 1)];
  if (slash <= 0 || model === "")
    return `"${key}" names no provider: write provider/id, such as anthropic/${key || "claude-haiku-4-5"}`;
  const provider = name === ENDPOINT ? customProvider(settings) : PROVIDERS.get(name);
  if (provider === undefined) {
    const near = nearest(name, PROVIDER_NAMES);
    return `"${key}": ${near === undefined ? `outside of a host that knows it, providers are ${PROVIDER_NAMES.join(", ")}` : `did you mean ${near}/${model}?`}`;
  }
  if (typeof provider === "string") return `"${key}": ${provider}`;
  const { api, keyEnv, urlEnv } = provider;
  const secret = keyEnv === undefined ? undefined : env[keyEnv]?.trim();
  if (keyEnv !== undefined && !isVariableName(keyEnv))
    return `"${key}": modelKeyEnv is not the name of an environment variable; put the key into a variable`;
  if (keyEnv !== undefined && !secret) return `"${key}": the environment variable ${keyEnv} is not set`;
  if (secret !== undefined && !isSendableKey(secret))
    return `"${key}": the environment variable ${keyEnv} contains a line feed or another character that no key has`;
  const url = addressOf(provider, urlEnv === undefined ? undefined : env[urlEnv]);
  const wrong = addressProblem(url);
  if (wrong !== undefined)
    return `"${key}": ${urlEnv ?? "modelUrl"} ${wrong}; give an API's address, such as http://127.0.0.1:8080/v1`;
  const price = priceOf(key, settings.modelPrices);
  return endpointModel({ key, model, url, secret, timeoutMs: settings.modelTimeoutMs, price }, api);
}

function customProvider({ modelUrl, modelApi, modelKeyEnv }: ModelSettings): Provider | string {
  if (modelUrl === "") return "give its address in modelUrl, such as http://127.0.0.1:8080/v1";
  return {
    api: modelApi === "anthropic" ? anthropicApi : openaiApi("max_tokens"),
    url: modelUrl,
    ...(modelKeyEnv !== "" && { keyEnv: modelKeyEnv }),
  };
}

/** Anthropic's own tools expect the address without the version. */
function addressOf({ api, url }: Provider, other: string | undefined): string {
  const address = (other || url).replace(/\/+$/, "");
  return api === anthropicApi && !address.endsWith("/v1") ? `${address}/v1` : address;
}

function priceOf(key: string, prices: readonly string[]): Price | undefined {
  for (const line of prices) {
    const [named, input, output] = line.trim().split(/\s+/);
    const price = { input: Number(input), output: Number(output) };
    if (named === key && price.input >= 0 && price.output >= 0) return price;
  }
  return undefined;
}
