import type { Finished } from "./child.ts";
import { runInProcess } from "./in-process.ts";
import { temporaryWorld } from "./world.ts";

/** A temporary home, and the command line as a person or a program runs it there. */
export function notesWorld() {
  const world = temporaryWorld();
  const run = (args: readonly string[], stdin?: string | Uint8Array): Promise<Finished> =>
    runInProcess(args, {
      env: world.env,
      cwd: world.root,
      ...(stdin === undefined ? {} : { stdin }),
    });
  /** The value under `data` of `--json`. */
  const data = async (...args: string[]) => {
    const done = await run([...args, "--json"]);
    const said = JSON.parse(done.stdout) as { ok: boolean; data: Record<string, unknown> };
    if (!said.ok) throw new Error(done.stdout);
    return said.data;
  };
  const tool = async (name: string, payload: object = {}, ...more: string[]) => {
    const done = await run(["--tool", name, "--payload", JSON.stringify(payload), ...more]);
    return {
      ...done,
      said: more.includes("text") ? {} : (JSON.parse(done.stdout) as Record<string, unknown>),
    };
  };
  return { ...world, run, data, tool };
}
