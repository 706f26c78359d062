import { type ChildProcess, spawn } from "node:child_process";
import { statSync } from "node:fs";
import { isAbsolute } from "node:path";
import { findProgram, passedOver } from "../../../store/find-program.ts";
import { userHome } from "../../../store/home.ts";

export interface Program {
  readonly program: string;
  readonly args: readonly string[];
}

/**
 * The program of `memory.command` and its first arguments. undefined if it may not be run: a relative path would be a
 * different program in every folder.
 */
export function programOf(command: string | readonly string[], env: NodeJS.ProcessEnv): Program | undefined {
  const [first, ...args] = typeof command === "string" ? words(command.trim(), env) : command;
  if (first === undefined || first === "") return undefined;
  const program = atHome(first, env);
  return isAbsolute(program) || !/[/\\]/.test(program) ? { program, args } : undefined;
}

/** If the whole text is a file's path, it may contain spaces; any other text is split at spaces outside quotes. */
function words(command: string, env: NodeJS.ProcessEnv): string[] {
  if (isAbsolute(atHome(command, env)) && isFile(atHome(command, env))) return [command];
  return [...command.matchAll(/"([^"]*)"|'([^']*)'|([^\s"']+)/g)].map(
    ([, double, single, bare]) => double ?? single ?? bare ?? "",
  );
}

function atHome(path: string, env: NodeJS.ProcessEnv): string {
  return /^~[/\\]/.test(path) ? userHome(env) + path.slice(1) : path;
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

interface Call {
  readonly program: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly timeoutMs: number;
  /** Aborted when the caller has stopped waiting. */
  readonly signal?: AbortSignal;
}

/** The result of a call; `detail` is for the user. */
type Called =
  | { readonly kind: "ok"; readonly text: string }
  | { readonly kind: "missing" | "late" | "failed" | "too-much"; readonly detail: string };

const MAX_OUTPUT = 1024 * 1024;
/** The time between SIGTERM and SIGKILL. */
const GRACE_MS = 1000;
const MAX_STDERR = 4096;

/** Runs a program without a shell, until it ends or exceeds a limit. Never rejects. */
export function runProgram({ program, args, env, timeoutMs, signal }: Call): Promise<Called> {
  return new Promise((resolve) => {
    const path = isAbsolute(program) ? program : findProgram(program, { env });
    if (path === undefined) return resolve({ kind: "missing", detail: notFound(program, env) });
    const child = start(path, args, env);
    if (child === undefined) return resolve({ kind: "missing", detail: `${program} cannot be started` });
    const output: Buffer[] = [];
    let bytes = 0;
    let stderr = "";
    let isOver = false;
    const settle = (called: Called) => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      signal?.removeEventListener("abort", giveUp);
      resolve(called);
    };
    const stop = (called: Called) => {
      if (isOver) return;
      settle(called);
      end(child);
    };
    const giveUp = () => stop({ kind: "late", detail: "the caller stopped waiting" });
    const timer = setTimeout(
      () => stop({ kind: "late", detail: `it did not answer within ${timeoutMs} ms` }),
      timeoutMs,
    );
    child.stdout?.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > MAX_OUTPUT) stop({ kind: "too-much", detail: "it printed more than 1 MB" });
      else output.push(chunk);
    });
    child.stderr?.setEncoding("utf8").on("data", (chunk: string) => {
      stderr = (stderr + chunk).slice(0, MAX_STDERR);
    });
    child.on("error", (error: NodeJS.ErrnoException) => {
      const kind = error.code === "ENOENT" || error.code === "EACCES" ? "missing" : "failed";
      settle({ kind, detail: `${program} cannot be started (${error.code ?? error.message})` });
    });
    child.on("close", (code, by) => {
      if (code === 0) return settle({ kind: "ok", text: Buffer.concat(output).toString("utf8") });
      const why = firstLine(stderr) ?? firstLine(Buffer.concat(output).toString("utf8").slice(0, MAX_STDERR));
      const how = code === null ? `was killed by ${by}` : `ended with code ${code}`;
      settle({ kind: "failed", detail: `it ${how}${why === undefined ? "" : `: ${why}`}` });
    });
    if (signal?.aborted === true) giveUp();
    else signal?.addEventListener("abort", giveUp, { once: true });
  });
}

function notFound(program: string, env: NodeJS.ProcessEnv): string {
  const skipped = passedOver(program, { env });
  return skipped === undefined
    ? `${program} is not on the PATH`
    : `${program} was found only ${skipped.where}: ${skipped.path}`;
}

function start(program: string, args: readonly string[], env: NodeJS.ProcessEnv): ChildProcess | undefined {
  try {
    const child = spawn(program, args, { env, stdio: ["ignore", "pipe", "pipe"], windowsHide: true });
    // A hook ends as soon as it has answered: the program must not keep running.
    const kill = () => child.kill("SIGKILL");
    process.on("exit", kill);
    child.once("exit", () => process.off("exit", kill)).once("error", () => process.off("exit", kill));
    return child;
  } catch {
    return undefined; // an argument with a NUL character, or a batch file on Windows
  }
}

/** First SIGTERM, then SIGKILL. */
function end(child: ChildProcess): void {
  child.stdout?.destroy();
  child.stderr?.destroy();
  child.kill("SIGTERM");
  const timer = setTimeout(() => child.kill("SIGKILL"), GRACE_MS);
  child.once("exit", () => clearTimeout(timer));
}

function firstLine(text: string): string | undefined {
  return text.trim().split("\n", 1)[0]?.trim().slice(0, 200) || undefined;
}
