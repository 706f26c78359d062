import { appendFileSync, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { loadHistory } from "../../src/hosts/index.ts";
import { createBase, type InProcessBase } from "../../src/hosts/shared/in-process/base.ts";
import type { Moment, ToolMoment } from "../../src/moments/types.ts";
import { SOURCES } from "../../src/sources/index.ts";
import type { Home } from "../../src/store/home.ts";
import { printTable, quantiles } from "../measure.ts";

const SESSIONS = Number(process.env["ROUNDS"] ?? 60);
const TURNS = 4;
const CALLS = 5;
const WARM_UP = 5;

type Times = Map<string, { wall: number[]; cpu: number[] }>;

/**
 * What a plugin in a running host, or the MCP server, pays: every moment of whole turns, with a transcript that grows as in
 * Claude Code. Wall time, and processor time, which says more where other programs run beside.
 */
export async function inProcess(root: string, home: Home, user: string): Promise<void> {
  const failuresBefore = sizeOf(home.logs);
  const base = createBase("bench", {
    sources: SOURCES,
    history: loadHistory,
    env: { HOME: user, CONTINUO_HOME: home.root },
    now: Date.now,
  });
  const times: Times = new Map();
  for (let i = 0; i < SESSIONS + WARM_UP; i++) {
    await session(base, { root, id: `in-${process.pid}-${i}`, user }, i < WARM_UP ? new Map() : times);
  }
  printTable(
    ["moment in process, filled store", "n", "p50 ms", "p95 ms", "most", "CPU p50", "CPU p95", "target p95"],
    [...times].map(([name, { wall, cpu }]) => [
      name,
      wall.length,
      ...quantiles(wall, [0.5, 0.95, 1]).map((value) => value.toFixed(2)),
      ...quantiles(cpu, [0.5, 0.95]).map((value) => value.toFixed(2)),
      name.startsWith("prompt") ? "25" : "5",
    ]),
  );
  // The figures of a failing run mean nothing.
  if (sizeOf(home.logs) !== failuresBefore) throw new Error(`failures were recorded in ${home.logs}`);
}

function sizeOf(folder: string): number {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return names.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
}

interface Place {
  readonly root: string;
  readonly id: string;
  readonly user: string;
}

async function session(base: InProcessBase, { root, id, user }: Place, times: Times): Promise<void> {
  const transcript = join(user, ".claude", "projects", root.replace(/[^A-Za-z0-9]/g, "-"), `${id}.jsonl`);
  mkdirSync(dirname(transcript), { recursive: true });
  writeFileSync(transcript, "");
  const common = () => ({
    session: { host: "claude-code" as const, id },
    project: { id: root, root, label: "bench" },
    cwd: root,
    at: Date.now(),
    transcript,
  });
  const deliver = (name: string, moment: Moment) => timed(times, name, () => base.deliver(name, moment));
  await deliver("start", { ...common(), name: "start" });
  for (let turn = 0; turn < TURNS; turn++) {
    const whole = new Map<string, { wall: number[]; cpu: number[] }>();
    const inTurn = (name: string, moment: Moment) => timed(whole, name, () => base.deliver(name, moment));
    const prompt = turn === 0 ? "go on" : (TOPICS[turn % TOPICS.length] ?? "");
    appendFileSync(transcript, lineOf(id, root, "user", prompt));
    await inTurn(turn === 0 ? "prompt without a topic" : "prompt with a topic", {
      ...common(),
      name: "prompt",
      prompt,
    });
    for (let call = 0; call < CALLS; call++) {
      const path = join(root, "src", `file-${turn}-${call}.ts`);
      const moment: ToolMoment = {
        ...common(),
        name: "tool",
        tool: {
          name: "Read",
          files: [{ path: `src/file-${turn}-${call}.ts`, access: "read" }],
          input: { file_path: path },
        },
      };
      await timed(whole, "guard", () => base.follow("guard", () => ({ kind: "guard", moment })));
      await inTurn("tool", moment);
      appendFileSync(transcript, lineOf(id, root, "assistant", `Read ${path}.`));
    }
    await inTurn("idle", { ...common(), name: "idle" });
    for (const [name, { wall, cpu }] of whole) {
      const all = of(times, name);
      all.wall.push(...wall);
      all.cpu.push(...cpu);
    }
    const sum = (key: "wall" | "cpu") =>
      [...whole.values()].flatMap((one) => one[key]).reduce((a, b) => a + b, 0);
    const turns = of(times, "whole turn");
    turns.wall.push(sum("wall"));
    turns.cpu.push(sum("cpu"));
    await new Promise((resolve) => setTimeout(resolve, 20)); // a model is asked
  }
  await deliver("end", { ...common(), name: "end", why: "other" });
}

const TOPICS = [
  "please fix the parser",
  "how does concept-12 relate to the words of note 42, and where is the text about concept-7 kept?",
  "the deployment of the billing service fails after the migration of the database, look at concept-33",
  "write a test for the scheduler that retries requests with exponential backoff and jitter",
];

function of(times: Times, name: string): { wall: number[]; cpu: number[] } {
  const known = times.get(name) ?? { wall: [], cpu: [] };
  times.set(name, known);
  return known;
}

async function timed(times: Times, name: string, work: () => Promise<unknown>): Promise<void> {
  const cpu = process.cpuUsage();
  const begun = performance.now();
  await work();
  const wall = performance.now() - begun;
  const { user, system } = process.cpuUsage(cpu);
  const { wall: walls, cpu: cpus } = of(times, name);
  walls.push(wall);
  cpus.push((user + system) / 1000);
}

function lineOf(session: string, cwd: string, role: "user" | "assistant", text: string): string {
  const at = Date.now();
  return `${JSON.stringify({
    type: role,
    uuid: `${session}-${at}-${Math.random()}`,
    sessionId: session,
    cwd,
    gitBranch: "main",
    timestamp: new Date(at).toISOString(),
    message: {
      role,
      content: [{ type: "text", text }],
      ...(role === "assistant" && { id: `m-${at}`, model: "m" }),
    },
  })}\n`;
}
