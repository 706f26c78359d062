import { type ChildProcess, spawn } from "node:child_process";
import { stripVTControlCharacters } from "node:util";
import { unique } from "../../../base/fingerprint.ts";
import { forTerminal } from "../../../base/for-terminal.ts";
import { redact } from "../../../store/redact.ts";
import { askToEnd, endAll, MARK } from "./end-processes.ts";

interface Command {
  /** An absolute path. */
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly timeoutMs: number;
  /** The time between the request to end and killing it. */
  readonly graceMs?: number;
  /** Stops it. */
  readonly signal?: AbortSignal;
}

/** How a command ended. `output`: its last lines, cleaned but not escaped. */
export type Ran =
  | { readonly kind: "ended"; readonly code: number; readonly output: string }
  /** It could not be started, was killed, or exceeded a limit: the files were not checked. */
  | { readonly kind: "failed"; readonly why: FailedRun; readonly detail: string };

export type FailedRun = "missing" | "late" | "too-much" | "killed" | "stopped";

const MAX_OUTPUT = 1024 * 1024;
/** How much output is kept: enough for the last lines. */
const MAX_KEPT = 64 * 1024;
const GRACE_MS = 2000;

/**
 * Runs a command without a shell, with closed standard input, in its own process group, until it ends or exceeds a
 * limit. Afterwards nothing that the command started is still running (`endAll`). Never rejects.
 */
export function runCommand(command: Command): Promise<Ran> {
  const { timeoutMs, graceMs = GRACE_MS, signal } = command;
  const mark = unique();
  return new Promise((resolve) => {
    const child = start(command, mark);
    if (typeof child === "string") return resolve({ kind: "failed", why: "missing", detail: child });
    const end = () => child.pid !== undefined && endAll(child.pid, mark);
    process.on("exit", end);
    const output = keepEnd();
    let isOver = false;
    let force: NodeJS.Timeout | undefined;
    let stopped: Extract<Ran, { kind: "failed" }> | undefined;
    const settle = (ran: Ran) => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      clearTimeout(force);
      signal?.removeEventListener("abort", giveUp);
      process.off("exit", end);
      end();
      child.stdout?.destroy();
      child.stderr?.destroy();
      child.unref();
      resolve(ran);
    };
    /** First asks it to end, then kills it. */
    const stop = (why: FailedRun, detail: string) => {
      if (isOver || stopped !== undefined) return;
      const ran = { kind: "failed", why, detail } as const;
      stopped = ran;
      if (child.pid !== undefined) askToEnd(child.pid);
      force = setTimeout(() => settle(ran), graceMs);
    };
    const giveUp = () => stop("stopped", "Continuo was told to end");
    const timer = setTimeout(() => stop("late", `it took longer than ${timeoutMs / 1000} s`), timeoutMs);
    for (const stream of [child.stdout, child.stderr])
      stream?.on("data", (chunk: Buffer) => {
        if (stopped === undefined && !output.add(chunk)) stop("too-much", "it printed more than 1 MB");
      });
    child.on("error", (error: NodeJS.ErrnoException) => {
      settle({
        kind: "failed",
        why: "missing",
        detail: `it cannot be started (${error.code ?? error.message})`,
      });
    });
    // Not at `close`, because a process that it left behind may keep the pipes open forever. Its own output is already
    // in them.
    child.on("exit", (code, by) => {
      if (stopped !== undefined) return settle(stopped);
      drained(child, () => {
        if (stopped !== undefined) return settle(stopped);
        if (code === null) settle({ kind: "failed", why: "killed", detail: `it was killed by ${by}` });
        else settle({ kind: "ended", code, output: output.text() });
      });
    });
    if (signal?.aborted === true) giveUp();
    else signal?.addEventListener("abort", giveUp, { once: true });
  });
}

/** The child process, or the reason why it cannot be started. */
function start({ program, args, cwd, env }: Command, mark: string): ChildProcess | string {
  try {
    return spawn(program, args, {
      cwd,
      env: { ...env, [MARK]: mark },
      stdio: ["ignore", "pipe", "pipe"],
      detached: process.platform !== "win32",
      windowsHide: true,
    });
  } catch (error) {
    return `it cannot be started (${(error as Error).message})`; // a batch file on Windows, or an odd argument
  }
}

/** How long to wait for the rest of the output after the command has ended. */
const DRAIN_MS = 500;

function drained(child: ChildProcess, next: () => void): void {
  const timer = setTimeout(next, DRAIN_MS);
  child.once("close", () => {
    clearTimeout(timer);
    next();
  });
}

/** Counts the output and keeps its end. */
function keepEnd() {
  let bytes = 0;
  let kept = 0;
  const chunks: Buffer[] = [];
  return {
    /** False once there is too much. */
    add(chunk: Buffer): boolean {
      bytes += chunk.length;
      if (bytes > MAX_OUTPUT) return false;
      chunks.push(chunk);
      kept += chunk.length;
      while (kept - (chunks[0]?.length ?? 0) >= MAX_KEPT) kept -= chunks.shift()?.length ?? 0;
      return true;
    },
    text(): string {
      const all = Buffer.concat(chunks);
      return lastLines(all.subarray(-MAX_KEPT).toString("utf8"), bytes > Math.min(kept, MAX_KEPT));
    },
  };
}

const MAX_LINES = 20;
const MAX_CHARACTERS = 2000;

/** The last lines of a command's output, without colours, control characters and secrets. Not escaped yet. */
export function lastLines(output: string, isCut: boolean): string {
  // A cut line could contain half a secret.
  const whole = isCut ? output.slice(output.indexOf("\n") + 1) : output;
  const plain = stripVTControlCharacters(whole.replace(/\r\n/g, "\n"));
  // A progress bar rewrites its line: users see the last version.
  const shown = plain.split("\n").map((line) => line.slice(line.trimEnd().lastIndexOf("\r") + 1));
  const lines = forTerminal(redact(shown.join("\n")))
    .split("\n")
    .map((line) => line.trimEnd())
    .filter((line) => line !== "");
  const last: string[] = [];
  let left = MAX_CHARACTERS;
  for (const line of lines.slice(-MAX_LINES).reverse()) {
    if (line.length + 1 > left) {
      if (last.length === 0) last.unshift(`${line.slice(0, left - 1).toWellFormed()}…`);
      break;
    }
    left -= line.length + 1;
    last.unshift(line);
  }
  return last.join("\n");
}
