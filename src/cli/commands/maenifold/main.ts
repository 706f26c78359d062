import { parseArgs } from "node:util";
import { nearest } from "../../../base/text.ts";
import { noteProgress, type SyncTime, syncFirst, withNotes } from "../../../sources/notes/actions/fresh.ts";
import { placeFor } from "../../actions/as-command.ts";
import type { World } from "../../command.ts";
import { readInput } from "../../terminal/input.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import { CallError, failureOf, MAX_PAYLOAD, parsePayload } from "./params.ts";
import { learn, type Tool, type ToolResult } from "./tool.ts";
import { TOOLS } from "./tools.ts";

type Format = "plain" | "envelope" | "text";

/**
 * `continuo --tool NAME --payload JSON`, a drop-in replacement for maenifold. Prints JSON unless text is requested.
 * Exits with 1 on failure and with 2 for a wrong call, so that scripts need not parse the output.
 */
export async function toolMain(argv: readonly string[], world: World, terminal: Terminal): Promise<number> {
  // Even a call that cannot be parsed is answered in the requested format.
  let format: Format = argv.includes("--json") ? "envelope" : isForText(argv) ? "text" : "plain";
  try {
    const call = readCall(argv);
    format = call.format;
    const tool = findTool(call.tool);
    const payload = parsePayload(call.payload === "-" ? readInput(world.stdin, MAX_PAYLOAD) : call.payload);
    const result = payload["learn"] === true ? learn(tool) : await run(tool, payload, world);
    for (const notice of result.notices ?? []) terminal.complain(notice);
    if (format === "text") terminal.say(`${result.text}\n`);
    else
      print(
        format === "plain" ? result.plain : { success: true, data: result.data ?? result.plain, error: null },
      );
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

/** The contract lets programs wait five seconds for an answer. */
const FOR_PROGRAMS: SyncTime = { emptyMs: 3000, usualMs: 500 };

function run(tool: Tool, payload: Readonly<Record<string, unknown>>, world: World): Promise<ToolResult> {
  const place = placeFor(world);
  return withNotes(place, async (memory) => {
    if (tool.asksIndex) await syncFirst(place, memory, FOR_PROGRAMS);
    return tool.call(payload, { memory, onProgress: noteProgress(place, memory) });
  });
}

function readCall(argv: readonly string[]): { tool: string; payload: string; format: Format } {
  const { tool, payload = "{}", json = false, format = "json" } = parse(argv);
  if (!tool) throw new CallError("UNKNOWN_TOOL", `--tool is missing; use one of ${names()}`);
  if (format !== "json" && format !== "text")
    throw new CallError("INVALID_ARGUMENT", `invalid value for --format: "${format}"; use json or text`);
  if (json && format === "text")
    throw new CallError("INVALID_ARGUMENT", "--json and --format text exclude each other; use one of them");
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
    const message = ((error as Error).message.split(". ")[0] ?? "").replace(/^[A-Z]/, (first) =>
      first.toLowerCase(),
    );
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
    `unknown tool "${name}"; ${near === undefined ? `use one of ${names()}` : `did you mean ${near}?`}`,
  );
}

function names(): string {
  return TOOLS.map((tool) => tool.name).join(", ");
}
