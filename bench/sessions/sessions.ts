import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { loadHistory } from "../../src/hosts/index.ts";
import { sessionsIndexPath } from "../../src/sources/sessions/indexing/schema.ts";
import { openSessions } from "../../src/sources/sessions/library.ts";
import { homeAt } from "../../src/store/home.ts";
import { machine, printTable } from "../measure.ts";
import { dataFolder } from "../retrieval/data.ts";
import { METRICS } from "../retrieval/metrics.ts";
import { commitQuestions, judged, writeSessions } from "./commits.ts";
import { freshness } from "./freshness.ts";
import { manySmall, repeatTranscripts } from "./histories.ts";
import { indexing, type Place } from "./indexing.ts";
import { searching } from "./searching.ts";

const history = await loadHistory();

const MB = 1024 * 1024;
const BYTES = Number(process.env["CONTINUO_BENCH_MB"] ?? 200) * MB;
const SMALL = 5000;
const load = (): string =>
  loadavg()
    .map((one) => one.toFixed(1))
    .join(", ");

/**
 * Past sessions: how fast they are indexed, checked for changes and searched, and whether the right one is found. The
 * targets are for `CONTINUO_BENCH_MB=1024`, those of searching for 640 (150,000 passages). A smaller value runs faster.
 */
export async function run(): Promise<void> {
  if (!existsSync(dataFolder))
    return console.log(`no benchmark data at ${dataFolder}: set CONTINUO_BENCH_DATA`);
  console.log(`${machine()}. Load before: ${load()}.\n`);
  await inHome(indexed);
  await inHome(unchanged);
  await finding();
  console.log(`Load after: ${load()}.`);
}

async function inHome<T>(use: (home: string, place: Place) => T | Promise<T>): Promise<T> {
  const home = mkdtempSync(join(tmpdir(), "continuo-bench-sessions-"));
  const env = { PATH: process.env["PATH"], HOME: home, CONTINUO_HOME: join(home, "continuo") };
  try {
    return await use(home, {
      env,
      open: () => openSessions({ home: homeAt(env.CONTINUO_HOME), env, history }),
    });
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

function indexed(home: string, place: Place): void {
  const history = repeatTranscripts(dataFolder, home, BYTES);
  indexing(place, history);
  const sessions = place.open();
  const other = new DatabaseSync(sessionsIndexPath(homeAt(place.env.CONTINUO_HOME)));
  searching(sessions, () => other.exec("UPDATE looked SET at = at + 1"));
  other.close();
  sessions.close();
}

async function unchanged(home: string, { open }: Place): Promise<void> {
  manySmall(dataFolder, home, SMALL);
  const sessions = open();
  await freshness(sessions, SMALL);
  sessions.close();
}

async function finding(): Promise<void> {
  const questions = commitQuestions(dataFolder);
  if (questions === undefined) return;
  await inHome(async (home, { open }) => {
    const count = writeSessions(dataFolder, home);
    const sessions = open();
    await sessions.sync();
    const halves = {
      all: questions,
      "half that settings were chosen on": questions.filter(({ isTuned }) => isTuned),
      "other half": questions.filter(({ isTuned }) => !isTuned),
    };
    console.log(
      `coding-sessions, development half: commit subject -> session, pooled over ${count} sessions.\n`,
    );
    printTable(
      ["questions", "n", ...METRICS],
      Object.entries(halves).map(([name, some]) => {
        const { n, values } = judged(sessions, some);
        return [name, n, ...METRICS.map((metric) => values[metric].toFixed(3))];
      }),
    );
    sessions.close();
  });
}
