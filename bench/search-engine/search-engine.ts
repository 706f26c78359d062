import { loadavg } from "node:os";
import { machine } from "../measure.ts";
import { quality } from "./quality.ts";
import { time } from "./time.ts";

/** Whether SQLite's FTS5 could replace Continuo's own index and ranking of words (docs/design/search-engine.md). */
export async function run(): Promise<void> {
  console.log(`${machine()}\n`);
  const wanted = process.argv[3];
  if (wanted === undefined || wanted === "quality") await quality();
  if (wanted === undefined || wanted === "time") await time();
  console.log(`load ${loadavg()[0]?.toFixed(1)}`);
}
