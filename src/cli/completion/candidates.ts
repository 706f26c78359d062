import type { Argument, Command, Options } from "../command.ts";
import { argumentsIn } from "../manual/page.ts";
import { COMMON_OPTIONS, optionsOf, subcommandFor } from "../parse.ts";

/** A word that can be typed here, and its meaning. */
type Candidate = readonly [word: string, about: string];

export interface Known {
  readonly loadCommand: (name: string) => Promise<Command | undefined>;
  readonly loadAllCommands: () => Promise<readonly Command[]>;
  /** maenifold's tools, which `continuo --tool` runs. */
  readonly tools: readonly string[];
}

/**
 * What can be typed in place of the last word, given the words before it, without `continuo` itself. Empty for a file
 * or a text, which the shell may complete.
 */
export async function candidatesFor(words: readonly string[], known: Known): Promise<Candidate[]> {
  const joined = withoutSigns(words);
  const current = joined.at(-1) ?? "";
  const all = await possible(joined.slice(0, -1), current, known);
  return all.filter(([word]) => word.startsWith(current));
}

/** Bash passes `--mode=Full` as three words. */
function withoutSigns(words: readonly string[]): string[] {
  const kept = words.filter((word, at) => word !== "=" || words[at - 1]?.startsWith("--") !== true);
  return words.at(-1) === "=" ? [...kept, ""] : kept;
}

async function possible(before: readonly string[], current: string, known: Known): Promise<Candidate[]> {
  const [name, ...rest] = before;
  if (name === undefined) {
    if (current.startsWith("-")) return FIRST_OPTIONS;
    return (await known.loadAllCommands()).flatMap(({ name, section, summary }): Candidate[] =>
      section === undefined ? [] : [[name, summary]],
    );
  }
  if (name === "--tool")
    return rest.length === 0 ? known.tools.map((tool) => [tool, "as maenifold"]) : TOOL_OPTIONS;
  if (name === "help") return ofHelp(rest, current, known);
  const command = await known.loadCommand(name);
  return command === undefined ? [] : ofCommand(command, rest, current);
}

const FIRST_OPTIONS: Candidate[] = [
  ["--help", "list all commands"],
  ["--version", "print the version"],
  ["--tool", "run a tool of maenifold"],
];
const TOOL_OPTIONS: Candidate[] = [
  ["--payload", "its input as JSON"],
  ["--json", "print JSON instead of text"],
  ["--format", "form of the output"],
];
const HELP: Candidate = ["--help", "show the help"];

async function ofHelp(rest: readonly string[], current: string, known: Known): Promise<Candidate[]> {
  if (current.startsWith("-")) return [["--man", "print the whole manual"]];
  const [name, ...more] = rest.filter((word) => !word.startsWith("-"));
  if (name === undefined) return possible([], current, known);
  return more.length > 0 ? [] : subcommandsOf(await known.loadCommand(name));
}

function subcommandsOf(command: Command | undefined): Candidate[] {
  return command?.subcommands?.map(({ name, summary }) => [name, summary]) ?? [];
}

function ofCommand(command: Command, rest: readonly string[], current: string): Candidate[] {
  const { positionals, given, waiting, isText } = read(rest, command.options);
  const subcommand = subcommandFor(command, positionals);
  const options = optionsOf(command, subcommand);
  if (waiting !== undefined) return valuesOf(options, waiting);
  const inline = isText ? null : /^--([\w-]+)=/.exec(current);
  if (inline !== null)
    return valuesOf(options, inline[1] ?? "").map(([value, about]) => [`--${inline[1]}=${value}`, about]);
  if (current.startsWith("-") && !isText)
    return [
      ...Object.entries({ ...options, ...COMMON_OPTIONS } as Options).flatMap(
        ([name, { help = "", multiple }]): Candidate[] =>
          given.has(name) && multiple !== true ? [] : [[`--${name}`, help]],
      ),
      HELP,
    ];
  if (command.subcommands !== undefined && positionals.length === 0) return subcommandsOf(command);
  const usage = subcommand?.args ?? (command.subcommands === undefined ? afterName(command.usage) : "");
  const at = positionals.length - (command.subcommands === undefined ? 0 : 1);
  return argumentAt(usage, at, command.arguments ?? {});
}

interface Read {
  readonly positionals: readonly string[];
  readonly given: ReadonlySet<string>;
  /** The option whose value comes next. */
  readonly waiting: string | undefined;
  /** Whether `--` was typed, so that no options follow. */
  readonly isText: boolean;
}

function read(words: readonly string[], options: Options): Read {
  const positionals: string[] = [];
  const given = new Set<string>();
  let waiting: string | undefined;
  let isText = false;
  for (const word of words) {
    const [, name, value] = /^--([\w-]+)(=.*)?$/s.exec(word) ?? [];
    if (waiting !== undefined) waiting = undefined;
    else if (isText || name === undefined) {
      if (word === "--" && !isText) isText = true;
      else positionals.push(word);
    } else {
      given.add(name);
      if (value === undefined && options[name]?.type === "string") waiting = name;
    }
  }
  return { positionals, given, waiting, isText };
}

function valuesOf(options: Options, name: string): Candidate[] {
  const option = options[name];
  return option?.choices?.map((choice) => [choice, ""]) ?? [];
}

function afterName(usage: string): string {
  return usage.split(" ").slice(1).join(" ");
}

/** `[list|clean]` lists its words itself; for `AGENT` the command has them. The last argument may be repeated. */
function argumentAt(usage: string, at: number, known: Readonly<Record<string, Argument>>): Candidate[] {
  const places = usage.replace(/--[\w-]+( [A-Z]+)?/g, "").split(/ +/);
  const place = places[at] ?? (places.at(-1)?.includes("…") === true ? places.at(-1) : undefined) ?? "";
  const named = argumentsIn(place).flatMap((name) => {
    const argument = known[name];
    return argument?.choices?.map((choice): Candidate => [choice, ""]) ?? [];
  });
  const written = [...place.matchAll(/[a-z_]{2,}/g)].map(([word]): Candidate => [word, ""]);
  return [...named, ...written];
}
