import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
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

/** A minimal server in Node: it answers a line with a line. */
const BARE_SERVER = "process.stdin.once('data', () => process.stdout.write('{}\\n'))";

interface Server {
  readonly name: string;
  readonly args: readonly string[];
}

const SERVERS: readonly Server[] = [
  { name: "bare node that answers a line", args: ["-e", BARE_SERVER] },
  { name: "continuo mcp", args: [CONTINUO, "mcp"] },
];

interface Sample {
  /** Wall time in milliseconds. */
  readonly answered: number;
  /** Processor time of all threads, which is more reliable than wall time on a shared machine. */
  readonly worked: number;
  readonly megabytes: number;
}

/** The time from the start of the process to the answer to `initialize`, for which a session waits, and the memory after it. */
export async function run(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "continuo-bench-"));
  const samples = SERVERS.map(() => [] as Sample[]);
  try {
    for (let round = -3; round < ROUNDS; round++) {
      for (const [i, { args }] of SERVERS.entries()) {
        const sample = await startOf(args, folder);
        if (round >= 0) samples[i]?.push(sample);
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  console.log(`Machine: ${machine()}. ${ROUNDS} rounds, all cases interleaved in each round.\n`);
  const middle = (all: readonly Sample[], key: keyof Sample, share = 0.5) =>
    quantiles(
      all.map((one) => one[key]),
      [share],
    )[0] ?? Number.NaN;
  const [bare = []] = samples;
  printTable(
    ["first answer of", "p50 ms", "p95 ms", "p50 / bare", "processor p50 ms", "/ bare", "target", "peak MB"],
    SERVERS.map(({ name }, i) => {
      const all = samples[i] ?? [];
      return [
        name,
        middle(all, "answered").toFixed(1),
        middle(all, "answered", 0.95).toFixed(1),
        (middle(all, "answered") / middle(bare, "answered")).toFixed(2),
        middle(all, "worked").toFixed(1),
        (middle(all, "worked") / middle(bare, "worked")).toFixed(2),
        i === 0 ? "" : "3, 70 MB",
        Math.max(...all.map((one) => one.megabytes)).toFixed(0),
      ];
    }),
  );
}

function startOf(args: readonly string[], folder: string): Promise<Sample> {
  return new Promise((resolve, reject) => {
    const begun = performance.now();
    const child = spawn(process.execPath, args, {
      env: { CONTINUO_HOME: join(folder, "home"), HOME: folder, PATH: process.env["PATH"] ?? "" },
      cwd: folder,
      stdio: ["pipe", "pipe", "inherit"],
    });
    let sample: Sample | undefined;
    child.stdin.write(`${INITIALIZE}\n`);
    child.stdout.once("data", () => {
      sample = { answered: performance.now() - begun, ...usedBy(child.pid) };
      child.stdin.end();
    });
    child.on("exit", (code) => {
      if (code === 0 && sample !== undefined) resolve(sample);
      else reject(new Error(`${args.join(" ")} exited with ${code}`));
    });
  });
}

/** NaN if there is no /proc. */
function usedBy(pid: number | undefined): Omit<Sample, "answered"> {
  if (process.platform !== "linux") return { worked: Number.NaN, megabytes: Number.NaN };
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const threads = readdirSync(`/proc/${pid}/task`).map((thread) =>
    Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ")[0]),
  );
  return {
    worked: threads.reduce((sum, nanoseconds) => sum + nanoseconds / 1e6, 0),
    megabytes: Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024,
  };
}
