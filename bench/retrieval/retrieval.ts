import { printTable } from "../measure.ts";
import { fts5 } from "./baseline.ts";
import { dataFolder, type Task, tasks } from "./data.ts";
import { type Engine, evaluate, METRICS } from "./metrics.ts";
import { ours } from "./ours.ts";

/** Each variant omits or changes one part of Continuo's ranking. */
const ABLATION: Readonly<Record<string, Engine>> = {
  "short texts rewarded": ours({ minLength: 0 }),
  "length ignored": ours({ b: 0 }),
  "repetition ignored": ours({ k1: 0.1 }),
  "title as any word": ours({ title: 0 }),
};

/** Full-text search on public data, compared with plain FTS5 in the same run. */
export async function run(): Promise<void> {
  const all = tasks();
  if (all === undefined) return console.log(`no benchmark data at ${dataFolder}: set CONTINUO_BENCH_DATA`);
  console.log(
    "Development halves. FTS5: porter, stop words dropped, OR; chunks of 1,500 characters for coding sessions.\n",
  );
  printTable(["task", "n", "unit", "scope", "engine", ...METRICS, "behind in"], all.flatMap(rowsOf));
  console.log("Ablation: MRR when one thing is left out.\n");
  printTable(
    ["variant", ...all.map(({ name }) => name)],
    Object.entries({ ours: ours(), ...ABLATION }).map(([name, engine]) => [
      name,
      ...all.map((task) => evaluate(task, engine).values.MRR.toFixed(3)),
    ]),
  );
}

function rowsOf(task: Task): (string | number)[][] {
  const base = evaluate(task, fts5(task.name === "coding sessions"));
  const mine = evaluate(task, ours());
  const behind = METRICS.filter((name) => mine.values[name] < base.values[name]);
  const row = (engine: string, { n, values }: typeof base, note: string) => [
    task.name,
    n,
    task.unit,
    task.scope,
    engine,
    ...METRICS.map((name) => values[name].toFixed(3)),
    note,
  ];
  return [row("FTS5", base, ""), row("ours", mine, behind.join(", ") || "none")];
}
