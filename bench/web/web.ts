import { spawn, spawnSync } from "node:child_process";
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { machine, printTable, quantiles } from "../measure.ts";

const CONTINUO = join(import.meta.dirname, "..", "..", "dist", "continuo.cjs");
const SESSIONS = Number(process.env["SESSIONS"] ?? 10_000);
const ROUNDS = Number(process.env["ROUNDS"] ?? 30);
const IDLE_SECONDS = Number(process.env["IDLE"] ?? 20);

/** The server of `continuo web`: memory and processor time when idle, how soon it answers, how soon events arrive. */
export async function run(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "continuo-bench-"));
  const env = { CONTINUO_HOME: join(folder, "home"), HOME: folder, PATH: process.env["PATH"] ?? "" };
  try {
    writeTranscripts(folder);
    const indexed = spawnSync(process.execPath, [CONTINUO, "sessions", "index"], { env, cwd: folder });
    if (indexed.status !== 0) throw new Error(String(indexed.stderr));
    console.log(`Machine: ${machine()}. ${SESSIONS} sessions, ${ROUNDS} rounds.\n`);
    await measure(folder, env);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measure(folder: string, env: NodeJS.ProcessEnv): Promise<void> {
  const begun = performance.now();
  const child = spawn(process.execPath, [CONTINUO, "web", "--json"], {
    env,
    cwd: folder,
    stdio: ["ignore", "pipe", "ignore"],
  });
  try {
    const [printed] = await new Promise<string[]>((resolve, reject) => {
      child.stdout.once("data", (text: Buffer) => resolve([String(text)]));
      child.once("exit", () => reject(new Error("the server ended")));
    });
    const ready = performance.now() - begun;
    const { url, port, pid } = JSON.parse(printed ?? "").data;
    const started = usedBy(pid);
    const entered = await fetch(url, { headers: { accept: "application/json" } });
    const origin = `http://127.0.0.1:${port}`;
    const { page: key } = (await entered.json()) as { readonly page: string };
    const headers = {
      cookie: entered.headers.get("set-cookie")?.split(";")[0] ?? "",
      "x-continuo-page": key,
    };
    const get = async (path: string): Promise<number> => {
      const at = performance.now();
      const answer = await fetch(origin + path, { headers });
      if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
      await answer.arrayBuffer();
      return performance.now() - at;
    };
    const bare = await times(() => get("/favicon.svg").catch(() => get("/")));
    const page = await times(() => get("/"));
    const first = await get("/api/sessions").catch(() => Number.NaN);
    const list = await times(() => get("/api/sessions").catch(() => Number.NaN));
    const stream = await fetch(`${origin}/api/events`, { headers });
    const events = eventsOf(stream);
    await events.next();
    const slowest = await whileIndexing(pid, () => get("/"));
    const latency = await times(async (round) => {
      const at = performance.now();
      appendLedger(env["CONTINUO_HOME"] ?? "", `bench-${round}`);
      for (let text = ""; !text.includes(`bench-${round}`); ) text = (await events.next()).value ?? "";
      return performance.now() - at;
    });
    const before = usedBy(pid);
    await new Promise((resolve) => setTimeout(resolve, IDLE_SECONDS * 1000));
    const after = usedBy(pid);
    const half = (sample: readonly number[]) => quantiles(sample, [0.5])[0] ?? Number.NaN;
    const row = (what: string, figure: number, unit: string, target: string) => [
      what,
      `${figure.toFixed(1)} ${unit}`,
      target,
    ];
    printTable(
      ["what", "figure", "target"],
      [
        row("start to printed link", ready, "ms", ""),
        row("memory after the start", started.megabytes, "MB", "100 MB"),
        row("memory with a page open, after all below", after.megabytes, "MB", "100 MB"),
        row(
          `processor time in ${IDLE_SECONDS} s with a page open`,
          after.worked - before.worked,
          "ms",
          "none",
        ),
        row("a small file, p50", half(bare), "ms", ""),
        row("the page, p50", half(page), "ms", ""),
        row("the page / a small file", half(page) / half(bare), "", ""),
        row(`first list of ${SESSIONS} sessions`, first, "ms", ""),
        row("list again, p50", half(list), "ms", ""),
        row("the page while sessions are indexed, slowest", slowest, "ms", "50 ms"),
        row("ledger line to event, p50", half(latency), "ms", ""),
      ],
    );
    await events.return(undefined);
  } finally {
    child.kill();
    await new Promise((resolve) => child.once("close", resolve));
  }
}

async function times(work: (round: number) => Promise<number>): Promise<number[]> {
  const all: number[] = [];
  for (let round = -3; round < ROUNDS; round++) {
    const took = await work(round);
    if (round >= 0) all.push(took);
  }
  return all;
}

/** The slowest answer while the server's child, which a page starts, indexes. */
async function whileIndexing(pid: number, ask: () => Promise<number>): Promise<number> {
  const children = () => readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim();
  let slowest = 0;
  for (let asked = 0; asked < 10 || (children() !== "" && asked < 1000); asked++) {
    slowest = Math.max(slowest, await ask());
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return slowest;
}

async function* eventsOf({ body }: Response): AsyncGenerator<string, undefined> {
  for await (const piece of body ?? []) yield Buffer.from(piece).toString("utf8");
  return undefined;
}

function appendLedger(home: string, session: string): void {
  mkdirSync(join(home, "ledger"), { recursive: true });
  const line = {
    v: 1,
    at: new Date().toISOString(),
    kind: "replayed",
    host: "pi",
    session,
    project: "/p",
    epoch: 1,
    fingerprint: "",
  };
  appendFileSync(join(home, "ledger", "ledger-000001.jsonl"), `${JSON.stringify(line)}\n`);
}

/** Short sessions of Claude Code over ten projects and a year. */
function writeTranscripts(folder: string): void {
  for (let number = 0; number < SESSIONS; number++) {
    const id = `${number.toString(16).padStart(8, "0")}-0000-4000-8000-000000000000`;
    const project = join(folder, ".claude", "projects", `-bench-${number % 10}`);
    mkdirSync(project, { recursive: true });
    const timestamp = new Date(Date.UTC(2026, 0, 1) + number * 3_000_000).toISOString();
    const common = { sessionId: id, cwd: `/bench/${number % 10}`, timestamp, isSidechain: false };
    const lines = [
      {
        ...common,
        type: "user",
        uuid: `${id}-u`,
        parentUuid: null,
        message: { role: "user", content: `fix the tax of cart ${number}` },
      },
      {
        ...common,
        type: "assistant",
        uuid: `${id}-a`,
        parentUuid: `${id}-u`,
        message: {
          role: "assistant",
          content: [{ type: "text", text: `The tax of cart ${number} is fixed in cart.ts.` }],
        },
      },
    ];
    writeFileSync(join(project, `${id}.jsonl`), lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  }
}

/** NaN if there is no /proc. */
function usedBy(pid: number): { readonly worked: number; readonly megabytes: number } {
  if (process.platform !== "linux") return { worked: Number.NaN, megabytes: Number.NaN };
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const threads = readdirSync(`/proc/${pid}/task`).map((thread) =>
    Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ")[0]),
  );
  return {
    worked: threads.reduce((sum, nanoseconds) => sum + nanoseconds / 1e6, 0),
    megabytes: Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024,
  };
}
