import { existsSync } from "node:fs";
import { loadavg } from "node:os";
import { DatabaseSync } from "node:sqlite";
import { sessionsIndexPath } from "../../src/sources/sessions/indexing/schema.ts";
import { homeAt } from "../../src/store/home.ts";
import { machine } from "../measure.ts";
import { dataFolder } from "../retrieval/data.ts";
import { findCommits } from "./finding.ts";
import { freshness } from "./freshness.ts";
import { manySmall, repeatTranscripts } from "./histories.ts";
import { inHome } from "./in-home.ts";
import { indexing, type Place } from "./indexing.ts";
import { searching } from "./searching.ts";

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
  await findCommits();
  console.log(`Load after: ${load()}.`);
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
