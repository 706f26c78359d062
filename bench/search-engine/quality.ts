import { NEARNESS, NGRAMS } from "../../src/sources/notes/search/ranking.ts";
import { differences, intervalOf, pooledInterval, shown, shownDifference } from "../bootstrap.ts";
import { corpusOf, HALVES, halfOf, KINDS, OWN_WORDS, setQuestions } from "../meaning/questions.ts";
import { printTable } from "../measure.ts";
import { dataFolder, tasks } from "../retrieval/data.ts";
import { OURS } from "../retrieval/engines.ts";
import { type Engine, evaluate, type Figures } from "../retrieval/metrics.ts";
import { ours } from "../retrieval/ours.ts";
import { FTS5 } from "./fts5-words.ts";
import { type Fusing, fts5Fused } from "./fused.ts";
import { typos } from "./typos.ts";

/** Those of notes (`memory/search/ranking.ts`), given to all engines. */
export const FUSING: Fusing = { nearness: NEARNESS, ngrams: NGRAMS };

const withWeight = (weight: number): Fusing => ({
  ...FUSING,
  nearness: { ...FUSING.nearness, weight },
});

export const ENGINES: Readonly<Record<string, Engine>> = {
  [OURS]: ours(FUSING),
  "FTS5, porter": fts5Fused(FTS5, FUSING),
  "FTS5, porter, trigrams": fts5Fused({ ...FTS5, trigrams: true }, FUSING),
  "FTS5, our terms": fts5Fused({ ...FTS5, terms: "ours" }, FUSING),
  "FTS5, our terms, 6 rarest": fts5Fused({ ...FTS5, terms: "ours", mostTerms: 6 }, FUSING),
  "FTS5, our terms, title 4": fts5Fused({ ...FTS5, terms: "ours", title: 4 }, FUSING),
  "FTS5, our terms, meaning .03": fts5Fused({ ...FTS5, terms: "ours" }, withWeight(0.03)),
  "FTS5, our terms, meaning .06": fts5Fused({ ...FTS5, terms: "ours" }, withWeight(0.06)),
};

/** Words of both engines fused with the same vectors by the same formula, and reranked alike. */
export async function quality(): Promise<void> {
  const rows: (string | number)[][] = [];
  const data = tasks() ?? [];
  if (data.length === 0) console.log(`no benchmark data at ${dataFolder}: set CONTINUO_BENCH_DATA`);
  const byTask: Record<string, Figures>[] = [];
  for (const task of data) byTask.push(await figuresOf(task.corpora));
  for (const name of Object.keys(ENGINES)) {
    const lists = byTask.map((found) => found[name]?.MRR ?? []);
    const less = byTask.map((found, at) => differences(lists[at] ?? [], found[OURS]?.MRR ?? []));
    rows.push([
      name,
      ...lists.map((list) => intervalOf(list).mean.toFixed(3)),
      shown(pooledInterval(lists)),
      ...(name === OURS ? less.map(() => "") : less.map((one) => shownDifference(intervalOf(one)))),
      name === OURS ? "" : shownDifference(pooledInterval(less)),
    ]);
  }
  const names = data.map(({ name }) => name);
  console.log("MRR on public data, development halves.\n");
  printTable(
    ["engine", ...names, "mean", ...names.map((name) => `${name} less ours`), "mean less ours"],
    rows,
  );
  await inOtherWords();
  await typos(ENGINES);
}

async function figuresOf(
  corpora: Parameters<typeof evaluate>[0]["corpora"],
): Promise<Record<string, Figures>> {
  const found: Record<string, Figures> = {};
  for (const [name, engine] of Object.entries(ENGINES)) found[name] = await evaluate({ corpora }, engine);
  return found;
}

async function inOtherWords(): Promise<void> {
  const questions = setQuestions();
  const found = await figuresOf([corpusOf(questions)]);
  const rows: (string | number)[][] = [];
  const groups = {
    "all in other words": (kind: string) => kind !== OWN_WORDS,
    ...Object.fromEntries(KINDS.map((kind) => [kind, (one: string) => one === kind])),
  };
  for (const half of HALVES)
    for (const [group, isIn] of Object.entries(groups)) {
      const places = questions.flatMap((one, at) => (halfOf(one) === half && isIn(one.kind) ? [at] : []));
      const valuesOf = (name: string, metric: "any@1" | "any@3" | "MRR"): number[] =>
        places.map((at) => found[name]?.[metric][at] ?? 0);
      for (const name of Object.keys(ENGINES))
        rows.push([
          `${half}: ${group}`,
          places.length,
          name,
          ...(["any@1", "any@3", "MRR"] as const).map((metric) => shown(intervalOf(valuesOf(name, metric)))),
          name === OURS
            ? ""
            : shownDifference(intervalOf(differences(valuesOf(name, "MRR"), valuesOf(OURS, "MRR")))),
        ]);
    }
  console.log("Questions about 200 notes.\n");
  printTable(["questions", "n", "engine", "first", "first three", "MRR", "MRR less ours"], rows);
}
