import { closeSync, openSync, writeSync } from "node:fs";
import { systemCode } from "../base/errors.ts";
import { hooksAreCommands, serverTask } from "../hosts/claude-code/resident/server-task.ts";
import { HOOK_HOSTS, loadHistory } from "../hosts/index.ts";
import { NO_SERVER } from "../hosts/names.ts";
import { recordFailure, stopLate } from "../hosts/shared/follow.ts";
import { goesOnAt } from "../hosts/shared/hook/events.ts";
import { type Reading, readPayload } from "../hosts/shared/hook/payload.ts";
import { runHook } from "../hosts/shared/hook/run-hook.ts";
import { SOURCES } from "../sources/index.ts";
import { workingFolder } from "../store/folder.ts";
import { guardTask } from "./guard-task.ts";

/** One hook process, from its arguments to its exit. */
function hookMain(args: readonly string[]): void {
  const [host = "", event = "", entry = "1"] = args;
  const reading: Reading = { isWaiting: false };
  // A host always gets exit code 0: no failure of Continuo may stop a session.
  process.on("uncaughtException", (error) => {
    recordFailure(process.env, `hook ${host} ${event}`, error, Date.now());
    end(reading);
  });
  const isUnwaited = goesOn(host, event);
  // The terminal may be closed right after the session ends.
  if (isUnwaited) process.on("SIGHUP", () => undefined);
  let isAnswered = false;
  const printEarly = (printed: string) => {
    isAnswered = true;
    answer(printed);
  };
  const tasks = [serverTask(process.env, SOURCES, args), guardTask(process.env, args)];
  runHook({
    host,
    event,
    entry: Number(entry) || 1,
    env: process.env,
    // Used only if the payload names no folder.
    cwd: workingFolder(),
    now: Date.now,
    // Not `performance`, which loads 2 ms of code.
    spentMs: () => process.uptime() * 1000,
    hosts: HOOK_HOSTS,
    sources: SOURCES,
    history: loadHistory,
    isOwnProcess: true,
    isWaitedFor: !isUnwaited,
    onPrinted: isUnwaited ? printEarly : undefined,
    mayHaveMissed: entry === NO_SERVER || (event === "UserPromptSubmit" && hooksAreCommands(process.env)),
    moreLines: async () => {
      const lines: string[] = [];
      // In sequence, because both may change the same settings.
      for (const task of tasks) lines.push(...((await task?.()) ?? []));
      return lines;
    },
    readPayload: (deadlineMs) => readPayload(0, deadlineMs, reading),
  }).then((text) => {
    if (!isAnswered) print(text);
    end(reading);
  });
}

/**
 * Whether the process may go on after its answer: the shell of these hooks waits only for the answer (`hookCommand`).
 * PowerShell waits for the process.
 */
function goesOn(host: string, event: string): boolean {
  const found = HOOK_HOSTS.find(({ name }) => name === host);
  return process.platform !== "win32" && found !== undefined && goesOnAt(found, event) !== undefined;
}

/** Answers a stop. The host has the answer as soon as the output is closed; the process then does the rest unwaited. */
function answer(text: string): void {
  if (!print(text)) throw stopLate();
  closeSync(1);
  // A file opened later must not become the standard output.
  openSync("/dev/null", "w");
}

/**
 * If standard input is never closed, a thread stays in a read that nothing can interrupt, and an exiting process waits
 * for its threads. Only replacing the process by another program gets rid of them, so it becomes one that does nothing.
 * If the runtime cannot do that (Node before 22.15, Windows), the process ends when the input does, or when the host
 * kills it.
 */
function end({ isWaiting }: Reading): never {
  if (isWaiting) {
    try {
      process.execve?.(process.execPath, [process.execPath, "--no-warnings", "-e", "0"]);
    } catch {
      // The runtime was removed: the fallback below is all that is left.
    }
  }
  process.exit(0);
}

/** Not `process.stdout`: for a pipe it loads the network modules, which takes several milliseconds of every hook. */
function print(text: string): boolean {
  const bytes = Buffer.from(text, "utf8");
  for (let done = 0; done < bytes.length; ) {
    try {
      done += writeSync(1, bytes, done);
    } catch (error) {
      if (systemCode(error) !== "EAGAIN") return false; // the host is gone, so nobody reads the answer
    }
  }
  return true;
}

hookMain(process.argv.slice(3));
