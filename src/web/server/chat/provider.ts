import { ContinuoError } from "../../../base/errors.ts";
import { addressProblem, isSendableKey, isVariableName } from "../../../models/http.ts";
import type { ChatProvider } from "../../../moments/ports/chat.ts";
import { changeConfig } from "../../../setup/change-config.ts";
import { loadConfig } from "../../../store/config.ts";
import type { ChatProviderState } from "../../api/chat.ts";
import type { Web } from "../web.ts";
import type { ProviderRequest } from "./requests.ts";

/** The model that chats use. Settings are in config.json; a typed key is stored only here, until the server ends. */
export interface Provider {
  state(): ChatProviderState;
  change(request: ProviderRequest): Promise<void>;
  /** The host's settings, with the key. Throws if something is missing. */
  use(model?: string): ChatProvider;
  /** The keys that must not leave this process. */
  secrets(): readonly string[];
}

export function createProvider(web: Pick<Web, "env" | "home">): Provider {
  const { env, home } = web;
  // By address: a key typed for one server is never sent to another.
  const typed = new Map<string, string>();

  const settings = () => loadConfig(home.config, [], env).config.hosts.copilot;

  function keyOf(): string | undefined {
    const { chatUrl, chatKeyEnv } = settings();
    const key = typed.get(chatUrl) ?? (chatKeyEnv === "" ? undefined : env[chatKeyEnv]);
    return key === undefined || key.trim() === "" ? undefined : key.trim();
  }
  function state(): ChatProviderState {
    const { chatProvider: type, chatUrl, chatModel, chatApi, chatKeyEnv } = settings();
    const isEndpoint = type === "openai" || type === "anthropic";
    const kept = typed.has(chatUrl) ? "memory" : keyOf() !== undefined ? "environment" : undefined;
    const key = (isEndpoint && kept) || (isEndpoint && chatKeyEnv !== "" ? "missing" : "none");
    const address = { baseUrl: chatUrl, model: chatModel, wireApi: chatApi, keyEnv: chatKeyEnv };
    const about = { type, ...address, key } as const;
    const problem = problemOf(about);
    return problem === undefined ? about : { ...about, problem };
  }

  return {
    state,
    async change(request) {
      const { type, baseUrl, model, wireApi, keyEnv, key } = checked(request);
      const values = {
        chatProvider: type,
        chatUrl: baseUrl,
        chatModel: model,
        chatApi: wireApi,
        chatKeyEnv: keyEnv,
      };
      for (const [name, value] of Object.entries(values)) {
        const isDefault = value === "" || value === "none" || value === "completions";
        if (Object.entries(settings()).some(([known, now]) => known === name && now === value)) continue;
        await changeConfig({ env }, ["hosts", "copilot", name], isDefault ? undefined : value);
      }
      if (key === null) typed.delete(baseUrl);
      else if (key !== undefined) typed.set(baseUrl, key);
    },
    use(model) {
      const { type, baseUrl, wireApi, model: usual, problem } = state();
      if (problem !== undefined || type === "none")
        throw new ContinuoError("provider-missing", problem ?? "no model is set up", {
          hint: "Set up the provider on the chat page.",
        });
      const key = type === "copilot" ? undefined : keyOf();
      return {
        type,
        baseUrl,
        wireApi,
        model: model === undefined || model === "" ? usual : model,
        key,
      };
    },
    secrets: () => [...new Set([...typed.values(), keyOf() ?? ""])].filter((key) => key !== ""),
  };
}

function problemOf(about: Omit<ChatProviderState, "problem">): string | undefined {
  if (about.type === "none") return "no model is set up";
  if (about.type === "copilot") return undefined;
  const wrong = addressProblem(about.baseUrl);
  if (about.baseUrl === "" || wrong !== undefined) return "the address of the endpoint is missing or wrong";
  if (about.model === "") return "the model is missing";
  return about.key === "missing" ? `${about.keyEnv} is not set where continuo web runs` : undefined;
}

/** Anthropic's own clients add /v1 themselves, and so does the SDK. */
function checked(request: ProviderRequest): ProviderRequest {
  const trimmed = request.baseUrl.trim().replace(/\/+$/, "");
  const baseUrl = request.type === "anthropic" ? trimmed.replace(/\/v1$/, "") : trimmed;
  const keyEnv = request.keyEnv.trim();
  const wrong = baseUrl === "" ? undefined : addressProblem(baseUrl);
  if (wrong !== undefined) throw invalid(`the address ${wrong}`, "write it like https://api.openai.com/v1");
  if (keyEnv !== "" && !isVariableName(keyEnv))
    throw invalid(
      "this is not the name of an environment variable",
      "write a name like OPENAI_API_KEY; type the key itself into the field for the key",
    );
  if (typeof request.key === "string" && !isSendableKey(request.key))
    throw invalid("the key has characters that no key has", "copy it again, without spaces or line breaks");
  const key = typeof request.key === "string" ? { key: request.key.trim() } : {};
  return { ...request, model: request.model.trim(), baseUrl, keyEnv, ...key };
}

function invalid(message: string, hint: string): ContinuoError {
  return new ContinuoError("provider-invalid", message, { hint });
}
