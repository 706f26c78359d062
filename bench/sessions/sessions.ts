import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSessions, type Sessions } from "../../src/sources/sessions/library.ts";
import { homeAt } from "../../src/store/home.ts";
import { discoverSessions, READERS } from "../../src/transcripts/readers.ts";
import { machine, printTable, quantiles } from "../measure.ts";
import { dataFolder } from "../retrieval/data.ts";
import { METRICS } from "../retrieval/metrics.ts";
import { commitQuestions, judged, writeSessions } from "./commits.ts";
import { manySmall, repeatTranscripts } from "./histories.ts";

const MB = 1024 * 1024;
const BYTES = Number(process.env["CONTINUO_BENCH_MB"] ?? 200) * MB;
const SMALL = 5000;

/** Past sessions: how fast they are indexed, seen to be unchanged, searched; and whether the right one is found. */
export async function run(): Promise<void> {
  if (!existsSync(dataFolder))
    return console.log(`no benchmark data at ${dataFolder}: set CONTINUO_BENCH_DATA`);
  console.log(`${machine()}\n`);
  await indexing();
  await freshness();
  await finding();
}

async function inHome<T>(use: (home: string, open: () => Sessions) => Promise<T>): Promise<T> {
  const home = mkdtempSync(join(tmpdir(), "continuo-bench-sessions-"));
  const env = { HOME: home, CONTINUO_HOME: join(home, "continuo") };
  try {
    return await use(home, () => openSessions({ home: homeAt(env.CONTINUO_HOME), env }));
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

async function indexing(): Promise<void> {
  await inHome(async (home, open) => {
    const history = repeatTranscripts(dataFolder, home, BYTES);
    const reading = readingAlone(home);
    const sessions = open();
    let most = 0;
    const watch = (): void => {
      most = Math.max(most, process.memoryUsage.rss());
    };
    const before = process.cpuUsage();
    const begun = performance.now();
    await sessions.sync({ onProgress: watch });
    const wall = (performance.now() - begun) / 1000;
    const used = process.cpuUsage(before);
    const cpu = (used.user + used.system) / 1e6;
    const { bytes, passages } = sessions.size();
    const raw = history.bytes / MB;
    printTable(
      [
        "files",
        "raw MB",
        "MB per CPU second",
        "reading alone",
        "MB per second",
        "most memory, MB",
        "passages",
        "index, share of raw",
      ],
      [
        [
          history.files,
          raw.toFixed(0),
          (raw / cpu).toFixed(1),
          (raw / reading).toFixed(1),
          (raw / wall).toFixed(1),
          (most / MB).toFixed(0),
          passages,
          (bytes / history.bytes).toFixed(3),
        ],
      ],
    );
    searching(sessions, passages);
    sessions.close();
  });
}

/** CPU seconds of the readers without an index: what no index can be faster than. */
function readingAlone(home: string): number {
  const before = process.cpuUsage();
  let turns = 0;
  for (const file of discoverSessions({ HOME: home })) for (const _ of READERS[file.host].read(file)) turns++;
  const { user, system } = process.cpuUsage(before);
  if (turns === 0) throw new Error("nothing was read");
  return (user + system) / 1e6;
}

const QUERIES = [
  "compaction loses the summary",
  "theme colors for tool output",
  "why does the test fail",
  "push and open a pull request",
  "checkpoint list session id",
  "xterm scrollback tmux",
  "read main.ts and the tui renderer",
  "fix the error in the parser and run the tests again",
  "beads",
  "agent session branch commit message file tool result error code",
];

function searching(sessions: Sessions, passages: number): void {
  const times: number[] = [];
  const cpu: number[] = [];
  for (let round = -1; round < 10; round++) {
    for (const query of QUERIES) {
      const before = process.cpuUsage();
      const begun = performance.now();
      sessions.search(query, { limit: 10 });
      const { user, system } = process.cpuUsage(before);
      if (round < 0) continue;
      times.push(performance.now() - begun);
      cpu.push((user + system) / 1000);
    }
  }
  const rowOf = (name: string, sample: readonly number[]) => [
    passages,
    sample.length,
    name,
    ...quantiles(sample, [0.5, 0.95]).map((ms) => ms.toFixed(1)),
  ];
  printTable(
    ["passages", "queries", "time", "p50, ms", "p95, ms"],
    [rowOf("CPU", cpu), rowOf("wall", times)],
  );
}

async function freshness(): Promise<void> {
  await inHome(async (home, open) => {
    manySmall(dataFolder, home, SMALL);
    const sessions = open();
    await sessions.sync();
    const times: number[] = [];
    for (let round = 0; round < 12; round++) {
      const begun = performance.now();
      await sessions.sync({ sliceMs: 1000 });
      if (round > 1) times.push(performance.now() - begun);
    }
    const [least = 0, p50 = 0] = quantiles(times, [0, 0.5]);
    printTable(["unchanged sessions", "least, ms", "p50, ms"], [[SMALL, least.toFixed(1), p50.toFixed(1)]]);
    sessions.close();
  });
}

async function finding(): Promise<void> {
  const questions = commitQuestions(dataFolder);
  if (questions === undefined) return;
  await inHome(async (home, open) => {
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
