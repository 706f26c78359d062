import type { ParseArgsConfig } from "node:util";
import type { Registries } from "../setup/registries.ts";
import type { Screen } from "./terminal/screen.ts";

type ParsedOption = NonNullable<ParseArgsConfig["options"]>[string];

/** An option as `parseArgs` takes it, with its help. */
export type Option = ParsedOption & {
  readonly help?: string;
  /** The default, for the help. */
  readonly fallback?: string;
  /** The placeholder for the value in the help. */
  readonly value?: string;
  /** Possible values, for tab completion. */
  readonly choices?: readonly string[];
};

export type Options = Readonly<Record<string, Option>>;

/** Where a command runs. Nothing global, so that tests can run it anywhere. */
export interface World extends Registries {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  readonly now: () => number;
  /** The folder of the installed package; it contains `dist/` and `samples/`. */
  readonly packageRoot: string;
  /** File descriptor of the standard input. */
  readonly stdin: number;
  /** Prints a line on standard error while a command runs, apart from its result. */
  readonly tell?: (line: string) => void;
  /** The same, replacing the previous line; false if nobody sees it, because it is not a terminal. */
  readonly progress?: (line: string | ((screen: Screen) => string)) => boolean;
  /** For a command that prints to standard output while it runs: lines of a log, the steps of a guide. */
  readonly output?: Output;
  /**
   * Properties of the place where the output is read: its width, and whether it may have colours. Absent for a file.
   */
  readonly screen?: Screen;
}

interface Output {
  say(text: string): void;
  json(value: unknown): void;
}

export interface Input extends World {
  readonly values: Readonly<Record<string, string | boolean | readonly (string | boolean)[] | undefined>>;
  readonly positionals: readonly string[];
}

export interface Outcome {
  /** Printed by `--json` under `data`; read only then. */
  readonly data: unknown;
  /** The output for a user. */
  readonly text: string;
  /** Default: 0. `doctor` finds problems without failing itself: then `ok` is false although there is `data`. */
  readonly exitCode?: number;
}

/** The section of the overview that lists a command. */
export type Section = "start" | "rules" | "notes" | "sessions" | "agents" | "more";

/** A command line that works, and what it does. */
export type Example = readonly [line: string, what: string];

export interface Subcommand {
  readonly name: string;
  /** What follows the name: `RULE`, `[SESSION]`. */
  readonly args?: string;
  /** One sentence without a full stop, in the imperative. */
  readonly summary: string;
  /** Details that the summary omits, for the help of this subcommand only. */
  readonly guide?: string;
  /** Names of the command's options that this subcommand accepts. */
  readonly options: readonly string[];
  /** The meaning of an option here, if it differs from the command's. */
  readonly overrides?: Readonly<Record<string, Pick<Option, "help" | "fallback">>>;
  readonly examples?: readonly Example[];
}

/** A word of the usage line, such as `HOST`. */
export interface Argument {
  readonly help: string;
  /** Possible values, for the help and tab completion. */
  readonly choices?: readonly string[];
}

/** There is one file per command. */
export interface Command {
  readonly name: string;
  readonly summary: string;
  readonly usage: string;
  readonly options: Options;
  /** Absent if it is not in the overview, because it is run in another way. */
  readonly section?: Section;
  /** In the overview, only its name is shown, at the end of its section. */
  readonly isMinor?: boolean;
  /** Details that the summary omits: a paragraph or two for the help and the documentation. */
  readonly guide?: string;
  readonly examples?: readonly Example[];
  /** By their names in the usage lines of the command and its subcommands. */
  readonly arguments?: Readonly<Record<string, Argument>>;
  /** What the command does without a subcommand, if that is not one of the subcommands. */
  readonly alone?: string;
  /** The first one runs without a subcommand, unless `alone` is set. */
  readonly subcommands?: readonly Subcommand[];
  /** Prints its text unchanged, even with --json, because a host reads it. */
  readonly raw?: boolean;
  run(input: Input): Outcome | Promise<Outcome>;
}
