import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CONTINUO, type Finished, finished } from "../support/child.ts";
import { PEAK_KB } from "../support/peak-memory.ts";
import { temporaryFolder, write } from "../support/world.ts";

/**
 * The built program in its own temporary folders. These tests import nothing from the source, so they also run on the commit
 * that the findings are about.
 */
export interface Place {
  readonly folder: string;
  readonly root: string;
  readonly home: string;
  readonly env: Readonly<Record<string, string>>;
}

export function place(files: Record<string, string> = {}): Place {
  const folder = temporaryFolder("finding");
  const root = join(folder, "project");
  const home = join(folder, "home");
  const user = join(folder, "user");
  for (const one of [root, home, user]) mkdirSync(one);
  write(root, files);
  // No hook may fail because this machine is busy: what hangs is killed after HANG_MS.
  const patient = JSON.stringify({ momentDeadlineMs: 10_000, sourceDeadlineMs: 8_000 });
  writeFileSync(join(home, "config.json"), patient, { mode: 0o600 });
  const env = { CONTINUO_HOME: home, HOME: user, TMPDIR: folder, PATH: process.env["PATH"] ?? "" };
  return { folder, root, home, env };
}

export interface Options {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly stdin?: string;
}

/** Long enough for any machine and short enough for a failing test. What takes longer hangs. */
const HANG_MS = 15_000;
/** In KB. A bug must not use up the memory of the machine. */
const MEMORY = 4_000_000;

/** Runs a shell command; `code` is null when it had to be killed. */
export async function shell(at: Place, command: string, options: Options = {}): Promise<Finished> {
  const limit = process.platform === "linux" ? `ulimit -v ${MEMORY}; ` : "";
  const child = spawn("sh", ["-c", `${limit}${command}`], {
    cwd: options.cwd ?? at.root,
    env: options.env ?? at.env,
    detached: true, // a group of its own, so that it can be killed with all that it started
  });
  child.stdin.on("error", () => undefined); // it may end without reading
  child.stdin.end(options.stdin ?? "");
  const timer = setTimeout(() => {
    if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
  }, HANG_MS);
  try {
    return await finished(child);
  } finally {
    clearTimeout(timer);
  }
}

const word = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

export function continuo(at: Place, args: readonly string[], options?: Options): Promise<Finished> {
  return shell(at, `exec ${[process.execPath, CONTINUO, ...args].map(word).join(" ")}`, options);
}

/** One hook of Claude Code. */
export function hook(at: Place, event: string, more: object = {}, options: Options = {}): Promise<Finished> {
  const payload = { session_id: "s1", cwd: options.cwd ?? at.root, source: "startup", ...more };
  return continuo(at, ["hook", "claude-code", event], { ...options, stdin: JSON.stringify(payload) });
}

/** What a hook used; all 0 if it was killed. */
export interface Measured {
  readonly stdout: string;
  /** Peak memory, in KB. */
  readonly memory: number;
  /** Bytes read, including its own program. Counted on Linux only. */
  readonly bytesRead: number;
}

const MEASURE = `
const { existsSync, readFileSync, writeFileSync } = require("node:fs");
process.on("exit", () => {
  const counted = existsSync("/proc/self/io") ? readFileSync("/proc/self/io", "utf8") : "rchar: 1";
  const bytesRead = Number(/^rchar: (\\d+)/m.exec(counted)[1]);
  writeFileSync(process.env.MEASURED, JSON.stringify({ memory: ${PEAK_KB}, bytesRead }));
});
`;

export async function measuredHook(
  at: Place,
  event: string,
  more: object = {},
  options: Options = {},
): Promise<Measured> {
  const file = join(at.folder, "measured.json");
  writeFileSync(join(at.folder, "measure.cjs"), MEASURE);
  writeFileSync(file, '{ "memory": 0, "bytesRead": 0 }');
  const env = { ...at.env, MEASURED: file, NODE_OPTIONS: `--require=${join(at.folder, "measure.cjs")}` };
  const { stdout } = await hook(at, event, more, { ...options, env });
  return { stdout, ...JSON.parse(readFileSync(file, "utf8")) };
}

interface WiredEntry {
  readonly command?: string;
  readonly bash?: string;
  readonly additionalContextLimit?: number;
  readonly hooks?: readonly WiredEntry[];
}

const SETTINGS = {
  "claude-code": ".claude/settings.json",
  codex: ".codex/hooks.json",
  copilot: ".copilot/hooks/continuo.json",
  gemini: ".gemini/settings.json",
};

export type WiredHost = keyof typeof SETTINGS;

/** What the installer wrote into the host's settings for an event. */
export async function wired(at: Place, host: WiredHost): Promise<(event: string) => WiredEntry[]> {
  const user = at.env["HOME"] ?? "";
  mkdirSync(join(user, SETTINGS[host].slice(0, SETTINGS[host].indexOf("/"))), { recursive: true });
  const { code, stderr } = await continuo(at, ["install", host]);
  if (code !== 0) throw new Error(stderr);
  const { hooks } = JSON.parse(readFileSync(join(user, SETTINGS[host]), "utf8")) as {
    hooks: Record<string, WiredEntry[]>;
  };
  return (event) => (hooks[event] ?? []).flatMap((group) => group.hooks ?? [group]);
}

/** What the model sees of one hook output, as observed in the real programs. */
function shown(host: WiredHost, event: string, entry: WiredEntry, text: string): string {
  if (host === "claude-code") return text.length > 10_000 ? text.slice(0, 2_000) : text;
  if (host === "copilot") return event === "postToolUse" ? text.slice(0, 10_240) : text;
  const bytes = Buffer.from(text);
  if (host === "codex" && entry.additionalContextLimit !== 0 && bytes.length > 10_000)
    return `${bytes.subarray(0, 5_000)} […] ${bytes.subarray(-5_000)}`;
  return text;
}

/** A host with Continuo installed: all entries of an event run at once, and the result is what the model sees. */
export async function startHost(at: Place, host: WiredHost) {
  const entries = await wired(at, host);
  return async (event: string, more: object = {}): Promise<string> => {
    const stdin = JSON.stringify({ session_id: "s1", sessionId: "s1", cwd: at.root, ...more });
    const texts = await Promise.all(
      entries(event).map(async (entry) => {
        const { code, stdout } = await shell(at, entry.command ?? entry.bash ?? "false", { stdin });
        if (code !== 0) throw new Error(`${host} ${event} ended with ${code}`);
        if (!stdout.startsWith("{")) return "";
        const answer = JSON.parse(stdout);
        const text = (answer.hookSpecificOutput ?? answer).additionalContext ?? "";
        return shown(host, event, entry, text);
      }),
    );
    return (host === "copilot" ? texts.slice(-1) : texts).join("\n");
  };
}
