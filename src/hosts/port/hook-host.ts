import type { HostName } from "../../base/host-names.ts";
import type { Room } from "../../compose/room.ts";
import type { Edit, FileAccess } from "../../moments/tool-use.ts";
import type { Moment, Past, PromptMoment, Session, Shows, ToolMoment } from "../../moments/types.ts";
import type { CallerName } from "../names.ts";
import type { PromptForm } from "./prompt-form.ts";

/** The facts about the call that are not in the payload. */
export interface HookCall {
  /** As the command names it: in the words of the host in whose settings file the hook is. */
  readonly event: string;
  /** That host, if it is not the one that calls. */
  readonly entryOf?: HostName;
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  readonly at: number;
}

/** What an event means. `guard`: before a tool call, `tool`: after it. `summary`: after a compaction. */
export type EventKind =
  | "start"
  | "childStart"
  | "prompt"
  | "guard"
  | "tool"
  | "compacting"
  | "summary"
  | "idle"
  | "end";

export interface HookEvent {
  readonly kind: EventKind;
  /** Of a `start`: the moment by the payload's `source`. A source that is not listed is `otherwise`. */
  readonly sources?: Readonly<Record<string, "resume" | "compacted">>;
  /** Without it, a start from any other source is ignored. */
  readonly otherwise?: "start";
  /** Of a `compacting`: no later event is sure to show that the compaction took place. */
  readonly endsEpoch?: boolean;
  /** Of a `compacting`: if a person asked for it, the host shows the answer in the conversation too. It is then brief. */
  readonly isBriefIfManual?: boolean;
  /** What an answer must look like: JSON unless given, plain text, or nothing, since no answer reaches a model. */
  readonly answer?: "text" | "none";
  /** How many hook entries Continuo has at this event, if more than one: the further ones print parts that wait. */
  readonly entries?: number;
  /** How much of one answer reaches the model here, if not the host's `room`. */
  readonly room?: Room;
}

/** The names of the payload's fields; without a name, the host does not send it. */
interface PayloadFields {
  readonly session: string;
  readonly child?: string;
  /** The parent of a child. Where it is named, a child's own id is unique; elsewhere it is joined to the session's. */
  readonly parent?: string;
  readonly model?: string;
  readonly agent?: string;
  readonly transcript: string;
  readonly tool: string;
  readonly toolInput: string;
  /** A tool's answer, if it says more than the call: that it failed, or created a file. */
  readonly toolResponse?: string;
  /** The only part of it that Continuo reads, if there is one: the whole may be large. */
  readonly toolResponsePart?: string;
  /** A list of folders, the first of which counts where `cwd` is empty. */
  readonly folders?: string;
  /** What is the same in all hooks of one prompt and differs between prompts. */
  readonly occurrence?: string;
  /** When the agent goes idle: what it said last, and whether it went on because a hook had refused its stop. */
  readonly answer?: string;
  readonly refused?: string;
}

interface ReplyShape {
  /** Where the text for the model goes: in `hookSpecificOutput` with the event's name, or at the top of the JSON. */
  readonly context: "nested" | "top";
  readonly verdict: "nested" | "top";
  /** The keys of a verdict and of its reason. */
  readonly decision: string;
  readonly reason: string;
  /** The host can ask its user. One that cannot denies, and the reason has the model ask. */
  readonly canAsk: boolean;
  /** The refusal of a stop is in `hookSpecificOutput` too: documented there, and read at the top. */
  readonly nestsRefusal?: boolean;
  /** The host shows its user a `systemMessage` at the top of an answer, and never its model. */
  readonly showsLines: boolean;
  /** The answer is printed in ASCII, for a host that breaks characters of several bytes. */
  readonly isAscii?: boolean;
}

/** What calls of one host's own tools do, found in their arguments. */
export interface HostTools {
  /** The files that a call names. */
  filesOf(tool: string, input: Readonly<Record<string, unknown>>, cwd: string, root: string): FileAccess[];
  /** Finds what a call adds to files. Undefined if the tool changes none. */
  editsOf(
    tool: string,
    input: Readonly<Record<string, unknown>>,
    cwd: string,
    root: string,
  ): (() => readonly Edit[]) | undefined;
  /** What a call runs in a shell. */
  commandOf(tool: string, input: Readonly<Record<string, unknown>>): string | undefined;
  /** Whether the host's answer to a call says that it failed. */
  hasFailed?(tool: string, response: unknown): boolean;
  /** Whether that answer says that the call created its file, or that it replaced one. */
  isNewFile?(tool: string, response: unknown): boolean | undefined;
}

/**
 * The port of a host that runs a command per event, with JSON on standard input and an answer on standard output.
 * Everything that differs between such hosts is here; `shared/hook` has the code.
 */
export interface HookCaller {
  readonly name: HostName | CallerName;
  readonly label: string;
  /** It also runs the hooks in the settings files of these hosts. */
  readonly runsHooksOf?: readonly HostName[];
  /** Whether a payload that came to such a hook is its own. */
  sent?(payload: Readonly<Record<string, unknown>>, env: NodeJS.ProcessEnv): boolean;
  /** The payload with the keys that `fields` names, where the program has two forms. */
  inOneForm?(payload: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>;
  /** Where it runs hooks of several files at one event: whether this one answers. Exactly one must. */
  answersHere?(call: HookCall, kind: EventKind, session: Session): boolean;
  /** The events that Continuo registers for, in the order of a session's life. Of a caller: as the first file names them. */
  readonly events: Readonly<Record<string, HookEvent>>;
  /** The event at which a session gets its first text. */
  readonly opening: string;
  /** How much of one answer reaches the model; the host cuts or hides the rest. */
  readonly room: Room;
  /** What its user types to decide on suggestions, if it has slash commands for MCP prompts. */
  readonly reviewCommand?: string;
  /** The host keeps what hooks gave it in its history, so at a resume nothing is given again. */
  readonly keepsContext?: boolean;
  /** The environment variable with the session's own project, also after the agent changed into another folder. */
  readonly projectVariable?: string;
  readonly fields: PayloadFields;
  readonly reply: ReplyShape;
  /** What calls of the host's own tools do. */
  readonly tools: HostTools;
  /** Absent where prompts have no mark for the files in them. */
  readonly promptForm?: PromptForm;
  /** The session's transcript, where the payload does not name it. */
  transcriptOf?(env: NodeJS.ProcessEnv, session: string): string | undefined;
  /** What the agent said last, where the payload does not have it. */
  answerIn?(transcript: string): string | undefined;
  /** Another part of Continuo answers for this session. */
  isServedElsewhere?(call: HookCall, session: Session): boolean;
  /** Whether the transcript shows what was given to a session, which may have dropped it. Not asked about children. */
  readonly shows?: (transcript: string) => Shows;
  /** What only the host's transcript shows about a prompt or a tool call. */
  fromTranscript?(
    call: HookCall,
    moment: PromptMoment | ToolMoment,
  ): Pick<PromptMoment, "afterResume" | "stillHolds">;
  /** Loads what reads the session's past from its transcript, for a host whose events may not all reach Continuo. */
  past?(): Promise<(moment: Moment, since: number) => Past>;
}

/** A host with hooks in its own settings file. */
export interface HookHost extends HookCaller {
  readonly name: HostName;
}
