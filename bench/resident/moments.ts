import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { loadHistory } from "../../src/hosts/index.ts";
import { createBase } from "../../src/hosts/shared/in-process/base.ts";
import type { Moment } from "../../src/moments/types.ts";
import { SOURCES } from "../../src/sources/index.ts";
import { readHealth } from "../../src/store/health.ts";
import { printTable } from "../measure.ts";
import { median, p95 } from "../process-time.ts";
import { rounds } from "./builds.ts";
import { TOPICLESS } from "./hook-cases.ts";
import { copyHome, promptAbout, type Stores } from "./stores.ts";

const TURNS = 4;
const CALLS = 5;
const WARM_UP = 3;

interface Times {
  readonly wall: number[];
  readonly cpu: number[];
}

/** Each moment inside a living process, as plugins of OpenCode and pi pay for it. This source tree, never BEFORE. */
export async function measureMoments(stores: Stores): Promise<void> {
  const home = copyHome(await stores.filled(), join(stores.folder, "filled-moments"));
  const env = { HOME: stores.folder, CONTINUO_HOME: home.root };
  const base = createBase("bench", { sources: SOURCES, history: loadHistory, env, now: Date.now });
  const times = new Map<string, Times>();
  const timed = async (name: string, moment: Moment) => {
    const before = process.cpuUsage();
    const begun = performance.now();
    await base.deliver(name, moment);
    const wall = performance.now() - begun;
    const { user, system } = process.cpuUsage(before);
    const known = times.get(name) ?? { wall: [], cpu: [] };
    times.set(name, known);
    known.wall.push(wall);
    known.cpu.push((user + system) / 1000);
  };
  const sessions = rounds(40);
  for (let i = 0; i < WARM_UP + sessions; i++) {
    if (i === WARM_UP) times.clear();
    await oneSession(stores.root, `moments-${i}`, (turn) => promptAbout(home, i * 41 + turn), timed);
  }
  const failures = readHealth(home.logs).records.length;
  console.log(
    `### Moments in process (10,000 notes, 2,000 sessions; ${sessions} sessions of ${TURNS} turns; ${failures} recorded failures)\n`,
  );
  printTable(
    ["moment", "n", "p50 ms", "p95", "target p95", "CPU p50 ms", "p95"],
    [...times].map(([name, { wall, cpu }]) => [
      name,
      wall.length,
      median(wall).toFixed(2),
      p95(wall).toFixed(2),
      "5",
      median(cpu).toFixed(2),
      p95(cpu).toFixed(2),
    ]),
  );
}

async function oneSession(
  root: string,
  id: string,
  topic: (turn: number) => string,
  timed: (name: string, moment: Moment) => Promise<void>,
): Promise<void> {
  const common = () => ({
    session: { host: "opencode", id },
    project: { id: root, root, label: "bench" },
    cwd: root,
    at: Date.now(),
  });
  await timed("start", { ...common(), name: "start" });
  for (let turn = 0; turn < TURNS; turn++) {
    const hasTopic = turn % 2 === 0;
    const prompt = hasTopic ? topic(turn) : TOPICLESS;
    await timed(`prompt ${hasTopic ? "about" : "without"} a topic`, { ...common(), name: "prompt", prompt });
    for (let call = 0; call < CALLS; call++) {
      const path = `src/file-${turn}-${call}.ts`;
      const files = [{ path, access: "read" as const }];
      const tool = { name: "read", input: { filePath: join(root, path) }, files };
      await timed("tool", { ...common(), name: "tool", tool });
    }
    await timed("idle", { ...common(), name: "idle" });
    await sleep(100); // as between turns: what is done in the background gets its time
  }
}
