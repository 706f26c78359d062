import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { machine, printTable, quantiles } from "../measure.ts";

const ROUNDS = Number(process.env["ROUNDS"] ?? 60);
const CONTINUO = join(import.meta.dirname, "..", "..", "dist", "continuo.cjs");
const INITIALIZE = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "bench", version: "1" } },
});

/** The least that a server in Node can be: it answers a line with a line. */
const BARE_SERVER = "process.stdin.once('data', () => process.stdout.write('{}\\n'))";

interface Server {
  readonly name: string;
  readonly args: readonly string[];
}

const SERVERS: readonly Server[] = [
  { name: "bare node that answers a line", args: ["-e", BARE_SERVER] },
  { name: "continuo mcp", args: [CONTINUO, "mcp"] },
];

/** What a session waits for: from the start of the process to the answer of `initialize`. And what it then holds. */
export async function run(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "continuo-bench-"));
  const samples = new Map(
    SERVERS.map(({ name }) => [name, { times: [] as number[], megabytes: [] as number[] }]),
  );
  const bare: number[] = [];
  try {
    for (let round = -3; round < ROUNDS; round++) {
      const exit = await timeOf(["-e", "0"], folder);
      if (round >= 0) bare.push(exit.answered);
      for (const { name, args } of SERVERS) {
        const { answered, megabytes } = await timeOf(args, folder);
        if (round < 0) continue;
        samples.get(name)?.times.push(answered);
        samples.get(name)?.megabytes.push(megabytes);
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const [base = Number.NaN, p95 = Number.NaN] = quantiles(bare, [0.5, 0.95]);
  console.log(`Machine: ${machine()}. ${ROUNDS} rounds, all cases interleaved in each round.\n`);
  printTable(
    ["process", "p50 ms", "p95 ms", "p50 / bare", "target", "MB at the answer, most"],
    [
      ["bare node -e 0, until it ends", base.toFixed(1), p95.toFixed(1), "1.00", "", ""],
      ...[...samples].map(([name, { times, megabytes }]) => {
        const [middle = 0, late = 0] = quantiles(times, [0.5, 0.95]);
        const target = name === "continuo mcp" ? "3, 70 MB" : "";
        const most = Math.max(...megabytes).toFixed(0);
        return [name, middle.toFixed(1), late.toFixed(1), (middle / base).toFixed(2), target, most];
      }),
    ],
  );
}

/** Until the first line is answered; for a process that answers nothing, until it ends. */
function timeOf(
  args: readonly string[],
  folder: string,
): Promise<{ readonly answered: number; readonly megabytes: number }> {
  return new Promise((resolve, reject) => {
    const begun = performance.now();
    const child = spawn(process.execPath, args, {
      env: { CONTINUO_HOME: join(folder, "home"), HOME: folder, PATH: process.env["PATH"] ?? "" },
      cwd: folder,
      stdio: ["pipe", "pipe", "inherit"],
    });
    let [answered, megabytes] = [0, 0];
    child.stdin.on("error", () => undefined); // a process that reads nothing is gone before it is written to
    child.stdin.write(`${INITIALIZE}\n`);
    child.stdout.once("data", () => {
      answered = performance.now() - begun;
      megabytes = peakMegabytes(child.pid);
      child.stdin.end();
    });
    child.on("exit", (code) => {
      if (code === 0) resolve({ answered: answered || performance.now() - begun, megabytes });
      else reject(new Error(`${args.join(" ")} exited with ${code}`));
    });
  });
}

/** Not a number where there is no /proc. */
function peakMegabytes(pid: number | undefined): number {
  if (process.platform !== "linux") return Number.NaN;
  return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;
}
