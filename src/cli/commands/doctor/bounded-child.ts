import { type ChildProcess, spawn, spawnSync } from "node:child_process";

export interface Errand {
  readonly file: string;
  readonly args: readonly string[];
  /** As in `spawn`: the file is a command line for this shell. */
  readonly shell?: string | boolean;
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly input: string;
  /** Standard input stays open until the output holds this; without it, it ends with the input. */
  readonly until?: RegExp;
}

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly ms: number;
  /** It had to be ended. */
  readonly late: boolean;
}

const MAX_OUTPUT = 256 * 1024;

/** Runs a program to its end, or ends it and what it started. Never rejects: what could not start has no code. */
export function runBounded(errand: Errand, limitMs: number): Promise<Ran> {
  const { file, args, shell = false, cwd, env } = errand;
  const started = Date.now();
  const isPosix = process.platform !== "win32";
  return new Promise((resolve) => {
    // In a group of its own, a shell can be ended together with what it runs.
    const child = spawn(file, args, { cwd, env, shell, detached: isPosix, windowsHide: true, stdio: "pipe" });
    const said = { stdout: "", stderr: "" };
    let late = false;
    let answeredMs: number | undefined;
    const settle = (code: number | null) => {
      clearTimeout(timer);
      resolve({ code, ...said, ms: answeredMs ?? Date.now() - started, late });
    };
    const timer = setTimeout(() => {
      late = true;
      endTree(child);
      // A grandchild that left the group may hold the pipes open for ever.
      setTimeout(() => {
        child.stdout.destroy();
        child.stderr.destroy();
        settle(null);
      }, 500).unref();
    }, limitMs);
    for (const name of ["stdout", "stderr"] as const) {
      child[name].setEncoding("utf8").on("data", (chunk: string) => {
        said[name] = (said[name] + chunk).slice(0, MAX_OUTPUT);
        if (answeredMs === undefined && errand.until?.test(said.stdout)) {
          answeredMs = Date.now() - started;
          child.stdin.end();
        }
      });
    }
    child.stdin.on("error", () => undefined); // it may end before it has read everything: that is its right
    child.on("error", (error) => {
      said.stderr += error.message;
      settle(null);
    });
    child.on("close", settle);
    if (errand.until === undefined) child.stdin.end(errand.input);
    else child.stdin.write(errand.input);
  });
}

function endTree(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === "win32") spawnSync("taskkill", ["/pid", String(child.pid), "/t", "/f"]);
    else process.kill(-child.pid, "SIGKILL");
  } catch {
    // It ended by itself just now.
  }
}
