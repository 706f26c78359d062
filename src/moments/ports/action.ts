import type { GenericSchema, InferInput, InferOutput } from "valibot";
import type { Room } from "../../compose/room.ts";
import type { Home } from "../../store/home.ts";
import type { Session } from "../types.ts";
import type { LoadHistory, SessionFile, TranscriptReader } from "./history.ts";
import type { Source } from "./source.ts";
import type { ToolDefinition } from "./tool.ts";
import type { Block, Shown } from "./view.ts";

/**
 * What a person or a model can do, declared once: the command line, the page's server, MCP and the commands inside agents
 * read it here. Declare one with `action`, in a file of its source, and list it in a group.
 */
export interface Action<Input = never, Data = unknown> {
  /** As it is typed: `mutes`, `rules list`. */
  readonly name: string;
  /** One sentence without a full stop, in the imperative. */
  readonly about: string;
  /** What the sentence leaves out, for the help. */
  readonly guide?: string;
  readonly examples?: readonly Example[];
  /** A `strictObject` of fields (`fields.ts`): what is read from words, JSON and tool calls is checked by it. */
  readonly input: InputSchema;
  /** Nothing changes; something of the user's is stored; or the user decides, which no model may do for them. */
  readonly effect: "reads" | "writes" | "decides";
  run(input: Input, place: Place): Data | Promise<Data>;
  /** What the person is asked first, unless they said `--yes`. The page's server answers with the question. */
  asks?(input: Input, place: Place): Question | undefined | Promise<Question | undefined>;
  /** What a person or a model reads of it. */
  view(data: Data, shown: Shown): readonly Block[];
  /** What programs get, where that is not the data itself. */
  json?(data: Data): unknown;
  /** It shows how far it is, and can be ended early with what it has. */
  readonly isLong?: true;
  /** What open pages read again after it. */
  readonly changes?: "inbox" | "notes" | "rules";
  /** Whether the outcome is a failure for a script, without being an error: `continuo doctor`. */
  isBad?(data: Data): boolean;
  /** What makes it a tool for models too, which pay for its description in every request. */
  readonly tool?: Pick<ToolDefinition, "name" | "title" | "origin" | "need" | "hasUse">;
}

export type InputSchema = GenericSchema<unknown, object> & {
  readonly type: "strict_object";
  readonly entries: Readonly<Record<string, GenericSchema>>;
};

export interface Question {
  readonly ask: string;
  /** Where nobody can be asked. Without it, that is a no. */
  readonly unasked?: Error;
  /** The outcome of a no. */
  readonly declined: { readonly data: unknown; readonly text: string };
  /** What a yes runs, where a name could mean something else by then. */
  readonly input?: object;
}

/** A command line that works, and what it does. */
export type Example = readonly [line: string, what: string];

/** Where the overview of the command line lists a group. */
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
  /** From 0 to 1; missing if nobody knows how much there is. */
  readonly share?: number | undefined;
  /** What is done, in words: `120 of 300 sessions read`. */
  readonly label: string;
}

/** Where an action runs, and for whom: nothing global, so that tests can run it anywhere. */
export interface Place {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  readonly home: Home;
  readonly now: () => number;
  /** Past sessions of all hosts. */
  readonly history: LoadHistory;
  readonly sources: () => Promise<readonly Source[]>;
  /** How much of one output a host shows when a session begins; undefined where it shows everything. */
  readonly openingRoom?: (host: string) => Promise<Room | undefined>;
  /** The agent's session in which it was called, if it was. */
  readonly session?: Session;
  /** What only other parts know. */
  readonly others?: () => Promise<Others>;
  /** Asks the person for a line, where somebody can be asked. */
  readonly askLine?: (question: string) => Promise<string | undefined>;
  /** Says how far it is, while somebody waits. */
  readonly tell?: (line: string) => void;
  /** Shows the progress of long work, where somebody sees it. A step is made only if it is shown. */
  readonly progress?: () => (step: () => Step) => void;
  /** Sets a value in config.json, or removes it, and returns the path of the file. */
  readonly changeConfig?: (path: readonly string[], value: unknown) => Promise<string>;
  /** Fires when nobody waits any longer. */
  readonly signal?: AbortSignal;
}

/** What an action may ask of parts that its source does not know: agents, and past sessions. */
export interface Others {
  /** `Claude Code` for `claude-code`. */
  agentName(host: string): string;
  /** The name that the user gave a session, else the one from its transcript; "" if there is none. */
  sessionName(session: { readonly host: string; readonly session: string }): string;
  transcriptName(reader: TranscriptReader, file: SessionFile): string;
  /** Whether any agent calls Continuo. */
  isConnected(): Promise<boolean>;
  /** A line for each agent that does not ask Continuo before tool calls although a rule wants it. */
  missingGuards(): Promise<readonly string[]>;
  /** Has agents ask before tool calls if a rule wants it. Returns lines about what changed, and what is missing. */
  putGuards(): Promise<readonly string[]>;
}

/** An action of which the compiler knows more: the page's client reads names and types from here, by `import type`. */
export interface TypedAction<Name extends string, Input, Answer> extends Action {
  readonly name: Name;
  /** Is never there: it carries the types. `answer` is what programs get. */
  readonly types?: { readonly input: Input; readonly answer: Answer };
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
