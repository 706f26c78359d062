import { realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { ContinuoError, isSystemError } from "../../base/errors.ts";
import { isRecord, parseBounded } from "../../base/json.ts";
import type { HostModels, LanguageModel, ModelRequest, ModelUsage } from "../../models/language-model.ts";
import { readText } from "../../store/read-file.ts";
import { redact } from "../../store/redact.ts";

/** The part of pi's model registry that Continuo uses. */
export interface PiModelRegistry {
  find(provider: string, id: string): object | undefined;
  /** Whether the user has logged in, or configured a key. */
  hasConfiguredAuth?(model: object): boolean;
  getApiKeyAndHeaders(model: object): Promise<PiAuth>;
  /** In newer versions, which supply the key themselves. */
  streamSimple?: PiStream;
}

type PiAuth =
  | { readonly ok: true; readonly apiKey?: string; readonly headers?: object }
  | { readonly ok: false; readonly error: string };

type PiStream = (model: object, context: object, options: object) => { result(): Promise<PiReply> };

/** A failure is also returned as a reply. */
interface PiReply {
  readonly content: readonly { readonly type: string; readonly text?: string }[];
  readonly stopReason: string;
  readonly errorMessage?: string;
  readonly usage?: PiUsage;
}

interface PiUsage {
  readonly input: number;
  readonly output: number;
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
  readonly cost?: { readonly total?: number };
}

type LoadPiAi = () => Promise<{ readonly streamSimple: PiStream }>;
/** Loaded only if needed: newer versions of pi include it in their registry. */
const loadPiAi: LoadPiAi = async () => (await importPiAi()) as Awaited<ReturnType<LoadPiAi>>;

/** The models that pi's user has logged in to. */
export function piModels(registry: PiModelRegistry | undefined, load = loadPiAi): HostModels {
  return (key) => {
    const slash = key.indexOf("/");
    const model = slash > 0 ? registry?.find(key.slice(0, slash), key.slice(slash + 1)) : undefined;
    if (registry === undefined || model === undefined || registry.hasConfiguredAuth?.(model) === false)
      return undefined;
    return languageModel(key, (context, options) => ask(registry, load, model, context, options));
  };
}

async function ask(
  registry: PiModelRegistry,
  load: LoadPiAi,
  model: object,
  context: object,
  options: object,
): Promise<PiReply> {
  if (registry.streamSimple !== undefined) return registry.streamSimple(model, context, options).result();
  const auth = await registry.getApiKeyAndHeaders(model);
  if (!auth.ok) throw new Error(auth.error);
  const { apiKey, headers } = auth;
  return (await load()).streamSimple(model, context, { ...options, apiKey, headers }).result();
}

function languageModel(
  key: string,
  send: (context: object, options: object) => Promise<PiReply>,
): LanguageModel {
  return {
    key,
    async complete({ system, prompt, maxTokens, signal }: ModelRequest) {
      const message = { role: "user", content: [{ type: "text", text: prompt }], timestamp: Date.now() };
      // The same text is never sent twice, so caching it would cost and save nothing.
      const options = { maxTokens, maxRetries: 0, cacheRetention: "none", signal };
      const reply = await send({ systemPrompt: system, messages: [message] }, options).catch((error) => {
        signal?.throwIfAborted();
        throw down(key, error instanceof Error ? error.message : String(error), error);
      });
      signal?.throwIfAborted();
      const { content, stopReason, errorMessage, usage } = reply;
      if (stopReason === "error" || stopReason === "aborted")
        throw down(key, errorMessage ?? "pi does not say why");
      const text = content.map((block) => (block.type === "text" ? (block.text ?? "") : "")).join("");
      if (text === "") throw down(key, "its answer has no text");
      return { text, ...(usage && { usage: usageOf(usage) }) };
    },
  };
}

function usageOf({ input, output, cacheRead = 0, cacheWrite = 0, cost }: PiUsage): ModelUsage {
  const total = cost?.total ?? 0;
  return {
    input: input + cacheRead + cacheWrite,
    output,
    // pi reports 0 for a model with an unknown price.
    ...(total > 0 && { costUsd: total }),
  };
}

/** Hides the provider's message: it may contain the key, and would get into pi's session file and onto the screen. */
function down(key: string, why: string, cause?: unknown): ContinuoError {
  return new ContinuoError("model-down", `pi's model ${key} gave no answer: ${redact(why)}`, {
    hint: "see whether pi itself can use it; nothing was lost, and the session's own words are used instead",
    ...(cause !== undefined && { cause }),
  });
}

/** pi resolves this name to its package of models for extensions, whatever the package is called now. */
const PI_AI = "@mariozechner/pi-ai";
const NAMES = [PI_AI, "@earendil-works/pi-ai"];
/** In newer versions, extensions find what they use in `compat`. */
const ENTRIES = ["./compat", "."];
const MOST_FOLDERS = 40;

/**
 * Loads pi's package of models. If an extension is in an installed package with `"type": "module"`, Node resolves its
 * imports, not pi, so pi's package names fail. Look in pi's own installation instead.
 */
export async function importPiAi(program = process.argv[1]): Promise<unknown> {
  const own = program === undefined ? undefined : entryFor(program);
  // A dynamic name that no bundler follows: otherwise the bundle would be tied to one version.
  return own === undefined ? import(PI_AI) : import(pathToFileURL(own).href);
}

/** The file that an import next to the program would resolve to. */
export function entryFor(program: string): string | undefined {
  let folder: string;
  try {
    folder = dirname(realpathSync(program));
  } catch (error) {
    if (isSystemError(error)) return undefined; // a single-binary program has no such file
    throw error;
  }
  for (let looked = 0; looked < MOST_FOLDERS; looked++) {
    for (const name of NAMES) {
      const entry = entryOf(join(folder, "node_modules", name));
      if (entry !== undefined) return entry;
    }
    const above = dirname(folder);
    if (above === folder) return undefined;
    folder = above;
  }
  return undefined;
}

function entryOf(folder: string): string | undefined {
  const manifest = manifestOf(folder);
  const exports = isRecord(manifest?.["exports"]) ? manifest["exports"] : {};
  for (const name of ENTRIES) {
    const entry = exports[name];
    const path = isRecord(entry) ? entry["import"] : entry;
    if (typeof path === "string" && path.startsWith("./")) return join(folder, path);
  }
  return undefined;
}

function manifestOf(folder: string): Record<string, unknown> | undefined {
  try {
    const value = parseBounded(readText(join(folder, "package.json"), { maxBytes: 1024 * 1024 }));
    return isRecord(value) ? value : undefined;
  } catch (error) {
    if (isSystemError(error) || error instanceof SyntaxError) return undefined;
    throw error;
  }
}
