import { type ChildProcess, execFile, spawn } from "node:child_process";
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { type ChatRequest, type FakeOpenAI, startFakeOpenAI } from "../fakes/openai.ts";
import { type Finished, finished } from "./child.ts";
import { installedPackage } from "./packages.ts";
import { traced } from "./tampering.ts";

export const OPENCODE = "1.18.34";
/** The program itself: `opencode-ai`, which only starts it, gets new versions later. */
export const OPENCODE_PACKAGE = `opencode-${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;
const MODEL = { providerID: "fake", modelID: "fake-model" };

export interface OpenCode {
  root: string;
  home: string;
  project: string;
  server: FakeOpenAI;
  /** The environment of the user's command line, with the same home. */
  env: Record<string, string>;
  /** Where the host reads its settings. */
  settingsFile: string;
  /** Ends the process, if there is one. The next request starts a new one. */
  stop(): Promise<void>;
  /** Processes that start from now on record their network calls in this folder. */
  traceInto(folder: string): void;
  createSession(): Promise<string>;
  /** Runs one prompt to its end. */
  prompt(session: string, text: string): Promise<ChatRequest[]>;
  compact(session: string): Promise<ChatRequest[]>;
  /** `opencode run`, without a TUI: a separate process for one prompt. */
  run(text: string): Promise<Finished>;
  /** The server's address. */
  url(): Promise<string>;
  request(method: string, route: string, body?: unknown): Promise<unknown>;
  log(): string;
  dispose(): Promise<void>;
}

/** Another host's project, and variables that make the hosts know of each other. */
export interface Beside {
  readonly project: string;
  readonly env: Readonly<Record<string, string>>;
}

/** The real program as a server, with its own home, project and fake model. It connects to loopback only. */
export async function startOpenCode(beside?: Beside): Promise<OpenCode> {
  const program = await programOf(OPENCODE);
  const root = await realpath(await mkdtemp(path.join(tmpdir(), "oc-")));
  const home = path.join(root, "home");
  const project = beside?.project ?? path.join(root, "project");
  const settings = path.join(home, ".config", "opencode");
  for (const folder of [settings, project, path.join(root, "tmp")]) await mkdir(folder, { recursive: true });
  await promisify(execFile)("git", ["init", "-q", "-b", "main", project]);
  const server = await startFakeOpenAI();
  const env = { ...opencodeEnv(root, home, server.url), ...beside?.env };
  let running: { child: ChildProcess; url: string } | undefined;
  let output = "";
  let traces: string | undefined;

  async function url(): Promise<string> {
    if (running !== undefined) return running.url;
    const [command = "", ...args] = traced(
      [program, "serve", "--hostname", "127.0.0.1", "--port", "0"],
      traces,
    );
    const child = spawn(command, args, {
      cwd: project,
      env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    const found = new Promise<string>((resolve, reject) => {
      const read = (chunk: string) => {
        output += chunk;
        const match = /listening on (http:\/\/\S+)/.exec(chunk);
        if (match?.[1] !== undefined) resolve(match[1]);
      };
      child.stdout.setEncoding("utf8").on("data", read);
      child.stderr.setEncoding("utf8").on("data", read);
      child.on("error", reject);
      child.on("exit", () => reject(new Error(`opencode ended:\n${output}`)));
    });
    running = { child, url: await found };
    return running.url;
  }

  async function stop(): Promise<void> {
    const child = running?.child;
    running = undefined;
    if (child === undefined || child.exitCode !== null) return;
    const ended = new Promise((resolve) => child.on("exit", resolve));
    child.kill("SIGTERM");
    const patience = setTimeout(() => child.kill("SIGKILL"), 3_000);
    await ended;
    clearTimeout(patience);
  }

  async function request(method: string, route: string, body?: unknown): Promise<unknown> {
    const response = await fetch(`${await url()}${route}`, {
      method,
      ...(body === undefined
        ? {}
        : { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${route}: ${response.status} ${text}\n${output}`);
    return text === "" ? undefined : JSON.parse(text);
  }

  async function during(work: () => Promise<unknown>): Promise<ChatRequest[]> {
    const from = server.requests.length;
    await work();
    return server.requests.slice(from);
  }

  return {
    root,
    home,
    project,
    server,
    env,
    settingsFile: path.join(settings, "opencode.json"),
    stop,
    traceInto: (folder) => {
      traces = folder;
    },
    url,
    request,
    run(text) {
      const child = spawn(program, ["run"], { cwd: project, env, stdio: ["pipe", "pipe", "pipe"] });
      child.stdin.end(text);
      return finished(child);
    },
    log: () => output,
    createSession: async () => ((await request("POST", "/session", {})) as { id: string }).id,
    prompt: (session, text) =>
      during(() =>
        request("POST", `/session/${session}/message`, { model: MODEL, parts: [{ type: "text", text }] }),
      ),
    compact: (session) => during(() => request("POST", `/session/${session}/summarize`, MODEL)),
    dispose: async () => {
      await stop();
      await server.close();
      await sleep(50); // the host's own children, such as a file watcher, end with it
      await rm(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    },
  };
}

export async function programOf(version: string = OPENCODE): Promise<string> {
  const folder = await installedPackage(OPENCODE_PACKAGE, version);
  const file = process.platform === "win32" ? "opencode.exe" : "opencode";
  return path.join(folder, "node_modules", OPENCODE_PACKAGE, "bin", file);
}

export function opencodeEnv(root: string, home: string, url: string): Record<string, string> {
  const model = { tool_call: true, limit: { context: 200_000, output: 8_000 } };
  const config = {
    model: "fake/fake-model",
    small_model: "fake/fake-small",
    autoupdate: false,
    share: "disabled",
    provider: {
      fake: {
        npm: "@ai-sdk/openai-compatible",
        name: "Fake",
        options: { baseURL: url, apiKey: "sk-fake" },
        models: { "fake-model": { name: "Fake", ...model }, "fake-small": { name: "Small", ...model } },
      },
    },
  };
  return {
    PATH: [path.dirname(process.execPath), "/usr/local/bin", "/usr/bin", "/bin"].join(path.delimiter),
    HOME: home,
    XDG_CONFIG_HOME: path.join(home, ".config"),
    XDG_DATA_HOME: path.join(home, ".local", "share"),
    XDG_STATE_HOME: path.join(home, ".local", "state"),
    XDG_CACHE_HOME: path.join(home, ".cache"),
    TMPDIR: path.join(root, "tmp"),
    TERM: "dumb",
    LANG: "C.UTF-8",
    // Without these the host looks up names and installs a package before it loads any plugin.
    OPENCODE_DISABLE_MODELS_FETCH: "1",
    npm_config_offline: "true",
    OPENCODE_DISABLE_AUTOUPDATE: "1",
    OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
    OPENCODE_DISABLE_DEFAULT_PLUGINS: "1",
    OPENCODE_DISABLE_CLAUDE_CODE: "1",
    OPENCODE_CONFIG_CONTENT: JSON.stringify(config),
  };
}

/** Writes the host's settings so that it loads these plugins and no others. */
export function loadPlugins(host: OpenCode, files: readonly string[]): Promise<void> {
  return writeFile(host.settingsFile, `${JSON.stringify({ plugin: files }, null, 2)}\n`);
}
