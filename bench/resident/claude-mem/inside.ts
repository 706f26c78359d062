/**
 * Runs in namespaces of its own: without a network besides loopback, and every process that claude-mem leaves behind ends
 * with this one. Reads what to run from standard input and prints the times as JSON.
 */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { type Command, type Spent, timeScript } from "../../process-time.ts";

/** A shell command as Claude Code runs it. `ROUND` in its input becomes a number of four digits, another one in each round. */
export interface ShellCase extends Omit<Command, "args"> {
  readonly name: string;
  readonly command: string;
}

export interface Job {
  /** Run once before: it starts claude-mem's worker. */
  readonly first: readonly ShellCase[];
  readonly cases: readonly ShellCase[];
  readonly rounds: number;
}

const SCRIPT = `TIMEFORMAT='%3R %3U %3S'; time bash -c "$1"`;

function timed({ name, command, stdin, ...where }: ShellCase, round: number): Spent {
  const input = stdin.replaceAll("ROUND", String(1000 + round));
  return timeScript(name, SCRIPT, [command], { ...where, stdin: input });
}

execFileSync("ip", ["link", "set", "lo", "up"]);
const { first, cases, rounds } = JSON.parse(readFileSync(0, "utf8")) as Job;
for (const one of first) timed(one, 0);
const times = cases.map(() => [] as Spent[]);
for (let round = -2; round < rounds; round++)
  for (let i = 0; i < cases.length; i++) {
    const at = (i + round + 2) % cases.length;
    const one = cases[at];
    if (one === undefined) continue;
    const spent = timed(one, round + 3);
    if (round >= 0) times[at]?.push(spent);
  }
console.log(JSON.stringify(times));
