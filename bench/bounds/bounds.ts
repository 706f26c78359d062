import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { machine, printTable, quantiles } from "../measure.ts";
import { reportMatching } from "./matching.ts";
import { PROJECTS } from "./projects.ts";

const ROUNDS = Number(process.env["ROUNDS"] ?? 12);
const CONTINUO = process.env["CONTINUO"] ?? join(import.meta.dirname, "..", "..", "dist", "continuo.cjs");
const EVENTS = ["SessionStart", "UserPromptSubmit", "PostToolUse", "PreCompact", "Stop"] as const;
const BASE = "50 rules";

interface Run {
  readonly ms: number;
  /** Processor time of the process itself, independent of other load. */
  readonly cpu: number;
  readonly megabytes: number;
}

/** Every hook with far too large sets of rules, compared with an ordinary set in the same rounds. */
export async function run(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "continuo-bench-"));
  try {
    const names = Object.keys(PROJECTS);
    for (const name of names) {
      console.error(`writing ${name}…`);
      mkdirSync(join(folder, name, ".git"), { recursive: true });
      PROJECTS[name]?.(join(folder, name));
    }
    const first = new Map<string, Run[]>();
    const later = new Map<string, Run[]>();
    for (let round = 0; round <= ROUNDS; round++) {
      for (const name of names) {
        for (const event of EVENTS) {
          const done = hook(folder, name, event, round);
          const key = `${name}/${event}`;
          // The first hooks find an empty cache; those until the cache is complete are not counted.
          if (round === 0) first.set(key, [done]);
          else if (round > ROUNDS / 2) later.set(key, [...(later.get(key) ?? []), done]);
        }
      }
    }
    console.log(`Machine: ${machine()}. ${ROUNDS} rounds, all cases interleaved in each round.\n`);
    const middle = (key: string, of: (run: Run) => number) =>
      quantiles((later.get(key) ?? []).map(of), [0.5])[0] ?? 0;
    const cpu = (run: Run) => run.cpu;
    printTable(
      [
        "rules",
        "hook",
        "first ms",
        "first CPU ms",
        "later p50 ms",
        "later CPU p50 ms",
        `CPU / ${BASE}`,
        "peak MB",
      ],
      names.flatMap((name) =>
        EVENTS.map((event) => {
          const key = `${name}/${event}`;
          const all = [...(first.get(key) ?? []), ...(later.get(key) ?? [])];
          return [
            name,
            event,
            (first.get(key)?.[0]?.ms ?? 0).toFixed(0),
            (first.get(key)?.[0]?.cpu ?? 0).toFixed(0),
            middle(key, ({ ms }) => ms).toFixed(0),
            middle(key, cpu).toFixed(0),
            (middle(key, cpu) / middle(`${BASE}/${event}`, cpu)).toFixed(2),
            Math.max(...all.map(({ megabytes }) => megabytes)).toFixed(0),
          ];
        }),
      ),
    );
    if (process.env["CONTINUO"] === undefined) await reportMatching();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function hook(folder: string, name: string, event: string, round: number): Run {
  const probe = join(folder, "rss.cjs");
  const out = join(folder, "rss.txt");
  writeFileSync(
    probe,
    `process.on("exit", () => require("fs").writeFileSync(${JSON.stringify(out)}, JSON.stringify(process.resourceUsage())));`,
  );
  const root = join(folder, name);
  const stdin = JSON.stringify({
    session_id: `s${round}`,
    cwd: root,
    source: "startup",
    prompt: "please look at topic7 and the parser",
    tool_name: "Read",
    tool_input: { file_path: join(root, `src/mod${round}/a.ts`) },
    trigger: "manual",
    hook_event_name: event,
  });
  const env = {
    CONTINUO_HOME: join(folder, `home of ${name}`),
    HOME: folder,
    PATH: process.env["PATH"] ?? "",
  };
  const begun = performance.now();
  const done = spawnSync(process.execPath, ["--require", probe, CONTINUO, "hook", "claude-code", event], {
    env,
    cwd: root,
    input: stdin,
  });
  const ms = performance.now() - begun;
  if (done.status !== 0) throw new Error(`${name}, ${event} exited with ${done.status}: ${done.stderr}`);
  const used = JSON.parse(readFileSync(out, "utf8")) as NodeJS.ResourceUsage;
  return { ms, cpu: (used.userCPUTime + used.systemCPUTime) / 1000, megabytes: used.maxRSS / 1024 };
}
