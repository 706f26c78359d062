import { parseArgs } from "node:util";
import { ContinuoError, systemCode } from "../base/errors.ts";
import { nearest } from "../base/text.ts";
import type { Command, Input, Options, Subcommand } from "./command.ts";

/** Options that every command accepts. */
export const COMMON_OPTIONS = {
  json: { type: "boolean", help: "print JSON instead of text" },
} as const satisfies Options;

type Parsed = Pick<Input, "values" | "positionals">;

/** Parses the words after a command's name. Refuses an option that the chosen subcommand does not accept. */
export function parseWords(command: Command, words: readonly string[]): Parsed {
  const options = { ...command.options, ...COMMON_OPTIONS };
  try {
    const parsed = parseArgs({ args: words.map(marked), options, allowPositionals: true, strict: true });
    const values = Object.entries(parsed.values).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.map(unmarked) : unmarked(value),
    ]);
    const positionals = parsed.positionals.map(unmarked);
    refuseForeign(command, Object.keys(parsed.values), positionals);
    return { values: Object.fromEntries(values), positionals };
  } catch (error) {
    throw error instanceof ContinuoError ? error : wrongOption(command, words, error);
  }
}

/** The subcommand that these words name; without words, the default one. */
export function subcommandFor(
  { subcommands, alone }: Command,
  positionals: readonly string[],
): Subcommand | undefined {
  const [name] = positionals;
  if (name === undefined) return alone === undefined ? subcommands?.[0] : undefined;
  return subcommands?.find((one) => one.name === name);
}

export function optionsOf(command: Command, subcommand: Subcommand | undefined): Options {
  if (subcommand === undefined) return command.options;
  return Object.fromEntries(
    subcommand.options.flatMap((name) => {
      const option = command.options[name];
      return option === undefined ? [] : [[name, { ...option, ...subcommand.overrides?.[name] }]];
    }),
  );
}

export function usageOf(command: Command, subcommand: Subcommand | undefined): string {
  if (subcommand === undefined) return command.usage;
  return [command.name, subcommand.name, subcommand.args ?? ""].join(" ").trimEnd();
}

function refuseForeign(command: Command, given: readonly string[], positionals: readonly string[]): void {
  const chosen = subcommandFor(command, positionals);
  if (chosen === undefined) return;
  const foreign = given.find(
    (name) => !chosen.options.includes(name) && !Object.hasOwn(COMMON_OPTIONS, name),
  );
  if (foreign === undefined) return;
  const takers = command.subcommands?.filter(({ options }) => options.includes(foreign)) ?? [];
  const others = takers.map((one) => one.name).join(", ");
  throw new ContinuoError("usage", `"${command.name} ${chosen.name}" does not take --${foreign}`, {
    hint: `--${foreign} is for: ${command.name} ${others}; see: continuo help ${command.name} ${chosen.name}`,
  });
}

function wrongOption(command: Command, words: readonly string[], error: unknown): ContinuoError {
  const { message } = error as Error;
  const wrong = /'(-[^']*)'/.exec(message)?.[1]?.split(/[ ,]/)[0] ?? "";
  const isUnknown = systemCode(error) === "ERR_PARSE_ARGS_UNKNOWN_OPTION";
  const { positionals } = parseArgs({
    args: words.map(marked),
    options: command.options,
    allowPositionals: true,
    strict: false,
  });
  const chosen = subcommandFor(command, positionals);
  const known = Object.keys({ ...optionsOf(command, chosen), ...COMMON_OPTIONS, help: 0 });
  const near = isUnknown ? nearest(wrong.replace(/^-+/, ""), known) : undefined;
  const needs = message.includes("does not take") ? "does not take a value" : "needs a value";
  const topic = [command.name, chosen?.name ?? ""].join(" ").trimEnd();
  return new ContinuoError("usage", isUnknown ? `unknown option ${wrong}` : `option ${wrong} ${needs}`, {
    hint: [
      `${near === undefined ? "" : `did you mean --${near}? `}usage: continuo ${usageOf(command, chosen)}`,
      `all options: continuo help ${topic}`,
    ],
  });
}

/** A character that no argument can contain. */
const TEXT = "\0";

/**
 * Marks arguments that begin with a dash but cannot be options, such as a list item or a line of dashes: they are text.
 */
function marked(argument: string): string {
  return /^-+\s|^---/.test(argument) ? TEXT + argument : argument;
}

function unmarked<T>(value: T): T | string {
  return typeof value === "string" && value.startsWith(TEXT) ? value.slice(TEXT.length) : value;
}
