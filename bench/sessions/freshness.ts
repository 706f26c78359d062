import type { Sessions } from "../../src/sources/sessions/library.ts";
import { printTable, quantiles } from "../measure.ts";

const ROUNDS = 40;

/** What it costs to see that nothing changed. */
export async function freshness(sessions: Sessions, count: number): Promise<void> {
  await sessions.sync();
  const wall: number[] = [];
  const cpu: number[] = [];
  for (let round = -2; round < ROUNDS; round++) {
    const before = process.cpuUsage();
    const begun = performance.now();
    const { sessions: seen, changed } = await sessions.sync({ sliceMs: 1000 });
    const took = performance.now() - begun;
    const { user, system } = process.cpuUsage(before);
    if (seen !== count || changed !== 0) throw new Error(`${changed} of ${seen} sessions had changed`);
    if (round < 0) continue;
    wall.push(took);
    cpu.push((user + system) / 1000);
  }
  const row = (name: string, sample: readonly number[]) => [
    name,
    sample.length,
    ...quantiles(sample, [0, 0.5, 0.95]).map((ms) => ms.toFixed(1)),
  ];
  printTable(
    [`${count} unchanged sessions`, "n", "least, ms", "p50 (target 60)", "p95"],
    [row("wall", wall), row("CPU", cpu)],
  );
}
