import { spawnSync } from "node:child_process";
import { quantiles } from "./measure.ts";

export interface Command {
  /** Arguments for Node. */
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly stdin: string;
  readonly cwd: string;
}

export interface TimedCase {
  readonly name: string;
  /** Prepares one run, which is not timed, and returns what to start. */
  prepare(round: number): Command;
}

/** Wall and processor time in milliseconds, and what the process printed. */
export interface Spent {
  readonly wall: number;
  readonly cpu: number;
  readonly printed: string;
}

/** Bash reports the processor time of a child, which Node cannot. The last line on standard error is the report. */
const SCRIPT = `TIMEFORMAT='%3R %3U %3S'; time "$@"`;

export function timeProcess(name: string, { args, env, stdin, cwd }: Command): Spent {
  return timeScript(name, SCRIPT, [process.execPath, ...args], { env, stdin, cwd });
}

/** A Bash script that ends with a `time` in the format of `SCRIPT`. */
export function timeScript(
  name: string,
  script: string,
  args: readonly string[],
  { env, stdin, cwd }: Omit<Command, "args">,
): Spent {
  const options = { env, cwd, input: stdin, encoding: "utf8", maxBuffer: 2 ** 26 } as const;
  const done = spawnSync("/bin/bash", ["-c", script, "bash", ...args], options);
  if (done.status !== 0) throw new Error(`${name} exited with ${done.status}: ${done.stderr}`);
  const [wall, user, system] = (done.stderr.trimEnd().split("\n").at(-1) ?? "").split(" ").map(Number);
  if (wall === undefined || user === undefined || system === undefined || Number.isNaN(wall))
    throw new Error(`${name}: no times in ${done.stderr}`);
  return { wall: wall * 1000, cpu: (user + system) * 1000, printed: done.stdout };
}

/** All cases in every round, each round beginning with another case, so that noise affects them equally. Three rounds warm up. */
export function timeInterleaved(cases: readonly TimedCase[], rounds: number): Map<string, Spent[]> {
  const times = new Map(cases.map((one) => [one.name, [] as Spent[]]));
  for (let round = -3; round < rounds; round++) {
    for (let i = 0; i < cases.length; i++) {
      const one = cases[(i + round + 3) % cases.length];
      if (one === undefined) continue;
      const spent = timeProcess(one.name, one.prepare(round));
      if (round >= 0) times.get(one.name)?.push(spent);
    }
  }
  return times;
}

export const median = (sample: readonly number[]): number => quantiles(sample, [0.5])[0] ?? Number.NaN;
export const p95 = (sample: readonly number[]): number => quantiles(sample, [0.95])[0] ?? Number.NaN;
