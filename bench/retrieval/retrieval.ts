import { loadavg } from "node:os";
import { differences, intervalOf, pooledInterval, shown, shownDifference } from "../bootstrap.ts";
import { printTable } from "../measure.ts";
import { dataFolder, type Task, tasks } from "./data.ts";
import { ENGINES, OURS, WORDS_ALONE } from "./engines.ts";
import { type Engine, evaluate, type Figures, METRICS } from "./metrics.ts";
import { byMeaning, ours } from "./ours.ts";

/** Each variant omits or changes one part of Continuo's ranking. */
const ABLATION: Readonly<Record<string, Engine>> = {
  "short texts rewarded": ours({ weights: { minLength: 0 } }),
  "length ignored": ours({ weights: { b: 0 } }),
  "repetition ignored": ours({ weights: { k1: 0.1 } }),
  "titles ignored": ours({ weights: { title: 0 } }),
  "another form counts as the word": ours({ weights: { otherForm: 1 } }),
  "no n-grams": ours({ ngrams: 0 }),
  "meaning alone": byMeaning(),
};

/** Search on public data, compared with plain FTS5 in the same run. */
export async function run(): Promise<void> {
  const all = tasks();
  if (all === undefined) return console.log(`no benchmark data at ${dataFolder}: set CONTINUO_BENCH_DATA`);
  console.log("Development halves. FTS5: porter, stop words dropped, OR. 95% intervals by bootstrap.\n");
  const found = new Map<string, Map<string, Figures>>();
  for (const task of all) found.set(task.name, await figuresByEngine(task));
  printTable(
    ["task", "n", "engine", ...METRICS],
    all.flatMap(({ name, unit, scope }) =>
      [...(found.get(name) ?? [])].map(([engine, figures]) => [
        `${name} (${unit}, ${scope})`,
        figures.MRR.length,
        engine,
        ...METRICS.map((metric) => shown(intervalOf(figures[metric]))),
      ]),
    ),
  );
  console.log("Ours less words alone, question by question.\n");
  const compared = ["any@1", "any@5", "MRR"] as const;
  const differing = (name: string, metric: (typeof compared)[number]): number[] =>
    differences(
      found.get(name)?.get(OURS)?.[metric] ?? [],
      found.get(name)?.get(WORDS_ALONE)?.[metric] ?? [],
    );
  printTable(
    ["task", ...compared],
    [
      ...all.map(({ name }) => [
        name,
        ...compared.map((metric) => shownDifference(intervalOf(differing(name, metric)))),
      ]),
      [
        "mean",
        ...compared.map((metric) =>
          shownDifference(pooledInterval(all.map(({ name }) => differing(name, metric)))),
        ),
      ],
    ],
  );
  await ablation(all, found);
  console.log(`load ${loadavg()[0]?.toFixed(1)}`);
}

async function figuresByEngine(task: Task): Promise<Map<string, Figures>> {
  const found = new Map<string, Figures>();
  for (const [name, engine] of Object.entries(ENGINES)) found.set(name, await evaluate(task, engine));
  return found;
}

async function ablation(all: readonly Task[], found: Map<string, Map<string, Figures>>): Promise<void> {
  console.log("MRR by engine, and when one thing is changed in ours.\n");
  const rows: (string | number)[][] = [];
  const add = (name: string, lists: readonly (readonly number[])[]): void => {
    rows.push([name, ...lists.map((list) => intervalOf(list).mean.toFixed(3)), shown(pooledInterval(lists))]);
  };
  for (const name of Object.keys(ENGINES))
    add(
      name,
      all.map((task) => found.get(task.name)?.get(name)?.MRR ?? []),
    );
  for (const [name, engine] of process.argv.includes("--quick") ? [] : Object.entries(ABLATION)) {
    const lists: (readonly number[])[] = [];
    for (const task of all) lists.push((await evaluate(task, engine)).MRR);
    add(name, lists);
  }
  printTable(["MRR", ...all.map(({ name }) => name), "mean"], rows);
}
