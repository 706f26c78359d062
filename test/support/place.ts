import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { hooksOver, processesOf } from "./left-behind.ts";
import { bePatient } from "./patience.ts";

/** What the drivers of hosts with hooks share: folders and a way to run the host. */
export interface Place {
  readonly home: string;
  readonly project: string;
  readonly env: Record<string, string>;
  /** Resolves when the host exits; throws if it takes too long or fails. */
  run(
    command: readonly string[],
    env?: Record<string, string>,
    onStderr?: (text: string) => void,
  ): Promise<string>;
  dispose(): void;
}

/** A temporary home and git project. */
export async function makePlace(name: string): Promise<Place> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), `${name}-`)));
  const [home, project, temporary] = [join(root, "home"), join(root, "project"), join(root, "tmp")];
  for (const folder of [home, project, temporary]) mkdirSync(folder);
  bePatient(home);
  execFileSync("git", ["init", "-q", "-b", "main", project]);
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
    run: async (command, more = {}, onStderr) => {
      const output = await run(command, project, { ...env, ...more }, onStderr);
      await hooksOver(root);
      return output;
    },
    dispose: () => {
      for (const pid of processesOf(root)) kill(pid);
      rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    },
  };
}

function run(
  command: readonly string[],
  cwd: string,
  env: Record<string, string>,
  onStderr?: (text: string) => void,
): Promise<string> {
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
      onStderr?.(stderr);
      if (code === 0) resolve(stdout);
      else reject(new Error(`${program} ended with ${code}: ${stdout.slice(-800)} ${stderr.slice(-1500)}`));
    });
  });
}

/** Also if it has ended already. */
export function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
