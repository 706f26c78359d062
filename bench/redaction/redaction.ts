import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { redact } from "../../src/store/redact.ts";
import { machine, printTable } from "../measure.ts";

const DATA = process.env["CONTINUO_BENCH_DATA"] ?? join(import.meta.dirname, "../../../shared/bench");
const ROUNDS = 9;

/**
 * Megabytes per second over the strings of real transcripts. `CONTINUO_BENCH_OLD` is the path of another checkout's
 * `redact.ts`, which is measured in the same rounds.
 */
export async function run(): Promise<void> {
  const texts = stringsIn(join(DATA, "transcripts"));
  const size = texts.reduce((sum, text) => sum + text.length, 0);
  const old = process.env["CONTINUO_BENCH_OLD"];
  const ways: [string, (text: string) => string][] = [["now", redact]];
  if (old !== undefined) ways.push(["before", ((await import(old)) as { redact: typeof redact }).redact]);
  const took = new Map<string, number[]>(ways.map(([name]) => [name, []]));
  for (let round = -2; round < ROUNDS; round++) {
    for (const [name, way] of ways) {
      const begun = performance.now();
      for (const text of texts) way(text);
      if (round >= 0) took.get(name)?.push(performance.now() - begun);
    }
  }
  const median = (name: string): number =>
    [...(took.get(name) ?? [])].sort((a, b) => a - b)[ROUNDS >> 1] ?? Number.NaN;
  console.log(
    `${machine()}; ${texts.length} strings, ${(size / 1e6).toFixed(1)} MB, median of ${ROUNDS} rounds\n`,
  );
  printTable(
    ["redaction", "MB/s", "time against now"],
    ways.map(([name]) => [
      name,
      (size / 1000 / median(name)).toFixed(1),
      (median(name) / median("now")).toFixed(2),
    ]),
  );
}

function stringsIn(folder: string): string[] {
  const texts: string[] = [];
  const take = (value: unknown): void => {
    if (typeof value === "string") texts.push(value);
    else if (typeof value === "object" && value !== null)
      for (const inner of Object.values(value)) take(inner);
  };
  for (const path of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    if (!path.endsWith(".jsonl")) continue;
    for (const line of readFileSync(join(folder, path), "utf8").split("\n"))
      if (line !== "") take(parsed(line));
  }
  return texts;
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return line; // cut off: still text
  }
}
