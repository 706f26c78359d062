import type { ParseArgsConfig } from "node:util";
import type { Registries } from "./registries.ts";

type ParsedOption = NonNullable<ParseArgsConfig["options"]>[string];

/** As `parseArgs` takes it, with what people are told about it. */
export type Option = ParsedOption & {
  readonly help?: string;
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
  readonly progress?: (line: string) => boolean;
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

/** One file a command. */
export interface Command {
  readonly name: string;
  readonly summary: string;
  readonly usage: string;
  readonly options: Options;
  /** In the overview, commands of a group share one line. */
  readonly group?: "notes" | "muting" | "hosts";
  /** Words that may follow the command, for tab completion. */
  readonly words?: readonly string[];
  /** How each of these words is used, and what for. */
  readonly uses?: readonly (readonly [usage: string, what: string])[];
  /** Prints its text as it is, also with --json: a host reads it. */
  readonly raw?: boolean;
  run(input: Input): Outcome | Promise<Outcome>;
}
