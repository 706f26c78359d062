import type { Corpus, Question, Task } from "./data.ts";

export interface Figures {
  readonly n: number;
  readonly values: Readonly<Record<(typeof METRICS)[number], number>>;
}

export const METRICS = ["any@1", "any@5", "any@10", "recall@5", "recall@10", "MRR"] as const;

/** Indexes a corpus and returns a function that ranks its documents for a query, best first, ten or more. */
export type Engine = (corpus: Corpus) => {
  rank(query: string): readonly string[] | Promise<readonly string[]>;
  close(): void;
};

export async function evaluate(task: Task, engine: Engine): Promise<Figures> {
  const sums = Object.fromEntries(METRICS.map((name) => [name, 0])) as Record<
    (typeof METRICS)[number],
    number
  >;
  let n = 0;
  for (const corpus of task.corpora) {
    const searcher = engine(corpus);
    for (const question of corpus.questions) {
      n++;
      const ranked = await searcher.rank(question.query);
      const one = judge(
        question,
        ranked.filter((id) => id !== question.from),
      );
      for (const name of METRICS) sums[name] += one[name];
    }
    searcher.close();
  }
  for (const name of METRICS) sums[name] /= n;
  return { n, values: sums };
}

function judge({ gold }: Question, ranked: readonly string[]): Record<(typeof METRICS)[number], number> {
  const hits = (k: number) => ranked.slice(0, k).filter((id) => gold.has(id)).length;
  const first = ranked.findIndex((id) => gold.has(id));
  return {
    "any@1": Math.min(1, hits(1)),
    "any@5": Math.min(1, hits(5)),
    "any@10": Math.min(1, hits(10)),
    "recall@5": hits(5) / gold.size,
    "recall@10": hits(10) / gold.size,
    MRR: first < 0 ? 0 : 1 / (first + 1),
  };
}
