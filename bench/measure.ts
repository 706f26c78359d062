import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";

/** Values at the given shares of a sample, e.g. `[0.5, 0.95]`. */
export function quantiles(sample: readonly number[], shares: readonly number[]): number[] {
  const sorted = [...sample].sort((a, b) => a - b);
  return shares.map(
    (share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN,
  );
}

export interface Case {
  readonly name: string;
  /** Prepares one run and returns what to start. */
  prepare(round: number): { args: readonly string[]; env: NodeJS.ProcessEnv; stdin: string; cwd: string };
}

/** Wall times of processes. All cases are interleaved in every round, so that noise affects them equally. */
export function timeProcesses(cases: readonly Case[], rounds: number): Map<string, number[]> {
  const times = new Map(cases.map((one) => [one.name, [] as number[]]));
  for (let round = -3; round < rounds; round++) {
    for (const one of cases) {
      const { args, env, stdin, cwd } = one.prepare(round);
      const begun = performance.now();
      const done = spawnSync(process.execPath, args, { env, cwd, input: stdin });
      const took = performance.now() - begun;
      if (done.status !== 0) throw new Error(`${one.name} exited with ${done.status}: ${done.stderr}`);
      if (round >= 0) times.get(one.name)?.push(took);
    }
  }
  return times;
}

export function machine(): string {
  const model = cpus()[0]?.model.trim() ?? "unknown";
  const memory = Math.round(totalmem() / 2 ** 30);
  return `${cpus().length} x ${model}, ${memory} GB, ${process.platform}, Node ${process.versions.node}${container()}`;
}

function container(): string {
  try {
    return readFileSync("/proc/version", "utf8").includes("fc") ? ", virtual machine" : "";
  } catch {
    return ""; // not Linux: nothing to add
  }
}

/** What follows this option on the command line. */
export function argument(option: string): string | undefined {
  const at = process.argv.indexOf(option);
  return at < 0 ? undefined : process.argv[at + 1];
}

export function printTable(head: readonly string[], rows: readonly (readonly (string | number)[])[]): void {
  console.log(`| ${head.join(" | ")} |`);
  console.log(`|${head.map(() => "---").join("|")}|`);
  for (const row of rows) console.log(`| ${row.join(" | ")} |`);
  console.log("");
}
