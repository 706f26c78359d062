import { spawnSync } from "node:child_process";
import type { Home } from "../../../src/store/home.ts";
import { makeProject } from "../../hook/store.ts";
import { copyHome, writeFiles } from "../stores.ts";

/** How Continuo is installed in a host. */
export interface Form {
  readonly name: string;
  /** The `continuo.cjs` that is installed; undefined for the host without Continuo. */
  readonly script?: string;
  /** More arguments for `continuo install HOST`. */
  readonly args?: readonly string[];
  readonly store: Home;
}

export interface Turn {
  /** From the prompt to the host's report that the turn is over. In a new process: from its start. */
  readonly ms: number;
  /** For each tool call: from the model's answer, which asks for it, to the next request. */
  readonly steps: readonly number[];
  /** When the first call was asked for and the last one's result arrived, in milliseconds since 1970. */
  readonly from: number;
  readonly to: number;
}

/** A real host with its own home and project, whose model reads one file per call. */
export interface LivingHost {
  /** Runs one turn in the process that is running, or starts one with a new session. */
  turn(prompt: string, calls: number): Promise<Turn>;
  /** Ends the process. */
  stop(): Promise<void>;
  dispose(): Promise<void>;
}

/** What the fake model does, and when. */
export interface ReadingModel {
  /** The next file to read; undefined when the turn's calls are used up and the model ends the turn. */
  next(): string | undefined;
  run(calls: number, turn: () => Promise<unknown>): Promise<Turn>;
}

export function readingModel(files: readonly string[]): ReadingModel {
  let [left, read] = [0, 0];
  let answered: number | undefined;
  let steps: number[] = [];
  let [from, to] = [0, 0];
  return {
    next() {
      const now = performance.now();
      if (answered !== undefined) {
        steps.push(now - answered);
        to = now;
      }
      if (left === 0) {
        answered = undefined;
        return undefined;
      }
      left--;
      read++;
      answered = performance.now();
      if (from === 0) from = answered;
      return files[read % files.length];
    },
    async run(calls, turn) {
      [left, steps, answered, from, to] = [calls, [], undefined, 0, 0];
      const begun = performance.now();
      await turn();
      const ms = performance.now() - begun;
      if (steps.length !== calls) throw new Error(`${steps.length} of ${calls} tool calls were made`);
      return { ms, steps, from: performance.timeOrigin + from, to: performance.timeOrigin + to };
    },
  };
}

const FILES = 60;

/** The project's rules and files, and the notes below the user's home. */
export function furnish(home: string, project: string, store: Home): string[] {
  makeProject(project);
  copyHome(store, `${home}/.continuo`);
  return writeFiles(project, FILES);
}

export function install(
  host: string,
  { script, args = [] }: Form,
  env: NodeJS.ProcessEnv,
  cwd: string,
): void {
  if (script === undefined) return;
  const done = spawnSync(process.execPath, [script, "install", host, ...args], {
    env,
    cwd,
    encoding: "utf8",
  });
  if (done.status !== 0) throw new Error(`install ${host} ended with ${done.status}: ${done.stderr}`);
}
