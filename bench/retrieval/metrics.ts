import type { Corpus, Question, Task } from "./data.ts";

export const METRICS = ["any@1", "any@3", "any@5", "any@10", "recall@5", "recall@10", "MRR"] as const;
export type Metric = (typeof METRICS)[number];

/** Each metric with a value per question, in the order of the questions, so that engines can be compared by question. */
export type Figures = Readonly<Record<Metric, readonly number[]>>;

/** Indexes a corpus and returns a function that ranks its documents for a query, best first, ten or more. */
export type Engine = (corpus: Corpus) => Searcher | Promise<Searcher>;

export interface Searcher {
  rank(query: string): readonly string[] | Promise<readonly string[]>;
  close(): void;
}

export async function evaluate(task: Pick<Task, "corpora">, engine: Engine): Promise<Figures> {
  const judged: Record<Metric, number>[] = [];
  for (const corpus of task.corpora) {
    const searcher = await engine(corpus);
    for (const question of corpus.questions) {
      const ranked = await searcher.rank(question.query);
      judged.push(
        judge(
          question.gold,
          ranked.filter((id) => id !== question.from),
        ),
      );
    }
    searcher.close();
  }
  return figuresOf(judged);
}

export function figuresOf(judged: readonly Record<Metric, number>[]): Figures {
  return Object.fromEntries(METRICS.map((name) => [name, judged.map((one) => one[name])])) as Record<
    Metric,
    number[]
  >;
}

export function judge(gold: Question["gold"], ranked: readonly string[]): Record<Metric, number> {
  const hits = (k: number) => ranked.slice(0, k).filter((id) => gold.has(id)).length;
  const first = ranked.findIndex((id) => gold.has(id));
  return {
    "any@1": Math.min(1, hits(1)),
    "any@3": Math.min(1, hits(3)),
    "any@5": Math.min(1, hits(5)),
    "any@10": Math.min(1, hits(10)),
    "recall@5": hits(5) / gold.size,
    "recall@10": hits(10) / gold.size,
    MRR: first < 0 ? 0 : 1 / (first + 1),
  };
}
