import { queryTerms } from "../../src/search/words.ts";
import { ADDITION_SCORE, MAX_NOTES, MIN_TERMS } from "../../src/sources/memory/ports/memory-answers.ts";
import { printTable } from "../measure.ts";
import { type Corpus, dataFolder, tasks } from "../retrieval/data.ts";
import { scored } from "../retrieval/ours.ts";

/** A store of notes, prompts that one of the notes answers, and prompts of other projects that none answers. */
interface Case {
  readonly name: string;
  readonly corpus: Corpus;
  readonly strangers: readonly string[];
}

interface Outcome {
  /** The score of the best note. */
  readonly score: number;
  /** The score of the right note if it is among the first five, and its rank, starting at 1. */
  readonly right: { readonly score: number; readonly place: number } | undefined;
}

/** Prompts that are about a note must get it; prompts of other projects must get nothing. */
export async function run(): Promise<void> {
  const all = cases();
  if (all === undefined) return console.log(`no benchmark data at ${dataFolder}: set CONTINUO_BENCH_DATA`);
  const measured = all.map((one) => ({ name: one.name, ...measure(one) }));
  const candidates = Array.from({ length: 11 }, (_, i) => 0.2 + i * 0.02);
  console.log("Development half of the prompts (even numbers), by threshold.\n");
  table(measured, candidates, 0);
  console.log(`Other half (odd numbers), at the threshold in use: ${ADDITION_SCORE}.\n`);
  table(measured, [ADDITION_SCORE], 1);
}

type Measured = { name: string; relevant: Outcome[]; strangers: Outcome[] };

function table(measured: readonly Measured[], thresholds: readonly number[], half: 0 | 1): void {
  const of = (list: readonly Outcome[]) => list.filter((_, i) => i % 2 === half);
  printTable(
    [
      "notes",
      "threshold",
      "relevant n",
      "right in top 5",
      "and above it",
      "and among the added",
      "strangers n",
      "get an addition",
    ],
    measured.flatMap(({ name, relevant, strangers }) =>
      thresholds.map((threshold) => {
        const mine = of(relevant);
        const others = of(strangers);
        const share = (list: readonly Outcome[], test: (one: Outcome) => boolean) =>
          (list.filter(test).length / list.length).toFixed(3);
        return [
          name,
          threshold.toFixed(2),
          mine.length,
          share(mine, ({ right }) => right !== undefined),
          share(mine, ({ right }) => right !== undefined && right.score >= threshold),
          share(
            mine,
            ({ right }) => right !== undefined && right.score >= threshold && right.place <= MAX_NOTES,
          ),
          others.length,
          share(others, ({ score }) => score >= threshold),
        ];
      }),
    ),
  );
}

function cases(): Case[] | undefined {
  const all = tasks();
  if (all === undefined) return undefined;
  const corpus = (name: string): Corpus => {
    const corpora = all.find((task) => task.name === name)?.corpora ?? [];
    return {
      documents: corpora.flatMap(({ documents }, c) =>
        documents.map((one) => ({ ...one, id: `${c}/${one.id}` })),
      ),
      questions: corpora.flatMap(({ questions }, c) =>
        questions.map((one) => ({
          ...one,
          gold: new Set([...one.gold].map((id) => `${c}/${id}`)),
          ...(one.from === undefined ? {} : { from: `${c}/${one.from}` }),
        })),
      ),
    };
  };
  const coding = corpus("coding sessions");
  const vault = corpus("vault logseq-docs");
  const locomo = corpus("LoCoMo session");
  const prompts = (from: Corpus) => from.questions.map(({ query }) => query);
  const beam = prompts(corpus("BEAM 100K"));
  return [
    { name: "coding sessions", corpus: coding, strangers: [...prompts(vault), ...beam, ...prompts(locomo)] },
    { name: "vault", corpus: vault, strangers: [...prompts(coding), ...beam, ...prompts(locomo)] },
    { name: "LoCoMo sessions, pooled", corpus: locomo, strangers: [...prompts(coding), ...prompts(vault)] },
  ];
}

function measure({ corpus, strangers }: Case): { relevant: Outcome[]; strangers: Outcome[] } {
  const { rank, close } = scored(corpus);
  try {
    const outcome = (query: string, gold: ReadonlySet<string>, from?: string): Outcome => {
      if (queryTerms(query).length < MIN_TERMS) return { score: 0, right: undefined };
      const found = rank(query).filter(({ id }) => id !== from);
      const at = found.slice(0, 5).findIndex(({ id }) => gold.has(id));
      const right = at < 0 ? undefined : { score: found[at]?.score ?? 0, place: at + 1 };
      return { score: found[0]?.score ?? 0, right };
    };
    return {
      relevant: corpus.questions.map(({ query, gold, from }) => outcome(query, gold, from)),
      strangers: strangers.map((query) => outcome(query, new Set())),
    };
  } finally {
    close();
  }
}
