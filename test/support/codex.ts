import { execFileSync, spawn } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { build } from "esbuild";
import type { Wiring } from "../../src/hosts/installer.ts";
import { ROOT } from "./child.ts";

/** What the drivers of hosts with hooks share: folders, a hook program, and a way to run the host. */
export interface Place {
  readonly home: string;
  readonly project: string;
  readonly env: Record<string, string>;
  readonly wiring: Wiring;
  /** Ends with the host's exit; throws when it takes too long or fails. */
  run(command: readonly string[], env?: Record<string, string>): Promise<string>;
  dispose(): void;
}

/** A home and a git project of their own, and `continuo.cjs` with only the given host's adapter in it. */
export async function makePlace(host: { name: string; module: string }): Promise<Place> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), `${host.name}-`)));
  const [home, project, temporary] = [join(root, "home"), join(root, "project"), join(root, "tmp")];
  for (const folder of [home, project, temporary]) mkdirSync(folder);
  execFileSync("git", ["init", "-q", "-b", "main", project]);
  const script = join(root, "continuo.cjs");
  await bundleHook(host, script);
  const env = {
    PATH: [dirname(process.execPath), "/usr/local/bin", "/usr/bin", "/bin"].join(":"),
    HOME: home,
    TMPDIR: temporary,
    LANG: "C.UTF-8",
  };
  return {
    home,
    project,
    env,
    wiring: { runtime: process.execPath, script, answered: new Set(["tool", "idle"]), guards: false },
    run: (command, more = {}) => run(command, project, { ...env, ...more }),
    dispose: () => {
      for (const pid of processesOf(root)) kill(pid);
      rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    },
  };
}

/** The same as `src/cli/hook-main.ts`, with a host that need not be registered. */
async function bundleHook(host: { name: string; module: string }, outfile: string): Promise<void> {
  const contents = `
    import { ${host.name} } from "./${host.module}";
    import { readBounded } from "./src/hosts/payload.ts";
    import { runHook } from "./src/hosts/run-hook.ts";
    import { SOURCES } from "./src/sources/index.ts";
    const [, , , name = "", event = ""] = process.argv;
    runHook({ host: name, event, env: process.env, cwd: process.cwd(), now: Date.now, hosts: [${host.name}],
      sources: SOURCES, readPayload: (ms) => readBounded(0, ms) })
      .then((text) => process.stdout.write(text, () => process.exit(0)));`;
  await build({
    stdin: { contents, resolveDir: ROOT, loader: "ts" },
    bundle: true,
    platform: "node",
    format: "cjs",
    mainFields: ["module", "main"],
    external: ["node:sqlite", "bun:sqlite"],
    define: { CONTINUO_VERSION: '"test"' },
    outfile,
  });
}

/** Breaks the hooks in a settings file in the way that the contract names. */
export function sabotageFile(file: string, original: string, how: "throws" | "hangs" | "gone"): void {
  const command = /"(command|bash)": "(?:[^"\\]|\\.)*"/g;
  const broken = {
    throws: original.replaceAll(command, '"$1": "exit 3"'),
    // Every unit that a host may count in, down to about a second.
    hangs: original
      .replaceAll(command, '"$1": "sleep 60"')
      .replaceAll(
        /"(timeout\w*)": (\d+)/g,
        (_, key: string, n: string) => `"${key}": ${Number(n) > 500 ? 1000 : 1}`,
      ),
    gone: original.replaceAll("continuo.cjs", "gone.cjs"),
  };
  writeFileSync(file, broken[how]);
}

function run(command: readonly string[], cwd: string, env: Record<string, string>): Promise<string> {
  const [program = "", ...args] = command;
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
    let [stdout, stderr] = ["", ""];
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      stdout += chunk;
    });
    child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
      stderr += chunk;
    });
    const timer = setTimeout(() => child.kill("SIGKILL"), 90_000);
    child.on("error", reject);
    child.on("close", (code) => {
      clearTimeout(timer);
      if (code === 0) resolve(stdout);
      else reject(new Error(`${program} ended with ${code}: ${stdout.slice(-800)} ${stderr.slice(-1500)}`));
    });
  });
}

/** Processes with our folder in their environment; none where there is no /proc. */
function processesOf(root: string): number[] {
  if (process.platform !== "linux") return [];
  return readdirSync("/proc")
    .map(Number)
    .filter((pid) => pid > 0 && pid !== process.pid && environmentOf(pid).includes(root));
}

function environmentOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, "utf8");
  } catch {
    return ""; // it ended, or it is not ours to look at
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
