import type { MemoryEngine } from "../engine.ts";
import { readContext, readRecent, readSearch } from "./answers.ts";
import { type Program, programOf, runProgram } from "./run-program.ts";

export interface ExternalOptions {
  /** The setting `command`: a program and its first arguments. */
  readonly command: string | readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly timeoutMs: number;
  /** What kept the program from being of use. Called at most once. */
  warn(code: string, message: string, hint: string): void;
}

type Tool = "SearchMemories" | "RecentActivity" | "BuildContext";

/**
 * The user's own memory program behind the port. Whatever is wrong with it, a question has an answer, if an empty one,
 * and one warning tells why. A program that is missing or slow is not asked again: a session start asks eight times,
 * and must not wait eight times.
 */
export function externalEngine({ command, env, timeoutMs, warn }: ExternalOptions): MemoryEngine {
  const program = programOf(command, env);
  let hasWarned = false;
  let isGivenUp = false;

  async function ask<T>(
    tool: Tool,
    payload: object,
    read: (output: string) => T | undefined,
    signal: AbortSignal | undefined,
  ): Promise<T | undefined> {
    if (program === undefined) return void warnOnce(NO_PROGRAM);
    if (isGivenUp) return undefined;
    const called = await runProgram({
      ...callOf(program, tool, payload),
      env,
      timeoutMs,
      ...(signal && { signal }),
    });
    if (called.kind !== "output") {
      isGivenUp ||= called.kind === "missing" || called.kind === "late";
      // Nobody is told that the host itself went on without us.
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
  "it names no program that may be run",
  "give sources.memory.command a full path or a name that is on PATH",
] as const;

const HINTS = {
  missing: "install it, or give sources.memory.command its full path, or take the setting out",
  late: "raise sources.memory.commandTimeoutMs (CLI_TIMEOUT), or take sources.memory.command out",
  failed: "run the same call by hand: PROGRAM --tool RecentActivity --payload '{}'",
  "too-much": "ask the program's author: an answer may have 1 MB",
  unclear: "it has to print the JSON of docs/memory-commands.md, or maenifold's text",
} as const;

function callOf({ program, args }: Program, tool: Tool, payload: object) {
  return { program, args: [...args, "--tool", tool, "--payload", JSON.stringify(payload)] };
}

function nameOf(command: string | readonly string[]): string {
  return typeof command === "string" ? command : command.join(" ");
}

/** The beginning of what was not understood, on one line. */
function shown(output: string): string {
  const line = output
    .replace(/[\s\x00-\x1f\x7f]+/g, " ")
    .trim()
    .slice(0, 80);
  return line === "" ? "it printed nothing" : `its answer is not understood: "${line}"`;
}
