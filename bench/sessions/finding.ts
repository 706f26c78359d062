import { loadavg } from "node:os";
import { differences, intervalOf, shown, shownDifference } from "../bootstrap.ts";
import { printTable } from "../measure.ts";
import { dataFolder } from "../retrieval/data.ts";
import { METRICS } from "../retrieval/metrics.ts";
import { commitQuestions, figuresFor, writeSessions } from "./commits.ts";
import { inHome } from "./in-home.ts";

export const run = findCommits;

/** Whether a commit's subject finds the session that made it: words alone against words and meaning. */
export async function findCommits(): Promise<void> {
  const questions = commitQuestions(dataFolder);
  if (questions === undefined)
    return console.log(`no benchmark data at ${dataFolder}: set CONTINUO_BENCH_DATA`);
  await inHome(async (home, { open }) => {
    const count = writeSessions(dataFolder, home);
    const sessions = open();
    await sessions.sync();
    const words = open({ meaning: () => undefined });
    const engines = { "words alone": figuresFor(words, questions), ours: figuresFor(sessions, questions) };
    words.close();
    sessions.close();
    const halves = {
      all: questions.map((_, at) => at),
      "half that settings were chosen on": questions.flatMap(({ isTuned }, at) => (isTuned ? [at] : [])),
      "other half": questions.flatMap(({ isTuned }, at) => (isTuned ? [] : [at])),
    };
    const rows = Object.entries(halves).flatMap(([half, places]) => {
      const valuesOf = (engine: keyof typeof engines, metric: (typeof METRICS)[number]): number[] =>
        places.map((at) => engines[engine][metric][at] ?? 0);
      const gain = (metric: (typeof METRICS)[number]): string =>
        shownDifference(intervalOf(differences(valuesOf("ours", metric), valuesOf("words alone", metric))));
      return [
        ...(["words alone", "ours"] as const).map((engine) => [
          half,
          places.length,
          engine,
          ...METRICS.map((metric) => shown(intervalOf(valuesOf(engine, metric)))),
        ]),
        [half, places.length, "ours less words alone", ...METRICS.map(gain)],
      ];
    });
    console.log(`coding-sessions, development half: commit subject -> session, over ${count} sessions.\n`);
    printTable(["questions", "n", "engine", ...METRICS], rows);
    console.log(`load ${loadavg()[0]?.toFixed(1)}\n`);
  });
}
