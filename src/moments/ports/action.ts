import type { GenericSchema, InferInput, InferOutput } from "valibot";
import type { Room } from "../../compose/room.ts";
import type { Home } from "../../store/home.ts";
import type { Session } from "../types.ts";
import type { LoadHistory, SessionFile, TranscriptReader } from "./history.ts";
import type { Source } from "./source.ts";
import type { ToolDefinition } from "./tool.ts";
import type { Block, Found, Shown } from "./view.ts";
import type { Weeks } from "./week.ts";

/**
 * Something that a user or a model can do, declared once for the command line, the page's server, MCP and the commands
 * inside agents. Declare one with `action`, in a file of its source, and list it in a group.
 */
export interface Action<Input = never, Data = unknown> {
  /** As it is typed: `mutes`, `rules list`. */
  readonly name: string;
  /** One sentence without a full stop, in the imperative. */
  readonly about: string;
  /** Details that `about` leaves out, for the help. */
  readonly guide?: string;
  readonly examples?: readonly Example[];
  /** A `strictObject` of fields (`fields.ts`). It checks input from words, JSON and tool calls. */
  readonly input: InputSchema;
  /**
   * `reads` changes nothing; `writes` stores something of the user's; `decides` is a decision that no model may make.
   */
  readonly effect: "reads" | "writes" | "decides";
  run(input: Input, place: Place): Data | Promise<Data>;
  /**
   * A question to the user before the action runs, unless they passed `--yes`. The page's server answers with the
   * question.
   */
  asks?(input: Input, place: Place): Question | undefined | Promise<Question | undefined>;
  /** The output for a user or a model. */
  view(data: Data, shown: Shown): readonly Block[];
  /** The output for programs, if it is not the data itself. */
  json?(data: Data): unknown;
  /** Set if it shows progress, and can be stopped early with a partial result. */
  readonly isLong?: true;
  /** What open pages must reload afterwards. */
  readonly changes?: "inbox" | "notes" | "rules";
  /** Whether the result counts as a failure for a script without being an error: `continuo doctor`. */
  isBad?(data: Data): boolean;
  /** Makes it a tool for models too. Its description adds to the cost of every request. */
  readonly tool?: Pick<ToolDefinition, "name" | "title" | "origin" | "need" | "hasUse">;
}

export type InputSchema = GenericSchema<unknown, object> & {
  readonly type: "strict_object";
  readonly entries: Readonly<Record<string, GenericSchema>>;
};

export interface Question {
  readonly ask: string;
  /** The error if nobody can be asked. Without it, that counts as a no. */
  readonly unasked?: Error;
  /** The outcome of a no. */
  readonly declined: { readonly data: unknown; readonly text: string };
  /** The input to run after a yes, if a name could mean something else by then. */
  readonly input?: object;
}

/** A command line that works, and what it does. */
export type Example = readonly [line: string, what: string];

/** The section of the command line's overview that lists a group. */
export type Section = "start" | "rules" | "notes" | "sessions" | "agents" | "more";

/** Actions with one first word. Of a group with one action, that word is the action. */
export interface ActionGroup<A extends Action = Action> {
  readonly name: string;
  readonly about: string;
  readonly section: Section;
  /** In the overview, only its name is shown, at the end of its section. */
  readonly isMinor?: boolean;
  readonly guide?: string;
  readonly examples?: readonly Example[];
  /** The first is what the name alone does. */
  readonly actions: readonly A[];
}

export interface Step {
  /** From 0 to 1; undefined if the total is unknown. */
  readonly share?: number | undefined;
  /** What has been done, in words: `120 of 300 sessions read`. */
  readonly label: string;
}

/** Where an action runs, and for whom. Nothing global, so that tests can run it anywhere. */
export interface Place {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  readonly home: Home;
  readonly now: () => number;
  /** Past sessions of all hosts. */
  readonly history: LoadHistory;
  readonly sources: () => Promise<readonly Source[]>;
  /** How much of one output a host shows when a session begins; undefined if it shows everything. */
  readonly openingRoom?: (host: string) => Promise<Room | undefined>;
  /** The agent's session that called it, if any. */
  readonly session?: Session;
  /** Functions of other parts, which sources do not know. */
  readonly others?: () => Promise<Others>;
  /** Asks the person for a line of text; undefined where nobody can be asked. */
  readonly askLine?: (question: string) => Promise<string | undefined>;
  /** Reports progress while somebody is waiting. */
  readonly tell?: (line: string) => void;
  /** Shows the progress of long work, if the user can see it. A step is computed only if it is shown. */
  readonly progress?: () => (step: () => Step) => void;
  /**
   * Sets a value in config.json, or removes it, and returns the path of the file. A function receives the previous
   * value.
   */
  readonly changeConfig?: (path: readonly string[], value: unknown) => Promise<string>;
  /** Returns the real path of a file that may be read from here, or throws. If undefined, every file may be read. */
  readonly readable?: (path: string) => Promise<string>;
  /** Fires when nobody waits for the action any more. */
  readonly signal?: AbortSignal;
}

/** What an action may use of parts that its source does not know: agents, and past sessions. */
export interface Others {
  /** `Claude Code` for `claude-code`. */
  agentName(host: string): string;
  /** The name that the user gave a session, else the one in its transcript; "" if there is none. */
  sessionName(session: { readonly host: string; readonly session: string }): string;
  transcriptName(reader: TranscriptReader, file: SessionFile): string;
  /** The indexed sessions with this name, id or beginning of an id: several if it is ambiguous. */
  sessionsCalled(said: string): Promise<readonly Pick<Session, "host" | "id">[]>;
  /** The failures of the last days, and what to do about them. */
  failures(): Promise<readonly Failure[]>;
  weeks(): Promise<Weeks>;
  /** Whether the user wants past sessions. */
  sessionsAreOn(): boolean;
  /** The past sessions that match. `isAlone`: nothing else is searched. */
  findSessions(
    asked: {
      readonly query: string;
      readonly project?: string | undefined;
      readonly since?: string | undefined;
      readonly page: number;
      readonly pageSize: number;
      readonly isAlone: boolean;
    },
    place: Place,
  ): Promise<Found<object>>;
  /** Whether any agent calls Continuo. */
  isConnected(): Promise<boolean>;
  /** A line for each agent that does not ask Continuo before tool calls although a rule needs that. */
  missingGuards(): Promise<readonly string[]>;
  /** Makes agents ask before tool calls if a rule needs that. Returns lines about what changed, and what is missing. */
  putGuards(): Promise<readonly string[]>;
}

/** An action with types for the compiler: the page's client takes names and types from here, by `import type`. */
export interface TypedAction<Name extends string, Input, Answer> extends Action {
  readonly name: Name;
  /** Never set: it only carries the types. `answer` is what programs get. */
  readonly types?: { readonly input: Input; readonly answer: Answer };
}

export interface Failure {
  readonly detail: string;
  /** How to fix it; empty when there is nothing to fix. */
  readonly mend: string;
}

/** Infers the types of input and data; the kit itself needs to know neither. */
export function action<const Name extends string, S extends InputSchema, Data, Answer = Data>(
  definition: Omit<Action<InferOutput<S>, Data>, "name" | "input" | "json"> & {
    readonly name: Name;
    readonly input: S;
    json?(data: Data): Answer;
  },
): TypedAction<Name, InferInput<S>, Answer> {
  return definition as unknown as TypedAction<Name, InferInput<S>, Answer>;
}

/** A group of one, with its help. */
export function alone<A extends Action>(section: Section, only: A, isMinor = false): ActionGroup<A> {
  const { name, about, guide, examples } = only;
  return { name, about, section, isMinor, guide, examples, actions: [only] };
}
