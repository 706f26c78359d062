import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { build } from "esbuild";

export const ROOT = join(import.meta.dirname, "..", "..");

/** Bundles a snippet that imports from `./src/…` into a script for a separate process. */
export async function childScript(folder: string, contents: string): Promise<string> {
  const outfile = join(folder, "child.mjs");
  await build({
    stdin: { contents, resolveDir: ROOT, loader: "ts" },
    bundle: true,
    platform: "node",
    format: "esm",
    outfile,
  });
  return outfile;
}

export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the built command line, or any other script, as users and hosts do. */
export function runScript(
  script: string,
  args: readonly string[],
  options: {
    env?: NodeJS.ProcessEnv;
    cwd?: string;
    stdin?: string | Uint8Array;
    nodeArgs?: readonly string[];
  } = {},
): Promise<Finished> {
  const child = spawn(process.execPath, [...(options.nodeArgs ?? []), script, ...args], {
    env: options.env,
    cwd: options.cwd,
  });
  // A hook may answer before it has read everything. That is allowed and not a failure.
  child.stdin.on("error", () => undefined);
  child.stdin.end(options.stdin ?? "");
  return finished(child);
}

export const CONTINUO = join(ROOT, "dist", "continuo.cjs");

export function finished(child: ChildProcess): Promise<Finished> {
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  child.stdout?.on("data", (chunk: Buffer) => out.push(chunk));
  child.stderr?.on("data", (chunk: Buffer) => err.push(chunk));
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) =>
      resolve({ code, stdout: Buffer.concat(out).toString(), stderr: Buffer.concat(err).toString() }),
    );
  });
}
