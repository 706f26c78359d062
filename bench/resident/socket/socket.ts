import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { printTable } from "../../measure.ts";
import { type Command, median, p95, type Spent, timeScript } from "../../process-time.ts";
import { builds, rounds } from "../builds.ts";
import { hookCommand } from "../hook-cases.ts";
import { startLines } from "../hosts/lines.ts";
import { usedBy } from "../process-tree.ts";
import { copyHome, promptAbout, type Stores } from "../stores.ts";

const EVENTS = ["PostToolUse", "UserPromptSubmit", "Stop"] as const;
const SCRIPT = `TIMEFORMAT='%3R %3U %3S'; time "$@"`;

/** Who answers a hook. `command` gets the hook's own command and says what to run instead, with the same input. */
interface Way {
  readonly name: string;
  readonly command: (hook: Command, event: string) => readonly string[];
}

interface Sample extends Spent {
  /** Processor time that the living process used meanwhile. */
  readonly living: number;
}

/** Whether a hook process should hand its payload to a living process instead of answering alone. */
export async function measureSocket(stores: Stores): Promise<void> {
  const home = copyHome(await stores.filled(), join(stores.folder, "filled-socket"));
  const [build] = builds();
  if (build === undefined) return;
  const where = { build, root: stores.root, user: stores.folder };
  const [plain, http] = [join(home.root, "plain.sock"), join(home.root, "http.sock")];
  const { env } = hookCommand(where, home, "Stop", "old-0");
  const script = join(import.meta.dirname, "living.ts");
  const living = startLines([process.execPath, script, plain, http], { cwd: stores.root, env });
  await living.until((line) => line["listening"] === true);
  const node = process.execPath;
  const ways: Way[] = [
    { name: "bare `node -e 0`", command: () => [node, "-e", "0"] },
    { name: "the process alone", command: ({ args }) => [node, ...args] },
    {
      name: "Node asks the living process",
      command: (_, event) => [node, join(import.meta.dirname, "ask.cjs"), plain, event],
    },
    ...(spawnSync("curl", ["--version"]).status === 0 ? [curl(http)] : []),
  ];
  const count = rounds(40);
  const samples = new Map<string, Sample[]>();
  try {
    for (let round = -3; round < count; round++)
      for (const event of EVENTS)
        for (let i = 0; i < ways.length; i++) {
          const at = (i + round + 3) % ways.length;
          const way = ways[at];
          if (way === undefined) continue;
          // A session for each way and round, which has started and was given no notes yet.
          const number = 3 + round + at * (count + 3);
          const prompt = promptAbout(home, number);
          const hook = hookCommand(where, home, event, `old-${number}`, { prompt });
          const before = usedBy(living.pid).cpu;
          const { stdin, cwd } = hook;
          const spent = timeScript(way.name, SCRIPT, way.command(hook, event), { env, stdin, cwd });
          const key = `${event}/${way.name}`;
          if (round >= 0)
            samples.set(key, [
              ...(samples.get(key) ?? []),
              { ...spent, living: usedBy(living.pid).cpu - before },
            ]);
        }
  } finally {
    await living.end();
  }
  print(ways, samples, count);
}

/** As a hook command would be: without curl's settings, bounded, and the process steps in where nothing answers. */
const ASK = `payload=$(cat); printf %s "$payload" | curl -qsf --noproxy '*' -m 2 --unix-socket "$0" --data-binary @- "http://continuo/$1" ||
printf %s "$payload" | "$2" "$3" hook claude-code "$1"`;

function curl(socket: string): Way {
  return {
    name: "sh and curl ask the living process",
    command: ({ args: [script = ""] }, event) => ["sh", "-c", ASK, socket, event, process.execPath, script],
  };
}

function print(ways: readonly Way[], samples: ReadonlyMap<string, readonly Sample[]>, count: number): void {
  console.log(
    `### A hook that asks a living process over a socket (n = ${count} each, interleaved, 10,000 notes, 2,000 sessions)\n`,
  );
  printTable(
    [
      "event",
      "answered by",
      "wall p50 ms",
      "p95",
      "/ bare",
      "CPU of the hook p50 ms",
      "CPU of the living process p50 ms",
      "answered",
    ],
    EVENTS.flatMap((event) =>
      ways.map(({ name }) => {
        const all = samples.get(`${event}/${name}`) ?? [];
        const of = (key: "wall" | "cpu" | "living") => all.map((one) => one[key]);
        const bare = (samples.get(`${event}/${ways[0]?.name}`) ?? []).map(({ wall }) => wall);
        return [
          event,
          name,
          median(of("wall")).toFixed(0),
          p95(of("wall")).toFixed(0),
          (median(of("wall")) / median(bare)).toFixed(2),
          median(of("cpu")).toFixed(0),
          name.includes("living") ? median(of("living")).toFixed(1) : "",
          all.filter(({ printed }) => printed !== "").length,
        ];
      }),
    ),
  );
}
