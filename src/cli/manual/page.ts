import type { Argument, Command, Example, Option, Options, Section, Subcommand } from "../command.ts";
import { COMMON_OPTIONS, optionsOf, usageOf } from "../parse.ts";

/** The contents of the help about one command or subcommand. Help, man page and documentation show the same pages. */
export interface Page {
  /** `rules list` */
  readonly name: string;
  readonly usage: string;
  readonly summary: string;
  /** Paragraphs. */
  readonly guide: readonly string[];
  readonly lists: readonly List[];
  readonly examples: readonly Example[];
  /** Empty for a subcommand. */
  readonly subpages: readonly Page[];
}

export interface List {
  readonly title: "Arguments" | "Subcommands" | "Options";
  readonly rows: readonly Row[];
}

/** Without the options of every command, for texts that show many pages. */
export function ownLists({ lists }: Page): List[] {
  const common = Object.keys(COMMON_OPTIONS).map((name) => `--${name}`);
  return lists
    .map(({ title, rows }) => ({ title, rows: rows.filter(([term]) => !common.includes(term)) }))
    .filter(({ rows }) => rows.length > 0);
}

export type Row = readonly [term: string, text: string];

export function pageOf(command: Command): Page {
  const { name, summary, subcommands = [] } = command;
  const subpages = subcommands.map((one) => subpageOf(command, one));
  const hasSubcommands = subcommands.length > 0;
  return {
    name,
    usage: `continuo ${command.usage}${hasSubcommands ? "" : optionsMark(command.options)}`,
    summary,
    guide: paragraphs(command.guide),
    lists: [
      { title: "Subcommands" as const, rows: subcommandRows(command) },
      // Each subcommand has its own arguments.
      { title: "Arguments" as const, rows: hasSubcommands ? [] : argumentRows(command, command.usage) },
      { title: "Options" as const, rows: hasSubcommands ? [] : optionRows(command.options) },
    ].filter(({ rows }) => rows.length > 0),
    examples: command.examples ?? [],
    subpages,
  };
}

export function subpageOf(command: Command, subcommand: Subcommand): Page {
  const options = optionsOf(command, subcommand);
  const usage = usageOf(command, subcommand);
  const isDefault = command.alone === undefined && command.subcommands?.[0] === subcommand;
  return {
    name: `${command.name} ${subcommand.name}`,
    usage: `continuo ${usage}${optionsMark(options)}`,
    summary: subcommand.summary,
    guide: [
      ...paragraphs(subcommand.guide),
      ...(isDefault ? [`This is what \`continuo ${command.name}\` does without a subcommand.`] : []),
    ],
    lists: [
      { title: "Arguments" as const, rows: argumentRows(command, usage) },
      { title: "Options" as const, rows: optionRows(options) },
    ].filter(({ rows }) => rows.length > 0),
    examples: subcommand.examples ?? [],
    subpages: [],
  };
}

function paragraphs(guide: string | undefined): readonly string[] {
  return guide?.split("\n\n").map((one) => one.replaceAll("\n", " ")) ?? [];
}

function optionsMark(options: Options): string {
  return Object.keys(options).length === 0 ? "" : " [options]";
}

function subcommandRows({ subcommands = [], alone }: Command): Row[] {
  const rows = subcommands.map(({ name, args = "", summary }, at): Row => {
    const isDefault = at === 0 && alone === undefined;
    return [`${name} ${args}`.trimEnd(), isDefault ? `${summary} (default)` : summary];
  });
  return alone === undefined ? rows : [["(none)", alone], ...rows];
}

/** The arguments in a usage line, in order. */
function argumentRows({ arguments: known = {} }: Command, usage: string): Row[] {
  return argumentsIn(usage).flatMap((name): Row[] => {
    const argument = known[name];
    return argument === undefined ? [] : [[name, argumentText(argument)]];
  });
}

/** `edit NOTE OPERATION [TEXT]` has NOTE, OPERATION and TEXT. Values of options do not count. */
export function argumentsIn(usage: string): string[] {
  const words = usage.replace(/--[\w-]+ [A-Z]+/g, "");
  return [...words.matchAll(/(?<![\w-])[A-Z][A-Z-]+(?![\w-])/g)].map(([name]) => name);
}

function argumentText({ help, choices }: Argument): string {
  return choices === undefined ? help : `${help}: ${choices.join(", ")}`;
}

function optionRows(options: Options): Row[] {
  const all: [string, Option][] = [...Object.entries(options), ...Object.entries(COMMON_OPTIONS)];
  return all.map(([name, option]) => [termOf(name, option), textOf(option)]);
}

function termOf(name: string, { type, value = "VALUE", short }: Option): string {
  const letter = short === undefined ? "" : `-${short}, `;
  return `${letter}--${name}${type === "string" ? ` ${value}` : ""}`;
}

function textOf({ help = "", choices, fallback, multiple }: Option): string {
  return [
    help,
    choices === undefined ? "" : `: ${choices.join(", ")}`,
    multiple === true ? "; may be repeated" : "",
    fallback === undefined ? "" : ` (default: ${fallback})`,
  ].join("");
}

// What concerns all commands, for the man page and the documentation. The first paragraph is the description of the
// package.

export const INTRODUCTION: readonly string[] = [
  "makes coding agents remember your rules, notes and past sessions",
  "Continuo gives Claude Code, OpenCode, pi, Codex, Copilot CLI and Gemini CLI your rules, notes and past sessions at every start, resume and compaction. Everything is stored as plain files on this machine. No network is used unless you configure a model.",
  "Begin with `continuo` in one of your projects: it finds your agents and asks before it connects each one. Then start an agent as usual; `continuo why` shows what it received.",
  "Every command takes --json, which prints one object: `ok`, and `data` or `error`. `continuo help COMMAND SUBCOMMAND` explains one command. A text that begins with a dash comes after `--`.",
];

export const ENVIRONMENT: readonly Row[] = [
  ["CONTINUO_HOME", "folder of Continuo's data (default: ~/.continuo)"],
  ["TOKEN_LIMIT", "maximum tokens added to a session at once, not counting rules (default: 4000)"],
  ["COLUMNS", "fit lines into this width in a pipe or a file too"],
  ["NO_COLOR", "print no colours if it is set"],
  ["FORCE_COLOR", "print colours even to a pipe or a file; 0: never"],
  ["PAGER", "program that shows long output (default: less); cat: none"],
  ["CONTINUO_NO_PAGER", "use no pager if it is set"],
  ["VISUAL, EDITOR", "the editor that continuo open starts"],
];

export const FILES: readonly Row[] = [
  [".continuo/rules/", "rules of a project"],
  ["~/.continuo/rules/", "your own rules, for all projects"],
  ["~/.continuo/config.json", "settings; continuo config explains them"],
  ["~/.continuo/memory/", "notes, as Markdown files"],
];

export const EXIT_CODES: readonly Row[] = [
  ["0", "done"],
  ["1", "could not be done, or a check found a problem"],
  ["2", "the command line is wrong; the message says what would work"],
  ["130", "ended with Ctrl-C at a question; nothing was changed"],
];

/** In the order of the overview, the man page and the documentation. Commands that are not listed here come last. */
const SECTIONS: readonly (readonly [section: Section, title: string, order: readonly string[]])[] = [
  ["start", "Set up and look around", ["init", "install", "doctor", "web", "update", "uninstall"]],
  ["rules", "Rules and suggestions", ["rules", "review", "mute", "unmute", "mutes"]],
  ["notes", "Notes", ["note", "search", "read", "open", "recent", "list", "write", "edit", "move", "delete"]],
  ["sessions", "Sessions", ["sessions", "why", "start", "status", "log"]],
  ["more", "Settings and help", ["config", "project"]],
  ["agents", "For agents and shells", []],
];

export interface SectionOfCommands {
  readonly title: string;
  readonly commands: readonly Command[];
}

/** Commands without a section are omitted. */
export function sectionsOf(commands: readonly Command[]): SectionOfCommands[] {
  return SECTIONS.map(([section, title, order]) => {
    const placeOf = ({ name }: Command) => (order.includes(name) ? order.indexOf(name) : order.length);
    const own = commands.filter((one) => one.section === section);
    return { title, commands: own.sort((a, b) => placeOf(a) - placeOf(b)) };
  }).filter((one) => one.commands.length > 0);
}
