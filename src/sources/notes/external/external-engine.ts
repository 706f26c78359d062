import type { MemoryEngine } from "../engine.ts";
import { readContext, readRecent, readSearch } from "./answers.ts";
import { type Program, programOf, runProgram } from "./run-program.ts";

interface ExternalOptions {
  /** The setting `command`: a program and its first arguments. */
  readonly command: string | readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly timeoutMs: number;
  /** Reports why the program cannot be used. Called at most once. */
  warn(code: string, message: string, hint: string): void;
}

type Tool = "SearchMemories" | "RecentActivity" | "BuildContext";

/**
 * The user's own memory program as an engine. If anything is wrong with it, the answer is empty and one warning gives
 * the reason. A missing program is not called again. A late one is, because a start makes several calls, and those that
 * answer in time are used.
 */
export function externalEngine({ command, env, timeoutMs, warn }: ExternalOptions): MemoryEngine {
  const program = programOf(command, env);
  let hasWarned = false;
  let isMissing = false;

  async function ask<T>(
    tool: Tool,
    payload: object,
    read: (output: string) => T | undefined,
    signal: AbortSignal | undefined,
  ): Promise<T | undefined> {
    if (program === undefined) return void warnOnce(NO_PROGRAM);
    if (isMissing) return undefined;
    const called = await runProgram({
      ...callOf(program, tool, payload),
      env,
      timeoutMs,
      ...(signal && { signal }),
    });
    if (called.kind !== "ok") {
      isMissing ||= called.kind === "missing";
      // No warning if the host itself stopped waiting.
      if (signal?.aborted !== true)
        warnOnce([`memory-command-${called.kind}`, `${tool}: ${called.detail}`, HINTS[called.kind]]);
      return undefined;
    }
    const answer = read(called.text);
    if (answer === undefined)
      warnOnce([`memory-command-unclear`, `${tool}: ${shown(called.text)}`, HINTS.unclear]);
    return answer;
  }

  function warnOnce([code, message, hint]: readonly [string, string, string]): void {
    if (hasWarned) return;
    hasWarned = true;
    warn(code, `${nameOf(command)}: ${message}`, hint);
  }

  return {
    async searchMemories(asked, signal) {
      return (await ask("SearchMemories", asked, readSearch, signal)) ?? { results: [] };
    },
    async recentActivity(asked, signal) {
      return (await ask("RecentActivity", asked, readRecent, signal)) ?? { items: [] };
    },
    async buildContext(asked, signal) {
      const concept = asked.conceptName;
      const answer = await ask("BuildContext", asked, (output) => readContext(output, concept), signal);
      return answer ?? { concept, relatedConcepts: [], fileReferences: [] };
    },
  };
}

const NO_PROGRAM = [
  "memory-command-missing",
  "it is not a program that can be run",
  "give sources.memory.command a full path or a name that is on PATH",
] as const;

const HINTS = {
  missing: "install it, set sources.memory.command to its full path, or remove the setting",
  late: "raise sources.memory.commandTimeoutMs (CLI_TIMEOUT), or remove sources.memory.command",
  failed: "run the same call yourself: PROGRAM --tool RecentActivity --payload '{}'",
  "too-much": "the limit is 1 MB: report it to the author of the program",
  unclear: "it must print the JSON of docs/maenifold.md, or maenifold's text",
} as const;

function callOf({ program, args }: Program, tool: Tool, payload: object) {
  return { program, args: [...args, "--tool", tool, "--payload", JSON.stringify(payload)] };
}

function nameOf(command: string | readonly string[]): string {
  return typeof command === "string" ? command : command.join(" ");
}

/** The beginning of the unknown output, on one line. */
function shown(output: string): string {
  const line = output
    .replace(/[\s\x00-\x1f\x7f]+/g, " ")
    .trim()
    .slice(0, 80);
  return line === "" ? "it printed nothing" : `its output has an unknown format: "${line}"`;
}
