import { spawnSync } from "node:child_process";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { machine, printTable } from "../measure.ts";
import { dataFolder } from "../retrieval/data.ts";
import { projectFolder, repeatTranscripts } from "../sessions/histories.ts";
import type { Took } from "../sessions/once.ts";

const MB = 1024 * 1024;
const BYTES = Number(process.env["CONTINUO_BENCH_MB"] ?? 1024) * MB;
const TARGET_SECONDS = 60;
const CONTINUO = join(import.meta.dirname, "..", "..", "dist", "continuo.cjs");
/** Prints at exit what the process used. */
const TELL = `data:text/javascript,${encodeURIComponent(`
  process.on("exit", () => {
    const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
    console.log(JSON.stringify({ cpuSeconds: (userCPUTime + systemCPUTime) / 1e6,
      wallSeconds: performance.now() / 1000, peakBytes: maxRSS * 1024, startBytes: 0 }));
  });
`)}`;

const RULES = {
  edits: "checks:\n  edits:\n    - never: '\\bany\\b'\n      files: '*.ts, *.tsx'",
  commands:
    "checks:\n  commands:\n    - never: 'git push.*--force'\n    - before: 'git commit'\n      ran: 'test'",
  "all kinds": [
    "checks:",
    "  edits:",
    ...["\\bany\\b", "console\\.log", "TODO|FIXME", "eslint-disable", "^export default"].map(
      (one) => `    - never: '${one}'`,
    ),
    "  commands:",
    ...["rm -rf", "git push.*--force", "sudo", "curl .*\\| *sh"].map((one) => `    - never: '${one}'`),
    "    - before: done\n      ran: 'test|build'",
    "  answer:\n    - never: '(?i)absolutely right'",
  ].join("\n"),
};

/** `continuo rules try` over a gigabyte of real transcripts, repeated (`CONTINUO_BENCH_MB`), and over unusual ones. */
export async function run(): Promise<void> {
  if (!existsSync(dataFolder))
    return console.log(`no benchmark data at ${dataFolder}: set CONTINUO_BENCH_DATA`);
  console.log(
    `${machine()}. Load: ${loadavg()
      .map((one) => one.toFixed(1))
      .join(", ")}. n = 1 each.\n`,
  );
  inHome((home) => {
    const history = repeatTranscripts(dataFolder, home, BYTES);
    console.log(
      `${history.files} transcripts, ${(history.bytes / MB).toFixed(0)} MB in ${history.projects} projects.\n`,
    );
    printTable(
      HEAD,
      Object.keys(RULES).map((rule) => row(home, rule, history.bytes, ["--all"])),
    );
    printTable(HEAD, [
      row(home, "all kinds", history.bytes / history.projects, ["--project", projectFolder(0)]),
    ]);
  });
  inHome((home) => {
    const bytes = unusual(home);
    console.log("One transcript of 200 MB, and one with a line of 50 MB.\n");
    printTable(HEAD, [row(home, "all kinds", bytes, ["--all"])]);
  });
}

const HEAD = [
  "checks",
  `seconds (target ${TARGET_SECONDS})`,
  "MB per second",
  "CPU seconds",
  "most memory, MB",
  "sessions",
  "occasions",
  "breaches",
  "skipped lines",
];

interface Tried {
  readonly sessions: number;
  readonly occasions: number;
  readonly breaches: number;
  readonly skippedLines: number;
}

function row(home: string, rule: string, bytes: number, options: readonly string[]): (string | number)[] {
  const path = join(home, "rule.md");
  writeFileSync(path, `---\n${RULES[rule as keyof typeof RULES]}\n---\nA rule.\n`);
  const { tried, took } = tryRule(home, path, options);
  return [
    `${rule} ${options[0]}`,
    took.wallSeconds.toFixed(1),
    (bytes / MB / took.wallSeconds).toFixed(0),
    took.cpuSeconds.toFixed(1),
    (took.peakBytes / MB).toFixed(0),
    tried.sessions,
    tried.occasions,
    tried.breaches,
    tried.skippedLines,
  ];
}

function tryRule(home: string, rule: string, options: readonly string[]): { tried: Tried; took: Took } {
  const args = [
    `--import=${TELL}`,
    CONTINUO,
    "rules",
    "try",
    rule,
    "--since",
    "2000-01-01",
    "--json",
    ...options,
  ];
  const env = { PATH: process.env["PATH"], HOME: home, CONTINUO_HOME: join(home, "continuo") };
  const done = spawnSync(process.execPath, args, { env, cwd: home, encoding: "utf8", maxBuffer: 64 * MB });
  const [result = "", took = ""] = done.stdout.trim().split("\n");
  if (done.status !== 0)
    throw new Error(
      `rules try exited with ${done.status}: ${done.stderr.slice(-500)}${result.slice(0, 500)}`,
    );
  return { tried: (JSON.parse(result) as { data: Tried }).data, took: JSON.parse(took) as Took };
}

/** A long session, made of a real one, and a real one with a line that is too long to be read. */
function unusual(home: string): number {
  const real = `${readFileSync(join(dataFolder, "transcripts/claude-code/76_62d755ef9f_2_full.jsonl"), "utf8").trim()}\n`;
  const folder = join(home, ".claude/projects/-bench");
  const [long, wide] = [join(folder, "long.jsonl"), join(folder, "wide.jsonl")];
  mkdirSync(dirname(long), { recursive: true });
  for (let size = 0; size < 200 * MB; size += real.length) appendFileSync(long, real);
  writeFileSync(wide, `${real}{"type":"user","message":{"content":"${"x".repeat(50 * MB)}"}}\n${real}`);
  return statSync(long).size + statSync(wide).size;
}

function inHome(use: (home: string) => void): void {
  const home = mkdtempSync(join(tmpdir(), "continuo-bench-rules-try-"));
  try {
    use(home);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}
