import { boundYoungGeneration } from "../../src/base/young-generation.ts";
import { loadHistory } from "../../src/hosts/index.ts";
import { openSessions } from "../../src/sources/sessions/library.ts";
import { findHome } from "../../src/store/home.ts";

const history = await loadHistory();

/** What one process used, as it prints it on its last line of output. */
export interface Took {
  readonly cpuSeconds: number;
  readonly wallSeconds: number;
  /** Peak resident memory, and the memory before any work: Node, and the compiler for these sources. */
  readonly peakBytes: number;
  readonly startBytes: number;
}

/** A separate process for each measurement: `read` all transcripts of the user in `HOME`, or `index` them. */
async function main(what: string): Promise<void> {
  const startBytes = process.memoryUsage.rss();
  const before = process.cpuUsage();
  const begun = performance.now();
  if (what === "read") readAll();
  else await indexAll();
  const { user, system } = process.cpuUsage(before);
  const took: Took = {
    cpuSeconds: (user + system) / 1e6,
    wallSeconds: (performance.now() - begun) / 1000,
    peakBytes: process.resourceUsage().maxRSS * 1024,
    startBytes,
  };
  console.log(JSON.stringify(took));
}

/** The readers without an index: a lower bound for indexing. */
function readAll(): void {
  let turns = 0;
  for (const reader of history.values())
    for (const file of reader.discover(process.env)) for (const _ of reader.read(file)) turns++;
  if (turns === 0) throw new Error("nothing was read");
}

/** Like `continuo sessions index`, without the records. */
async function indexAll(): Promise<void> {
  const sessions = openSessions({ home: findHome(process.env), history, env: process.env });
  await sessions.sync({ onProgress: boundYoungGeneration });
  sessions.close();
}

if (process.argv[1] === import.meta.filename) await main(process.argv[2] ?? "");
