import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { installRuntime } from "../../../test/support/runtimes.ts";
import { printTable } from "../../measure.ts";
import { median, p95, type Spent } from "../../process-time.ts";
import { builds, rounds } from "../builds.ts";
import { hookCommand } from "../hook-cases.ts";
import { copyHome, promptAbout, type Stores } from "../stores.ts";
import type { Job, ShellCase } from "./inside.ts";
import { CLAUDE_MEM, claudeMemPlugin } from "./package.ts";

const EVENTS = ["SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop"] as const;
const INSIDE = ["-n", "-p", "-f", "--mount-proc", "--kill-child"];

interface Hook {
  readonly command: string;
  readonly async?: boolean;
}

/** claude-mem's own hook commands with its worker running, Continuo's command hooks and a bare Node in the same rounds. */
export async function measureClaudeMem(stores: Stores): Promise<void> {
  console.log(`### claude-mem ${CLAUDE_MEM}, its worker running, and Continuo's command hooks\n`);
  const bun = await installRuntime({ kind: "bun", version: "1.4.4" });
  if (spawnSync("unshare", [...INSIDE, "true"]).status !== 0 || "skip" in bun) {
    console.log("Not run here: it needs Bun, and namespaces of its own to have no network.\n");
    return;
  }
  const plugin = claudeMemPlugin();
  const user = join(stores.folder, "claude-mem");
  mkdirSync(join(user, ".claude"), { recursive: true });
  const path = [dirname(bun.program), dirname(process.execPath), "/usr/bin", "/bin"].join(":");
  const env = {
    HOME: user,
    PATH: path,
    CLAUDE_PLUGIN_ROOT: plugin,
    CLAUDE_MEM_CHROMA_ENABLED: "false",
    DO_NOT_TRACK: "1",
  };
  const theirs = await theirCases(stores, plugin, env);
  const bare = {
    name: "bare `node -e 0`",
    command: `"${process.execPath}" -e 0`,
    env,
    stdin: "",
    cwd: stores.root,
  };
  const job: Job = {
    first: theirs.filter(({ event }) => event === "SessionStart"),
    cases: [bare, ...theirs, ...(await ourCases(stores))],
    rounds: rounds(20),
  };
  const times = inside(job);
  const of = (i: number, key: "wall" | "cpu") => (times[i] ?? []).map((one) => one[key]);
  printTable(
    ["hook", "the host waits", "n", "wall p50 ms", "p95", "/ bare", "CPU p50 ms", "/ bare"],
    job.cases.map((one, i) => [
      one.name,
      "waits" in one && one.waits === false ? "no (async)" : i === 0 ? "" : "yes",
      times[i]?.length ?? 0,
      median(of(i, "wall")).toFixed(0),
      p95(of(i, "wall")).toFixed(0),
      (median(of(i, "wall")) / median(of(0, "wall"))).toFixed(2),
      median(of(i, "cpu")).toFixed(0),
      (median(of(i, "cpu")) / median(of(0, "cpu"))).toFixed(2),
    ]),
  );
}

function inside(job: Job): Spent[][] {
  const script = join(import.meta.dirname, "inside.ts");
  const done = spawnSync("unshare", [...INSIDE, process.execPath, script], {
    input: JSON.stringify(job),
    encoding: "utf8",
    maxBuffer: 2 ** 28,
  });
  if (done.status !== 0) throw new Error(`claude-mem: ended with ${done.status}: ${done.stderr}`);
  return JSON.parse(done.stdout) as Spent[][];
}

async function theirCases(stores: Stores, plugin: string, env: NodeJS.ProcessEnv) {
  const { hooks } = JSON.parse(readFileSync(join(plugin, "hooks", "hooks.json"), "utf8")) as {
    hooks: Readonly<Record<string, readonly { readonly hooks: readonly Hook[] }[]>>;
  };
  const about = promptAbout(await stores.notes(), 300);
  return EVENTS.flatMap((event) =>
    (hooks[event] ?? [])
      .flatMap((group) => group.hooks)
      .map(({ command, async: isAsync = false }, i) => ({
        event,
        name: `claude-mem ${event} (${/(\S+)$/.exec(command)?.[1] ?? i})`,
        waits: !isAsync,
        command,
        env,
        stdin: payloadOf(event, stores.root, about),
        cwd: stores.root,
      })),
  );
}

function payloadOf(event: string, root: string, prompt: string): string {
  const file_path = join(root, "src", "parser.ts");
  return JSON.stringify({
    session_id: "11111111-2222-4333-8444-55555555ROUND",
    transcript_path: join(root, "none.jsonl"),
    cwd: root,
    hook_event_name: event,
    source: "startup",
    prompt,
    tool_name: "Read",
    tool_input: { file_path },
    tool_response: { type: "text", file: { filePath: file_path, content: "export const a = 1;\n" } },
  });
}

/** With 10,000 notes and 2,000 sessions. All but the start are of a session that has started. */
async function ourCases(stores: Stores): Promise<ShellCase[]> {
  const [build] = builds();
  if (build === undefined) return [];
  const home = copyHome(await stores.filled(), join(stores.folder, "beside-claude-mem"));
  const prompt = promptAbout(home, 300);
  const where = { build, root: stores.root, user: stores.folder };
  return EVENTS.map((event) => {
    const session = event === "SessionStart" ? "new-ROUND" : "old-ROUND";
    const { env, stdin, cwd } = hookCommand(where, home, event, session, { prompt });
    const command = `"${process.execPath}" "${build.script}" hook claude-code ${event}`;
    return { name: `Continuo ${event}`, command, env, stdin, cwd };
  });
}
