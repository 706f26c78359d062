import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Home, homeAt } from "../../src/store/home.ts";
import { type Case, machine, printTable, quantiles, timeProcesses } from "../measure.ts";
import { copyHome } from "../resident/stores.ts";
import { inProcess } from "./in-process.ts";
import { fillStore, indexTranscripts, makeProject, writeTranscripts } from "./store.ts";

const ROUNDS = Number(process.env["ROUNDS"] ?? 60);
const SESSIONS = 2000;
const NOTES = 10_000;
const CONTINUO = join(import.meta.dirname, "..", "..", "dist", "continuo.cjs");
/** Another build's `continuo.cjs`, measured in the same rounds, to compare before and after a change. */
const BEFORE = process.env["BEFORE"];

/** What a hook costs its host: wall time compared with a bare Node in the same run, memory, and time in process. */
export async function run(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "continuo-bench-"));
  try {
    const root = join(folder, "project");
    makeProject(root);
    const filled = homeAt(join(folder, "filled"));
    console.error(`filling a store with ${SESSIONS} sessions and ${NOTES} notes…`);
    await fillStore(filled, root, SESSIONS, NOTES);
    writeTranscripts(folder, root, SESSIONS);
    await indexTranscripts(filled, folder);
    const cases = [bareNode(root), ...hookCases(CONTINUO, "", root, folder, filled)];
    if (BEFORE !== undefined) {
      const copy = copyHome(filled, join(folder, "filled-before"));
      cases.push(...hookCases(BEFORE, " (before)", root, folder, copy));
    }
    const times = timeProcesses(cases, ROUNDS);
    const [bare = Number.NaN] = quantiles(times.get("bare node -e 0") ?? [], [0.5]);
    console.log(`Machine: ${machine()}. ${ROUNDS} rounds, all cases interleaved in each round.\n`);
    printTable(
      ["process", "p50 ms", "p95 ms", "p50 / bare", "target", "peak MB"],
      cases.map((one) => {
        const [p50 = 0, p95 = 0] = quantiles(times.get(one.name) ?? [], [0.5, 0.95]);
        return [
          one.name,
          p50.toFixed(1),
          p95.toFixed(1),
          (p50 / bare).toFixed(2),
          TARGETS[one.name] ?? "",
          peakMegabytes(one, folder),
        ];
      }),
    );
    await inProcess(root, filled, folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const TARGETS: Record<string, string> = {
  "SessionStart, empty store": "1.5, 90 MB",
  "SessionStart, filled store": "1.8, 90 MB",
  "UserPromptSubmit, filled store": "2.2, 90 MB",
};

function bareNode(root: string): Case {
  const env = { PATH: process.env["PATH"] ?? "" };
  return { name: "bare node -e 0", prepare: () => ({ args: ["-e", "0"], env, stdin: "", cwd: root }) };
}

function hookCases(script: string, label: string, root: string, folder: string, filled: Home): Case[] {
  const empty = homeAt(join(folder, `empty${label}`));
  const hook = (
    name: string,
    event: string,
    home: Home,
    session: (round: number) => string,
    user = folder,
  ): Case => ({
    name: `${name}${label}`,
    prepare: (round) => ({
      args: [script, "hook", "claude-code", event],
      env: { CONTINUO_HOME: home.root, HOME: user, PATH: process.env["PATH"] ?? "" },
      stdin: JSON.stringify({
        session_id: session(round),
        cwd: root,
        source: "startup",
        prompt: "please fix the parser",
        tool_name: "Read",
        tool_input: { file_path: join(root, "src", "parser.ts") },
      }),
      cwd: root,
    }),
  });
  return [
    // Each round starts empty, like the first session on a machine.
    ...[
      ["SessionStart, empty store", join(folder, "nobody")],
      ["SessionStart, empty store, 2,000 transcripts", folder],
    ].map(([name = "", user = ""]) => ({
      ...hook(name, "SessionStart", empty, (round) => `new-${round}`, user),
      prepare: (round: number) => {
        rmSync(empty.root, { recursive: true, force: true });
        return hook("", "SessionStart", empty, () => `new-${round}`, user).prepare(round);
      },
    })),
    hook("SessionStart, filled store", "SessionStart", filled, (round) => `new-${round}`),
    ...["UserPromptSubmit", "PostToolUse", "Stop"].map((event) =>
      hook(`${event}, filled store`, event, filled, (round) => `old-${Math.abs(round)}`),
    ),
  ];
}

function peakMegabytes(one: Case, folder: string): string {
  const probe = join(folder, "rss.cjs");
  const out = join(folder, "rss.txt");
  writeFileSync(
    probe,
    `process.on("exit", () => require("fs").writeFileSync(${JSON.stringify(out)}, String(process.resourceUsage().maxRSS)));`,
  );
  const { args, env, stdin, cwd } = one.prepare(100_000);
  spawnSync(process.execPath, ["--require", probe, ...args], { env, cwd, input: stdin });
  return (Number(readFileSync(out, "utf8")) / 1024).toFixed(0);
}
