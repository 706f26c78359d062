import { join } from "node:path";
import type { Embedder } from "../../src/models/embedder.ts";
import { hasLocalModel, installCommand, localEmbedder } from "../../src/models/local-embedder.ts";
import { SEMANTIC_SHARE } from "../../src/sources/memory/search/fuse.ts";
import { machine, printTable } from "../measure.ts";
import { dataFolder, tasks } from "../retrieval/data.ts";
import { type Engine, evaluate, type Figures, METRICS } from "../retrieval/metrics.ts";
import { type Arm, added, ask, meaning, ranksMerged, spreadAdded, words } from "./arms.ts";
import { cachedEmbedder } from "./cached-embedder.ts";
import { embedding, hybrid, kernels } from "./speed.ts";

/** Semantic search: its speed with random vectors, and its quality with the real model if that is installed. */
export async function run(): Promise<void> {
  console.log(`${machine()}\n`);
  kernels();
  for (const count of [10_000, 100_000]) await hybrid(count);
  const folder = process.env["CONTINUO_BENCH_MODEL"] ?? "";
  if (!hasLocalModel(folder))
    return console.log(`no model: ${installCommand("FOLDER")}, then set CONTINUO_BENCH_MODEL to FOLDER`);
  for (const runtime of ["native", "wasm"] as const) await embedding(localEmbedder(folder, { runtime }));
  await quality(cachedEmbedder(localEmbedder(folder), join(folder, "bench-vectors.db")));
}

const ARMS: Readonly<Record<string, Arm>> = {
  "words alone": words,
  "meaning alone": meaning,
  "ranks merged (RRF)": ranksMerged,
  "spread and added, 0.3": spreadAdded(0.3),
  ...Object.fromEntries(
    [0.1, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.8].map((share) => [`added, ${share}`, added(share)]),
  ),
};

async function quality(embedder: Embedder): Promise<void> {
  const all = tasks();
  if (all === undefined) return console.log(`no benchmark data at ${dataFolder}: set CONTINUO_BENCH_DATA`);
  const rows: (string | number)[][] = [];
  const ablation = new Map(Object.keys(ARMS).map((name) => [name, [] as number[]]));
  for (const task of all) {
    const engineOf = await ask(task, embedder);
    const base = evaluate(task, engineOf(words));
    for (const name of ["words alone", "meaning alone", `added, ${SEMANTIC_SHARE}`])
      rows.push([task.name, base.n, name, ...figuresOf(evaluate(task, engineFor(engineOf, name)), base)]);
    for (const [name, list] of ablation) list.push(evaluate(task, engineFor(engineOf, name)).values.MRR);
  }
  printTable(["task", "n", "arm", ...METRICS, "below words alone in"], rows);
  printTable(
    ["MRR", ...all.map(({ name }) => name), "mean"],
    [...ablation].map(([name, list]) => [
      name,
      ...[...list, list.reduce((sum, one) => sum + one, 0) / list.length].map((one) => one.toFixed(3)),
    ]),
  );
}

const engineFor = (engineOf: (arm: Arm) => Engine, name: string): Engine => engineOf(ARMS[name] ?? words);

function figuresOf({ values }: Figures, base: Figures): string[] {
  const below = METRICS.filter((name) => values[name] < base.values[name]);
  return [...METRICS.map((name) => values[name].toFixed(3)), below.join(", ") || "none"];
}
