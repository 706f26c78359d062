import { parseArgs } from "node:util";
import { ContinuoError, describeError, systemCode } from "../base/errors.ts";
import { nearest } from "../base/text.ts";
import { version } from "../base/version.ts";
import type { Command, World } from "./command.ts";
import { COMMAND_NAMES, loadAllCommands, loadCommand } from "./commands/index.ts";
import { type Streams, terminalOver } from "./terminal/terminal.ts";

/** Runs one command line and returns its exit code: 0 done, 1 could not, 2 wrongly called. */
export async function main(argv: readonly string[], given: World, streams: Streams): Promise<number> {
  const terminal = terminalOver(streams);
  const world = { ...given, tell: terminal.tell, progress: terminal.progress };
  if (isToolCall(argv)) return (await import("./commands/maenifold/main.ts")).toolMain(argv, world, terminal);
  const wantsJson = argv.includes("--json");
  try {
    const [name, ...rest] = argv;
    if (name === undefined || name === "help" || name === "--help" || name === "-h") {
      const about = rest.find((word) => !word.startsWith("-"));
      const help = await describe(about);
      return wantsJson ? sayJson({ ok: true, data: { help } }) : say(help);
    }
    if (name === "--version" || name === "-v" || name === "version") {
      return wantsJson ? sayJson({ ok: true, data: { version } }) : say(version);
    }
    const command = await find(name);
    if (rest.includes("--help") || rest.includes("-h")) return say(await describe(name));
    const { values, positionals } = parse(command, rest);
    const outcome = await command.run({ ...world, values, positionals });
    if (command.raw === true) terminal.raw(outcome.text);
    else if (wantsJson) sayJson({ ok: !outcome.exitCode, data: outcome.data });
    else say(outcome.text);
    return outcome.exitCode ?? 0;
  } catch (error) {
    const told = describeError(error);
    if (wantsJson) sayJson({ ok: false, error: told });
    else terminal.complain(told.message, told.hint);
    return told.code === "usage" ? 2 : 1;
  }

  function say(text: string): number {
    terminal.say(text);
    return 0;
  }

  function sayJson(envelope: object): number {
    terminal.json(envelope);
    return 0;
  }
}

/** Whether a command line is maenifold's: options from the start, `--tool` among them. */
function isToolCall(argv: readonly string[]): boolean {
  return argv[0]?.startsWith("--") === true && argv.some((word) => /^--(?:tool|payload)(?:=|$)/.test(word));
}

async function describe(name: string | undefined): Promise<string> {
  const { helpFor, overview } = await import("./terminal/help.ts");
  return name === undefined ? overview(await loadAllCommands()) : helpFor(await find(name));
}

async function find(name: string): Promise<Command> {
  const command = await loadCommand(name);
  if (command !== undefined) return command;
  const near = nearest(name, COMMAND_NAMES);
  throw new ContinuoError("usage", `there is no command "${name}"`, {
    hint: near === undefined ? `commands: ${COMMAND_NAMES.join(", ")}` : `did you mean "continuo ${near}"?`,
  });
}

/** No argument can have it. */
const TEXT = "\0";

/** A list item, a line of dashes: an argument that begins with a dash but cannot be an option is a text. */
function marked(argument: string): string {
  return /^-+\s|^---/.test(argument) ? TEXT + argument : argument;
}

function unmarked<T>(value: T): T | string {
  return typeof value === "string" && value.startsWith(TEXT) ? value.slice(TEXT.length) : value;
}

function parse(command: Command, args: readonly string[]) {
  const options = { ...command.options, json: { type: "boolean" } } as const;
  try {
    const parsed = parseArgs({ args: args.map(marked), options, allowPositionals: true, strict: true });
    const values = Object.entries(parsed.values).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.map(unmarked) : unmarked(value),
    ]);
    return {
      values: Object.fromEntries(values) as typeof parsed.values,
      positionals: parsed.positionals.map(unmarked),
    };
  } catch (error) {
    const { message } = error as Error;
    const wrong = /'(-[^']*)'/.exec(message)?.[1]?.split(/[ ,]/)[0] ?? "";
    const isUnknown = systemCode(error) === "ERR_PARSE_ARGS_UNKNOWN_OPTION";
    const near = isUnknown ? nearest(wrong.replace(/^-+/, ""), Object.keys(options)) : undefined;
    const needs = message.includes("does not take") ? "does not take a value" : "needs a value";
    throw new ContinuoError("usage", isUnknown ? `unknown option ${wrong}` : `option ${wrong} ${needs}`, {
      hint: `${near === undefined ? "" : `did you mean --${near}? `}usage: continuo ${command.usage}`,
    });
  }
}
