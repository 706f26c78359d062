import { relative } from "node:path";
import type { Reporter, TestModule } from "vitest/node";

const HOW_MANY = 10;
/** A few files that were asked for by name are no list worth showing. */
const FEW = 20;

export interface Duration {
  readonly file: string;
  readonly ms: number;
}

/** Prints which files took longest, so that whoever adds a slow test sees it. */
export default class Slowest implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const durations = modules.map((module) => ({
      file: relative(process.cwd(), module.moduleId),
      ms: module.diagnostic().duration,
    }));
    const text = slowestFiles(durations);
    if (text !== "") console.log(`\n${text}\n`);
  }
}

export function slowestFiles(durations: readonly Duration[]): string {
  if (durations.length < FEW) return "";
  const slowest = durations.toSorted((a, b) => b.ms - a.ms).slice(0, HOW_MANY);
  const lines = slowest.map(({ file, ms }) => `${(ms / 1000).toFixed(1).padStart(6)} s  ${file}`);
  return [`Slowest ${HOW_MANY} of ${durations.length} files:`, ...lines].join("\n");
}
