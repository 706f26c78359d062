import { parseArgs } from "node:util";
import { nearest } from "../../../base/settings.ts";
import type { World } from "../../command.ts";
import { throttled } from "../../terminal/progress.ts";
import { readInput } from "../../terminal/read-input.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import { lookFirst, type Patience, withMemory } from "../notes/with-memory.ts";
import { CallError, failureOf } from "./failure.ts";
import { learn } from "./learn.ts";
import { MAX_PAYLOAD, parsePayload } from "./params.ts";
import type { Said, Tool } from "./tool.ts";
import { TOOLS } from "./tools.ts";

type Format = "plain" | "envelope" | "text";

/**
 * `continuo --tool NAME --payload JSON`, as a drop-in for maenifold. Answers are JSON unless text is asked for, and a
 * failure ends with another code than 0, 2 when the call itself was wrong: a script must not have to read for it.
 */
export async function toolMain(argv: readonly string[], world: World, terminal: Terminal): Promise<number> {
  // Also a call that cannot be understood is answered in the form that it asks for.
  let format: Format = argv.includes("--json") ? "envelope" : isForText(argv) ? "text" : "plain";
  try {
    const call = readCall(argv);
    format = call.format;
    const tool = findTool(call.tool);
    const payload = parsePayload(call.payload === "-" ? readInput(world.stdin, MAX_PAYLOAD) : call.payload);
    const said = payload["learn"] === true ? learn(tool) : await run(tool, payload, world);
    for (const notice of said.notices ?? []) terminal.complain(notice);
    if (format === "text") terminal.say(`${said.text}\n`);
    else
      print(format === "plain" ? said.plain : { success: true, data: said.data ?? said.plain, error: null });
    return 0;
  } catch (error) {
    const failure = failureOf(error);
    if (format === "text") terminal.tell(`ERROR ${failure.code}: ${failure.message}`);
    else print(format === "plain" ? { error: failure } : { success: false, data: null, error: failure });
    return error instanceof CallError ? 2 : 1;
  }

  function print(value: unknown): void {
    terminal.json(value);
  }
}

function isForText(argv: readonly string[]): boolean {
  return argv.includes("--format=text") || argv[argv.indexOf("--format") + 1] === "text";
}

/** Programs wait five seconds for an answer, by the contract. */
const PROGRAM: Patience = { emptyMs: 3000, usualMs: 500 };

function run(tool: Tool, payload: Readonly<Record<string, unknown>>, world: World): Promise<Said> {
  return withMemory(world, async (memory) => {
    if (tool.asksIndex) await lookFirst(world, memory, PROGRAM);
    return tool.call(payload, { memory, progress: throttled(world) });
  });
}

function readCall(argv: readonly string[]): { tool: string; payload: string; format: Format } {
  const { tool, payload = "{}", json = false, format = "json" } = parse(argv);
  if (!tool) throw new CallError("UNKNOWN_TOOL", `no tool is named; --tool takes ${names()}`);
  if (format !== "json" && format !== "text")
    throw new CallError("INVALID_ARGUMENT", `--format is "${format}"; give json or text`);
  if (json && format === "text")
    throw new CallError(
      "INVALID_ARGUMENT",
      "--json and --format text contradict each other; give one of them",
    );
  return { tool, payload, format: json ? "envelope" : format === "text" ? "text" : "plain" };
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      options: {
        tool: { type: "string" },
        payload: { type: "string" },
        json: { type: "boolean" },
        format: { type: "string" },
      },
      strict: true,
    }).values;
  } catch (error) {
    const message = (error as Error).message.split(". ")[0] ?? "";
    throw new CallError(
      "INVALID_ARGUMENT",
      `${message}; usage: continuo --tool NAME --payload JSON [--json] [--format text]`,
    );
  }
}

function findTool(name: string): Tool {
  const found = TOOLS.find((tool) => tool.name.toLowerCase() === name.toLowerCase());
  if (found !== undefined) return found;
  const near = nearest(
    name,
    TOOLS.map((tool) => tool.name),
  );
  throw new CallError(
    "UNKNOWN_TOOL",
    `there is no tool "${name}"; ${near === undefined ? `there are ${names()}` : `did you mean ${near}?`}`,
  );
}

function names(): string {
  return TOOLS.map((tool) => tool.name).join(", ");
}
