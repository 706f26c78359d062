import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import type { Sessions, SessionsOptions } from "../../src/sources/sessions/library.ts";
import { printTable } from "../measure.ts";
import type { Repeated } from "./histories.ts";
import type { Took } from "./once.ts";

const MB = 1024 * 1024;
const ONCE = join(import.meta.dirname, "once.ts");
const CONTINUO = join(import.meta.dirname, "..", "..", "dist", "continuo.cjs");
/** Prints at exit what the process used, whatever program it is. */
const TELL = `data:text/javascript,${encodeURIComponent(`
  process.on("exit", () => {
    const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
    console.log(JSON.stringify({ cpuSeconds: (userCPUTime + systemCPUTime) / 1e6,
      wallSeconds: performance.now() / 1000, peakBytes: maxRSS * 1024, startBytes: 0 }));
  });
`)}`;

export interface Place {
  readonly env: NodeJS.ProcessEnv & { readonly CONTINUO_HOME: string };
  readonly open: (options?: Partial<SessionsOptions>) => Sessions;
}

/** Reading, indexing, and the command of the built package, each in a separate process. The index is kept. */
export function indexing({ env, open }: Place, history: Repeated): void {
  const cases = {
    "reading alone": () => took([ONCE, "read"], env),
    indexing: () => took([ONCE, "index"], env),
    "continuo sessions index, records too": () =>
      took([`--import=${TELL}`, CONTINUO, "sessions", "index"], env),
  };
  const raw = history.bytes / MB;
  const rows = Object.entries(cases).map(([name, run]) => {
    rmSync(env.CONTINUO_HOME, { recursive: true, force: true });
    const { cpuSeconds, wallSeconds, peakBytes, startBytes } = run();
    return [
      name,
      (raw / cpuSeconds).toFixed(1),
      (raw / wallSeconds).toFixed(1),
      (peakBytes / MB).toFixed(0),
      startBytes === 0 ? "" : (startBytes / MB).toFixed(0),
    ];
  });
  const sessions = open();
  const { bytes, passages } = sessions.size();
  const turns = sessions.list({ children: true }).reduce((sum, { counts }) => sum + counts.turns, 0);
  sessions.close();
  console.log(
    `${history.files} files, ${raw.toFixed(0)} MB, ${turns} turns, ${passages} passages in ${history.projects} projects. ` +
      `Index: ${(bytes / MB).toFixed(1)} MB, ${((100 * bytes) / history.bytes).toFixed(1)}% of raw (target 15%).\n`,
  );
  printTable(
    [
      "n = 1 each",
      "MB per CPU second (target 40)",
      "MB per second",
      "most memory, MB (target 300)",
      "at its start",
    ],
    rows,
  );
}

function took(args: readonly string[], env: NodeJS.ProcessEnv): Took {
  const done = spawnSync(process.execPath, args, { env, encoding: "utf8", maxBuffer: 64 * MB });
  const last = done.stdout.trim().split("\n").at(-1) ?? "";
  if (done.status !== 0 || !last.startsWith("{"))
    throw new Error(`${args.join(" ").slice(-80)} exited with ${done.status}: ${done.stderr.slice(-500)}`);
  return JSON.parse(last) as Took;
}
