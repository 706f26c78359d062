import { loadavg } from "node:os";
import { differences, intervalOf, shown, shownDifference } from "../bootstrap.ts";
import { printTable } from "../measure.ts";
import { ENGINES, OURS, WORDS_ALONE } from "../retrieval/engines.ts";
import { type Engine, evaluate, type Figures } from "../retrieval/metrics.ts";
import { byMeaning } from "../retrieval/ours.ts";
import { HALVES, halfOf, KINDS, OWN_WORDS, setQuestions, sharedTerms, storesOf } from "./questions.ts";

const COMPARED: Readonly<Record<string, Engine>> = { ...ENGINES, "meaning alone": byMeaning() };
const COLUMNS = { first: "any@1", "first three": "any@3", MRR: "MRR" } as const;

/** All notes in one store, and in three of 66 or 67 notes. */
const STORES = [1, 3];

/** Questions about notes, most in other words than the notes'. `-- meaning development` prints one half only. */
export async function run(): Promise<void> {
  for (const count of STORES) await report(count);
  console.log(`load ${loadavg()[0]?.toFixed(1)}`);
}

async function report(count: number): Promise<void> {
  const all = setQuestions();
  const stores = storesOf(count, all);
  const questions = stores.flatMap(({ places }) => places.flatMap((at) => all[at] ?? []));
  const found = new Map<string, Figures>();
  for (const [name, engine] of Object.entries(COMPARED))
    found.set(name, await evaluate({ corpora: stores.map(({ corpus }) => corpus) }, engine));
  const shared = sharedTerms(questions);
  const isEveryday = (at: number): boolean => questions[at]?.kind.startsWith("everyday") === true;
  const isOwn = (at: number): boolean => questions[at]?.kind === OWN_WORDS;
  const groups: Record<string, (at: number) => boolean> = {
    "all in other words": (at) => !isOwn(at),
    "an engineer's": (at) => !isOwn(at) && !isEveryday(at),
    everyday: isEveryday,
    ...Object.fromEntries(KINDS.map((kind) => [kind, (at: number) => questions[at]?.kind === kind])),
    "other languages": (at) => questions[at]?.language !== undefined,
    "no shared word": (at) => !isOwn(at) && shared[at] === 0,
    "one shared word": (at) => !isOwn(at) && shared[at] === 1,
    "two or more": (at) => !isOwn(at) && (shared[at] ?? 0) > 1,
  };
  const wanted = HALVES.filter((half) => process.argv[3] === undefined || process.argv[3] === half);
  for (const half of wanted) {
    const rows: (string | number)[][] = [];
    for (const [group, isIn] of Object.entries(groups)) {
      const places = questions.flatMap((one, at) => (halfOf(one) === half && isIn(at) ? [at] : []));
      const valuesOf = (engine: string, metric: (typeof COLUMNS)[keyof typeof COLUMNS]): number[] =>
        places.map((at) => found.get(engine)?.[metric][at] ?? 0);
      for (const engine of Object.keys(COMPARED))
        rows.push([
          group,
          places.length,
          engine,
          ...Object.values(COLUMNS).map((metric) => shown(intervalOf(valuesOf(engine, metric)))),
        ]);
      const gain = (metric: (typeof COLUMNS)[keyof typeof COLUMNS]): string =>
        shownDifference(intervalOf(differences(valuesOf(OURS, metric), valuesOf(WORDS_ALONE, metric))));
      rows.push([group, places.length, "ours less words alone", ...Object.values(COLUMNS).map(gain)]);
    }
    console.log(
      `${half} half, ${count === 1 ? "one store of 200 notes" : "three stores of 66 or 67 notes"}\n`,
    );
    printTable(["questions", "n", "engine", ...Object.keys(COLUMNS)], rows);
  }
}
