import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { noStrace } from "../../test/support/tampering.ts";
import { printTable } from "../measure.ts";
import { median, p95 } from "../process-time.ts";
import { builds, rounds } from "./builds.ts";
import { type LivingClaudeCode, livingClaudeCode } from "./hosts/claude-code.ts";
import type { Form } from "./hosts/living-host.ts";
import { NOTES, promptAbout, type Stores } from "./stores.ts";
import { PAUSE_MS, rotated } from "./turns.ts";

const CALLS = 20;
const WITHOUT = "without Continuo";

interface Measured {
  readonly form: Form;
  readonly host: LivingClaudeCode;
  /** Per tool call, milliseconds. */
  readonly steps: number[];
  /** The same less the median of the host without Continuo in the same round. */
  readonly added: number[];
}

/** Time added per tool call in the real Claude Code: one living process of each form, turns of 20 reads in turn. */
export async function measureToolCalls(stores: Stores): Promise<void> {
  const store = await stores.notes();
  const forms: Form[] = [
    { name: WITHOUT, store },
    ...builds().flatMap(({ label, script }) => [
      { name: `as installed${label}`, script, store },
      ...(label === "" ? [{ name: "command form (`--no-mcp`)", script, args: ["--no-mcp"], store }] : []),
    ]),
  ];
  const count = rounds(10);
  const all: Measured[] = [];
  try {
    for (const form of forms) all.push({ form, host: await livingClaudeCode(form), steps: [], added: [] });
    for (let round = -1; round < count; round++) await oneRound(all, round, promptAbout(store, round + 7));
  } finally {
    for (const { host } of all) await host.dispose();
  }
  const processes = await processesPerCall(forms, promptAbout(store, 500));
  console.log(
    `### Tool calls in the real Claude Code (Read, ${NOTES.toLocaleString("en")} notes, n = ${count * CALLS} calls each, interleaved in turns of ${CALLS})\n`,
  );
  const base = all[0]?.steps ?? [];
  printTable(
    [
      "Continuo",
      "answered by the MCP server",
      "step p50 ms",
      "p95",
      "added p50",
      "p95 above the p50 without",
      "p95 above the p95 without",
      "target",
      "processes per call",
      "target",
    ],
    all.map(({ form, host, steps, added }, i) => [
      form.name,
      host.resident.join(", ") || "nothing",
      median(steps).toFixed(1),
      p95(steps).toFixed(1),
      ...(i === 0
        ? ["", "", ""]
        : [median(added).toFixed(1), p95(added).toFixed(1), (p95(steps) - p95(base)).toFixed(1)]),
      isTarget(form) ? "5 / 15" : "",
      processes[i] ?? "",
      isTarget(form) ? "0" : "",
    ]),
  );
}

const isTarget = ({ name }: Form): boolean => name === "as installed";

/** The first round starts the processes and is not counted. */
async function oneRound(all: readonly Measured[], round: number, prompt: string): Promise<void> {
  const turns = new Map<Measured, readonly number[]>();
  for (const one of rotated(all, round + 1)) {
    turns.set(one, (await one.host.turn(prompt, CALLS)).steps);
    await sleep(PAUSE_MS);
  }
  if (round < 0) return;
  const base = median([...turns].find(([{ form }]) => form.name === WITHOUT)?.[1] ?? []);
  for (const [{ steps, added }, measured] of turns) {
    steps.push(...measured);
    added.push(...measured.map((step) => step - base));
  }
}

/** Counted by a tracer in a run of its own: programs started between the first call and the last call's result. */
async function processesPerCall(forms: readonly Form[], prompt: string): Promise<string[]> {
  if (noStrace !== undefined) return forms.map(() => "not traced");
  const folder = mkdtempSync(join(tmpdir(), "continuo-trace-"));
  try {
    const counts: string[] = [];
    for (const [i, form] of forms.entries()) {
      const trace = join(folder, `${i}`);
      const host = await livingClaudeCode(form, [
        "strace",
        "-f",
        "-qq",
        "-ttt",
        "-e",
        "trace=execve",
        "-o",
        trace,
      ]);
      try {
        await host.turn(prompt, 1);
        const { from, to } = await host.turn(prompt, CALLS);
        await host.stop();
        counts.push((startsIn(readFileSync(trace, "utf8"), from, to) / CALLS).toFixed(2));
      } finally {
        await host.dispose();
      }
    }
    return counts;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Lines like `123 1790000000.123456 execve("/bin/sh", …) = 0`; a call that was interrupted ends in a line of its own. */
function startsIn(trace: string, from: number, to: number): number {
  return trace.split("\n").filter((line) => {
    const [, seconds] = line.split(/\s+/, 2);
    const at = Number(seconds) * 1000;
    return at >= from && at <= to && / = 0$/.test(line);
  }).length;
}
