import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { main } from "../../src/cli/main.ts";
import type { Screen } from "../../src/cli/terminal/screen.ts";
import { registries } from "../../src/entries/registries.ts";
import { type Finished, ROOT } from "./child.ts";
import { temporaryWorld } from "./world.ts";

interface Options {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  readonly stdin?: string | Uint8Array;
  readonly now?: () => number;
  readonly screen?: Screen;
  /** Of the process while the command runs. */
  readonly umask?: number;
}

/** What a command's own function is called with. Nobody can be asked. */
export function inputIn({ env, root }: { env: NodeJS.ProcessEnv; root: string }) {
  return { ...registries, env, cwd: root, now: Date.now, packageRoot: ROOT, stdin: -1 };
}

/** A temporary home and project with these files, and the command line there. */
export function commandWorld(files: Record<string, string> = {}, more: NodeJS.ProcessEnv = {}) {
  const world = temporaryWorld(files);
  const env = { ...world.env, ...more };
  const run = (...args: string[]) => runInProcess(args, { env, cwd: world.root });
  return {
    ...world,
    env,
    run,
    /** What it prints. */
    text: async (...args: string[]) => (await run(...args)).stdout,
    /** What `--json` has under `data`. */
    data: async (...args: string[]) => JSON.parse((await run(...args, "--json")).stdout).data,
    /** A hook of Claude Code. */
    hook: (event: string, payload: object = {}) =>
      runInProcess(["hook", "claude-code", event], {
        env,
        cwd: world.root,
        stdin: JSON.stringify({ session_id: "s1", cwd: world.root, ...payload }),
      }),
  };
}

let last: Promise<unknown> = Promise.resolve();

/**
 * Runs a command line, or a hook's, in this process instead of a separate one, which saves the start of a process. For what
 * processes do (exits, signals, memory, several at once) use `runScript`. Calls run one after the other, because the
 * environment and the working folder are global.
 */
export function runInProcess(args: readonly string[], options: Options): Promise<Finished> {
  const done = last.then(() => run(args, options));
  last = done.catch(() => undefined);
  return done;
}

async function run(
  args: readonly string[],
  { env, cwd, stdin = "", now = Date.now, screen, umask }: Options,
): Promise<Finished> {
  const folder = mkdtempSync(join(tmpdir(), "stdin-"));
  writeFileSync(join(folder, "stdin"), stdin);
  const descriptor = openSync(join(folder, "stdin"), "r");
  const before = process.cwd();
  // A server has files of its own for nobody else; what comes after it in this worker keeps the usual ones.
  const mask = umask === undefined ? process.umask() : process.umask(umask);
  const restoreEnvironment = putEnvironment(env);
  process.chdir(cwd);
  const restore = () => {
    process.chdir(before);
    restoreEnvironment();
    process.umask(mask);
  };
  // A call that never ends must not block other tests.
  onTestFinished(() => {
    restore();
    last = Promise.resolve();
  });
  let [stdout, stderr] = ["", ""];
  try {
    const world = { env, cwd, now, packageRoot: ROOT, stdin: descriptor, ...registries };
    const code = await main(args, world, {
      out: (text) => {
        stdout += text;
      },
      err: (text) => {
        stderr += text;
      },
      ...(screen && { screen: () => screen }),
    });
    return { code, stdout, stderr };
  } finally {
    restore();
    closeSync(descriptor);
    rmSync(folder, { recursive: true });
  }
}

/** One by one, because the system reads the variables and not the object. */
function putEnvironment(env: NodeJS.ProcessEnv): () => void {
  const before = { ...process.env };
  const put = (wanted: NodeJS.ProcessEnv) => {
    for (const name of Object.keys(process.env)) if (wanted[name] === undefined) delete process.env[name];
    for (const [name, value] of Object.entries(wanted)) if (value !== undefined) process.env[name] = value;
  };
  put(env);
  return () => put(before);
}
