import { execFile, spawn } from "node:child_process";
import { mkdirSync, symlinkSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { type FakeAnthropic, type ModelRequest, startFakeAnthropic } from "../fakes/anthropic.ts";
import { hooksOver } from "./left-behind.ts";
import { installedPackage } from "./packages.ts";
import { bePatient } from "./patience.ts";
import { kill } from "./place.ts";

export const CLAUDE_CODE = "2.1.327";
/** The last version in plain JavaScript. It does not store hook context in its transcript. */
export const OLD_CLAUDE_CODE = "2.0.77";

/** Pinned, because the model name decides where the host puts hook context. */
export const DEFAULT_MODEL = "claude-sonnet-4-5";

export interface ClaudeCodeOptions {
  version?: typeof CLAUDE_CODE | typeof OLD_CLAUDE_CODE;
  /** Share one server between drivers, or script it; without it the driver starts and closes its own. */
  server?: FakeAnthropic;
  git?: boolean;
  model?: string;
  env?: Record<string, string>;
}

export interface RunOptions {
  prompt: string;
  args?: string[];
  resume?: string;
  sessionId?: string;
  model?: string;
  timeoutMs?: number;
  env?: Record<string, string>;
}

export interface RunResult {
  /** Null when the run was killed. */
  code: number | null;
  stdout: string;
  stderr: string;
  timedOut: boolean;
  /** What the model received since this run began. */
  requests: ModelRequest[];
}

export interface ClaudeCode {
  home: string;
  project: string;
  /** The command that starts it. With its folder on the PATH, `claude` is found. */
  program: readonly string[];
  server: FakeAnthropic;
  run(options: RunOptions): Promise<RunResult>;
  /** One of the host's commands, such as `plugin list`: no session, no model. */
  command(...args: string[]): Promise<Ended>;
  /** Writes the user settings, which hold the hooks. */
  settings(settings: unknown): Promise<void>;
  compact(sessionId: string, instructions?: string): Promise<RunResult>;
  /** Removes everything; fails if a process of this home is still running. */
  dispose(): Promise<void>;
}

/** The real program with its own home, project and model server. It connects to loopback only. */
export async function startClaudeCode(options: ClaudeCodeOptions = {}): Promise<ClaudeCode> {
  const model = options.model ?? DEFAULT_MODEL;
  const command = await programOf(options.version ?? CLAUDE_CODE);
  // Short and real: the host puts a socket under TMPDIR and derives folder names from the resolved project.
  const root = await realpath(await mkdtemp(path.join(tmpdir(), "cc-")));
  const home = path.join(root, "home");
  const project = path.join(root, "project");
  const temporary = path.join(root, "tmp");
  for (const folder of [path.join(home, ".claude"), project, temporary]) {
    await mkdir(folder, { recursive: true });
  }
  bePatient(home);
  if (options.git) await promisify(execFile)("git", ["init", "-q", "-b", "main", project]);
  const server = options.server ?? (await startFakeAnthropic());
  const env = { ...claudeCodeEnv(home, temporary, server.url), ...options.env };

  async function start(
    args: string[],
    more: Record<string, string> = {},
    timeoutMs = 60_000,
  ): Promise<Ended> {
    const ended = await runProgram([...command, ...args], {
      cwd: project,
      env: { ...env, ...more },
      timeoutMs,
      // The host gives each hook its own process group, so killing the host's group is not enough.
      onTimeout: () => killAll(root),
    });
    await hooksOver(root);
    return ended;
  }

  async function run(options: RunOptions): Promise<RunResult> {
    const from = server.requests.length;
    const args = ["-p", options.prompt, "--model", options.model ?? model];
    if (options.resume) args.push("--resume", options.resume);
    if (options.sessionId) args.push("--session-id", options.sessionId);
    // Last, since some flags of the host swallow every word that follows.
    args.push(...(options.args ?? []));
    const ended = await start(args, options.env, options.timeoutMs);
    return { ...ended, requests: server.requests.slice(from) };
  }

  return {
    home,
    project,
    program: command,
    server,
    run,
    command: (...args) => start(args),
    settings: (settings) =>
      writeFile(path.join(home, ".claude", "settings.json"), `${JSON.stringify(settings, null, 2)}\n`),
    compact: (sessionId, instructions) =>
      run({ prompt: instructions ? `/compact ${instructions}` : "/compact", resume: sessionId }),
    dispose: async () => {
      const left = await leftBehind(root);
      await killAll(root);
      if (!options.server) await server.close();
      await rm(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
      if (left.length > 0) {
        throw new Error(`left running: ${left.map(({ pid, command }) => `${pid} ${command}`).join("; ")}`);
      }
    },
  };
}

export async function programOf(version: string = CLAUDE_CODE): Promise<string[]> {
  const folder = await installedPackage("@anthropic-ai/claude-code", version);
  const scope = path.join(folder, "node_modules", "@anthropic-ai");
  if (version === OLD_CLAUDE_CODE) return [process.execPath, path.join(scope, "claude-code", "cli.js")];
  // npm picks the one platform package that fits, so there is nothing to work out here.
  const platform = (await readdir(scope)).find((name) => name.startsWith("claude-code-"));
  if (!platform)
    throw new Error(`Claude Code ${version} has no build for ${process.platform}-${process.arch}`);
  return [path.join(scope, platform, process.platform === "win32" ? "claude.exe" : "claude")];
}

/** How its hooks reach Continuo: each starts a process, or calls a tool of the MCP server. */
export type HookForm = "command" | "tool";

/**
 * The environment of a user who installs Continuo. Where `claude` is not on the PATH, the installer does not know its
 * version, and hooks are commands. Not from its folder in `node_modules`: nothing there is run.
 */
export function userEnv({ home, program }: Pick<ClaudeCode, "home" | "program">, form: HookForm) {
  const bin = path.join(home, ".local", "bin");
  mkdirSync(bin, { recursive: true });
  if (form === "tool") symlinkSync(program[0] ?? "", path.join(bin, "claude"));
  return { HOME: home, TMPDIR: path.join(path.dirname(home), "tmp"), PATH: `${bin}:/usr/bin:/bin` };
}

export function claudeCodeEnv(home: string, temporary: string, url: string): Record<string, string> {
  return {
    // This node first: hook commands say `node`, and the system's may be too old.
    PATH: [path.dirname(process.execPath), "/usr/local/bin", "/usr/bin", "/bin"].join(path.delimiter),
    HOME: home,
    USERPROFILE: home,
    LANG: "C.UTF-8",
    TMPDIR: temporary,
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: "sk-ant-dummy",
    // Without it the host looks up names and calls home.
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_TELEMETRY: "1",
    DISABLE_ERROR_REPORTING: "1",
    DISABLE_AUTOUPDATER: "1",
    // Lets it run as root in a container.
    IS_SANDBOX: "1",
  };
}

export type Ended = Omit<RunResult, "requests">;

interface Program {
  cwd: string;
  env: Record<string, string>;
  timeoutMs: number;
  onTimeout: () => Promise<void>;
}

function runProgram([program, ...args]: string[], options: Program): Promise<Ended> {
  const { cwd, env, timeoutMs, onTimeout } = options;
  return new Promise((resolve, reject) => {
    const detached = process.platform !== "win32";
    const child = spawn(program ?? "", args, { cwd, env, detached, stdio: ["ignore", "pipe", "pipe"] });
    let [stdout, stderr, timedOut] = ["", "", false];
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      stdout += chunk;
    });
    child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
      stderr += chunk;
    });
    const timer = setTimeout(() => {
      timedOut = true;
      if (child.pid) kill(detached ? -child.pid : child.pid);
      onTimeout().catch(reject);
    }, timeoutMs);
    child.on("error", (error) => {
      clearTimeout(timer);
      reject(error);
    });
    child.on("close", (code) => {
      clearTimeout(timer);
      resolve({ code, stdout, stderr, timedOut });
    });
  });
}

/** What still runs after a short wait. */
async function leftBehind(root: string): Promise<Process[]> {
  const deadline = Date.now() + 2_000;
  for (;;) {
    const found = await processesOf(root);
    if (found.length === 0 || Date.now() > deadline) return found;
    await sleep(50);
  }
}

interface Process {
  pid: number;
  command: string;
}

/** Processes with the temporary folder in their command line or environment; empty if there is no /proc. */
async function processesOf(root: string): Promise<Process[]> {
  if (process.platform !== "linux") return [];
  const found = [];
  for (const name of await readdir("/proc")) {
    const pid = Number(name);
    if (!pid || pid === process.pid) continue;
    const command = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
    const environment = await readFile(`/proc/${pid}/environ`, "utf8").catch(() => "");
    if (command.includes(root) || environment.includes(root)) {
      found.push({ pid, command: command.replaceAll("\0", " ").trim() });
    }
  }
  return found;
}

async function killAll(root: string): Promise<void> {
  for (const { pid } of await processesOf(root)) kill(pid);
}
