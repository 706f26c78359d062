import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readHealth } from "../../src/store/health.ts";
import { printTable } from "../measure.ts";
import { median, p95, type Spent, timeScript } from "../process-time.ts";
import { builds, rounds } from "./builds.ts";
import { hookCommand, type Where } from "./hook-cases.ts";
import { copyHome, type Stores } from "./stores.ts";

const AT_ONCE = 50;
/** Starts one process for each file of payloads and waits for all of them. */
const SCRIPT = `payloads="$1"; shift; TIMEFORMAT='%3R %3U %3S'
time { for file in "$payloads"/*; do "$@" < "$file" > /dev/null & done; wait; }`;

interface Burst {
  readonly name: string;
  /** Where its failures are recorded. */
  readonly logs?: string;
  readonly target: string;
  /** Writes this round's payloads and returns the folder, the arguments for Node and the environment. */
  prepare(round: number): {
    readonly payloads: string;
    readonly args: readonly string[];
    readonly env: NodeJS.ProcessEnv;
  };
}

interface Sample extends Spent {
  readonly failures: number;
}

const failuresIn = ({ logs }: Burst): number => (logs === undefined ? 0 : readHealth(logs).records.length);

/** 50 hooks at once, as when many sessions or parallel tool calls end together, against 50 bare Nodes at once. */
export async function measureBursts(stores: Stores): Promise<void> {
  const bursts: Burst[] = [bareBurst(stores)];
  for (const build of builds()) {
    const home = copyHome(await stores.filled(), join(stores.folder, `filled${build.label}-burst`));
    const where = { build, root: stores.root, user: stores.folder };
    const burst = (
      name: string,
      event: string,
      target: string,
      session: (i: number, round: number) => string,
    ) => ({
      name: `${AT_ONCE} x ${event} of ${name}${build.label}`,
      logs: home.logs,
      target: build.label === "" ? target : "",
      prepare: (round: number) => hooksAtOnce(stores, where, home.root, event, (i) => session(i, round)),
    });
    bursts.push(
      burst(`${AT_ONCE} sessions`, "PostToolUse", "2.0", (i) => `old-${i}`),
      burst("one session", "PostToolUse", "2.0", (_, round) => `old-${100 + round}`),
      burst(`${AT_ONCE} sessions`, "SessionStart", "", (i, round) => `burst-${round}-${i}`),
    );
  }
  const count = rounds(8);
  const times = new Map(bursts.map((one) => [one.name, [] as Sample[]]));
  for (let round = -1; round < count; round++)
    for (let i = 0; i < bursts.length; i++) {
      const one = bursts[(i + round + 1) % bursts.length];
      if (one === undefined) continue;
      const { payloads, args, env } = one.prepare(round);
      const before = failuresIn(one);
      const where = { env, cwd: stores.root, stdin: "" };
      const spent = timeScript(one.name, SCRIPT, [payloads, process.execPath, ...args], where);
      if (round >= 0) times.get(one.name)?.push({ ...spent, failures: failuresIn(one) - before });
    }
  const of = (name: string, key: "wall" | "cpu") => (times.get(name) ?? []).map((one) => one[key]);
  const [bare = { name: "" }] = bursts;
  const ratio = (name: string, key: "wall" | "cpu") =>
    (median(of(name, key)) / median(of(bare.name, key))).toFixed(2);
  console.log(
    `### ${AT_ONCE} hooks at once (n = ${count} bursts each, interleaved, 10,000 notes, 2,000 sessions)\n`,
  );
  printTable(
    [
      "at once",
      "until the last ended, p50 ms",
      "p95",
      "/ bare",
      "target",
      "CPU of all p50 ms",
      "/ bare",
      "failures recorded per burst",
    ],
    bursts.map(({ name, target }) => [
      name,
      median(of(name, "wall")).toFixed(0),
      p95(of(name, "wall")).toFixed(0),
      ratio(name, "wall"),
      target,
      median(of(name, "cpu")).toFixed(0),
      ratio(name, "cpu"),
      median((times.get(name) ?? []).map(({ failures }) => failures)),
    ]),
  );
}

function bareBurst(stores: Stores): Burst {
  const payloads = join(stores.folder, "payloads-bare");
  writePayloads(payloads, () => "");
  const env = { PATH: process.env["PATH"] ?? "" };
  return {
    name: `${AT_ONCE} x bare \`node -e 0\``,
    target: "",
    prepare: () => ({ payloads, args: ["-e", "0"], env }),
  };
}

function hooksAtOnce(
  stores: Stores,
  where: Where,
  home: string,
  event: string,
  session: (i: number) => string,
): ReturnType<Burst["prepare"]> {
  const commandOf = (i: number) =>
    hookCommand(where, { root: home }, event, session(i), readOf(where.root, i));
  const payloads = join(stores.folder, "payloads-hooks");
  writePayloads(payloads, (i) => commandOf(i).stdin);
  const { args, env } = commandOf(0);
  return { payloads, args, env };
}

const readOf = (root: string, i: number) => ({
  tool_input: { file_path: join(root, "src", `file-${i}.ts`) },
});

function writePayloads(folder: string, text: (i: number) => string): void {
  mkdirSync(folder, { recursive: true });
  for (let i = 0; i < AT_ONCE; i++) writeFileSync(join(folder, `${i}.json`), text(i));
}
