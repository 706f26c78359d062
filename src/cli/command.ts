import type { ParseArgsConfig } from "node:util";
import type { Registries } from "../setup/registries.ts";
import type { Screen } from "./terminal/screen.ts";

type ParsedOption = NonNullable<ParseArgsConfig["options"]>[string];

/** As `parseArgs` takes it, with what people are told about it. */
export type Option = ParsedOption & {
  readonly help?: string;
  /** What holds without the option, for the help. */
  readonly fallback?: string;
  /** Stands for the value in the help. */
  readonly value?: string;
  /** What the value may be, for tab completion. */
  readonly choices?: readonly string[];
};

export type Options = Readonly<Record<string, Option>>;

/** The world a command runs in: nothing global, so that tests can run it anywhere. */
export interface World extends Registries {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  readonly now: () => number;
  /** The folder of the installed package: it holds `dist/` and `samples/`. */
  readonly packageRoot: string;
  /** File descriptor of the standard input. */
  readonly stdin: number;
  /** Said while a command runs, beside its outcome: on standard error. */
  readonly tell?: (line: string) => void;
  /** Shown there in place of the line before; false if nobody sees it, because it is no terminal. */
  readonly progress?: (line: string | ((screen: Screen) => string)) => boolean;
  /** For a command that prints while it runs, on standard output: lines of a log, the steps of a guide. */
  readonly output?: Output;
  /** Where the outcome is read: its width, and whether it may have colours. Without one: a file. */
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
  /** What `--json` prints under `data`; read only then. */
  readonly data: unknown;
  /** What a person reads. */
  readonly text: string;
  /** 0 unless said otherwise. `doctor` finds problems without failing itself: then `ok` is false and `data` is there. */
  readonly exitCode?: number;
}

/** Where the overview lists a command. */
export type Section = "start" | "rules" | "notes" | "sessions" | "agents" | "more";

/** A command line that works, and what it does. */
export type Example = readonly [line: string, what: string];

export interface Subcommand {
  readonly name: string;
  /** What follows the name: `RULE`, `[SESSION]`. */
  readonly args?: string;
  /** One sentence without a full stop, in the imperative. */
  readonly summary: string;
  /** What the summary leaves out, for the help of this subcommand alone. */
  readonly guide?: string;
  /** Names of the command's options that this subcommand takes. */
  readonly options: readonly string[];
  /** What an option means here, where that differs from what the command says. */
  readonly overrides?: Readonly<Record<string, Pick<Option, "help" | "fallback">>>;
  readonly examples?: readonly Example[];
}

/** What a word of the usage line stands for, such as `HOST`. */
export interface Argument {
  readonly help: string;
  /** What it may be, for the help and tab completion. */
  readonly choices?: readonly string[];
}

/** One file a command. */
export interface Command {
  readonly name: string;
  readonly summary: string;
  readonly usage: string;
  readonly options: Options;
  /** Missing: not in the overview, because it is run another way. */
  readonly section?: Section;
  /** In the overview, only its name is shown, at the end of its section. */
  readonly isMinor?: boolean;
  /** What the summary leaves out: a paragraph or two for the help and the documentation. */
  readonly guide?: string;
  readonly examples?: readonly Example[];
  /** By its name in the usage line of the command and of its subcommands. */
  readonly arguments?: Readonly<Record<string, Argument>>;
  /** What it does without a subcommand, if that is none of them. */
  readonly alone?: string;
  /** The first is what runs without a subcommand, unless `alone` says otherwise. */
  readonly subcommands?: readonly Subcommand[];
  /** Prints its text as it is, also with --json: a host reads it. */
  readonly raw?: boolean;
  run(input: Input): Outcome | Promise<Outcome>;
}
