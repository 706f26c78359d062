import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Case, machine, printTable, quantiles, timeProcesses } from "../measure.ts";
import { equalStore, type Store, variedStore } from "./stores.ts";

const ROUNDS = Number(process.env["ROUNDS"] ?? 40);
const TARGET = "2.5";
const CONTINUO = join(import.meta.dirname, "..", "..", "dist", "continuo.cjs");
/** Another build's `continuo.cjs`, measured in the same rounds, to compare before and after a change. */
const BEFORE = process.env["BEFORE"];
/** A folder for the stores, which are then kept and used again. */
const STORES = process.env["STORES"];

/** What commands cost the person who waits for them: wall time compared with a bare Node in the same rounds, and CPU time. */
export async function run(): Promise<void> {
  const folder = STORES ?? mkdtempSync(join(tmpdir(), "continuo-bench-"));
  try {
    const stores = [await equalStore(folder), await variedStore(folder)];
    const cases = [bareNode(folder)];
    for (const store of stores) {
      cases.push(...commandCases(CONTINUO, "", store));
      if (BEFORE !== undefined) cases.push(...commandCases(BEFORE, " (before)", store));
    }
    const times = timeProcesses(cases, ROUNDS);
    const used = cpuTimes(cases, folder);
    const [bare = Number.NaN] = quantiles(times.get(BARE) ?? [], [0.5]);
    const bareCpu = used.get(BARE) ?? Number.NaN;
    console.log(
      `Machine: ${machine()}. n = ${ROUNDS}, all cases interleaved in each round; CPU time is the median of ${CPU_ROUNDS}.\n`,
    );
    printTable(
      ["process", "p50 ms", "p95 ms", "p50 / bare", "target", "CPU ms", "CPU / bare"],
      cases.map(({ name }) => {
        const [p50 = 0, p95 = 0] = quantiles(times.get(name) ?? [], [0.5, 0.95]);
        const cpu = used.get(name) ?? Number.NaN;
        return [
          name,
          p50.toFixed(1),
          p95.toFixed(1),
          (p50 / bare).toFixed(2),
          name === BARE ? "" : name.includes("UserPromptSubmit") ? "2.0" : TARGET,
          cpu.toFixed(1),
          (cpu / bareCpu).toFixed(2),
        ];
      }),
    );
  } finally {
    if (STORES === undefined) rmSync(folder, { recursive: true, force: true });
  }
}

const BARE = "bare node -e 0";

function bareNode(cwd: string): Case {
  const env = { PATH: process.env["PATH"] ?? "" };
  return { name: BARE, prepare: () => ({ args: ["-e", "0"], env, stdin: "", cwd }) };
}

function commandCases(script: string, label: string, store: Store): Case[] {
  const env = { CONTINUO_HOME: store.home.root, HOME: store.user, PATH: process.env["PATH"] ?? "" };
  const one = (name: string, args: readonly string[], stdin: (round: number) => string = () => ""): Case => ({
    name: `${name}, ${store.name}${label}`,
    prepare: (round) => ({ args: [script, ...args], env, stdin: stdin(round), cwd: store.project }),
  });
  return [
    one("search", ["search", ...store.notesQuery]),
    one("sessions search", ["sessions", "search", ...store.sessionsQuery]),
    one("status", ["status"]),
    one("rules list", ["rules", "list"]),
    // The same search in a hook; a prompt that finds notes.
    one("UserPromptSubmit that searches", ["hook", "claude-code", "UserPromptSubmit"], (round) =>
      JSON.stringify({ session_id: `old-${Math.abs(round)}`, cwd: store.project, prompt: store.prompt }),
    ),
  ];
}

const CPU_ROUNDS = 15;

/** The median of each. In rounds of their own, because a probe in the process takes time. */
function cpuTimes(cases: readonly Case[], folder: string): Map<string, number> {
  const probe = join(folder, "probe.cjs");
  const out = join(folder, "probe.json");
  writeFileSync(
    probe,
    `process.on("exit", () => require("fs").writeFileSync(${JSON.stringify(out)}, JSON.stringify(process.cpuUsage())));`,
  );
  const samples = new Map(cases.map(({ name }) => [name, [] as number[]]));
  for (let round = 0; round < CPU_ROUNDS; round++) {
    for (const { name, prepare } of cases) {
      const { args, env, stdin, cwd } = prepare(ROUNDS + round);
      spawnSync(process.execPath, ["--require", probe, ...args], { env, cwd, input: stdin });
      const { user, system } = JSON.parse(readFileSync(out, "utf8")) as NodeJS.CpuUsage;
      samples.get(name)?.push((user + system) / 1000);
    }
  }
  return new Map([...samples].map(([name, sample]) => [name, quantiles(sample, [0.5])[0] ?? Number.NaN]));
}
