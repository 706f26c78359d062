import { join } from "node:path";
import type { Embedder } from "../../src/models/embedder.ts";
import { hasLocalModel, installCommand, localEmbedder } from "../../src/models/local-embedder.ts";
import { differences, intervalOf, shown, shownDifference } from "../bootstrap.ts";
import { corpusOf, OWN_WORDS, setQuestions } from "../meaning/questions.ts";
import { machine, printTable } from "../measure.ts";
import { dataFolder, tasks } from "../retrieval/data.ts";
import { OURS, WORDS_ALONE } from "../retrieval/engines.ts";
import { type Engine, evaluate, METRICS } from "../retrieval/metrics.ts";
import { byMeaning, ours } from "../retrieval/ours.ts";
import { cachedEmbedder } from "./cached-embedder.ts";
import { withModel } from "./model-engine.ts";
import { embedding, hybrid, kernels } from "./speed.ts";

/** A larger model: its speed with random vectors, and its quality against the table of meaning if one is installed. */
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

async function quality(embedder: Embedder): Promise<void> {
  const data = tasks();
  if (data === undefined) console.log(`no benchmark data at ${dataFolder}: set CONTINUO_BENCH_DATA`);
  const inOtherWords = setQuestions().filter(({ kind }) => kind !== OWN_WORDS);
  const all = [...(data ?? []), { name: "in other words", corpora: [corpusOf(inOtherWords)] }];
  const engines: Record<string, Engine> = {
    [WORDS_ALONE]: ours({ isWithoutMeaning: true }),
    "table alone": byMeaning(),
    [OURS]: ours(),
    "model alone": withModel(embedder, "Semantic"),
    "words and model": withModel(embedder, "Hybrid"),
  };
  const rows: (string | number)[][] = [];
  for (const task of all) {
    const table = await evaluate(task, ours());
    for (const [name, engine] of Object.entries(engines)) {
      const figures = await evaluate(task, engine);
      rows.push([
        task.name,
        figures.MRR.length,
        name,
        ...METRICS.map((metric) => shown(intervalOf(figures[metric]))),
        name === OURS ? "" : shownDifference(intervalOf(differences(figures.MRR, table.MRR))),
      ]);
    }
  }
  printTable(["task", "n", "engine", ...METRICS, "MRR less ours"], rows);
}
