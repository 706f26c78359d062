import type { HostName } from "../../base/host-names.ts";
import type { Room } from "../../compose/room.ts";
import type { Edit, FileAccess } from "../../moments/tool-use.ts";
import type { Moment, Past, PromptMoment, Session, Shows, ToolMoment } from "../../moments/types.ts";
import type { CallerName } from "../names.ts";
import type { PromptForm } from "./prompt-form.ts";

/** Facts about the call that are not in the payload. */
export interface HookCall {
  /** The event's name in the hook's command, as the host whose settings file contains the hook calls it. */
  readonly event: string;
  /** That host, if another program runs the hook. */
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
  /** For a `start`: which moment each `source` in the payload means. Other sources mean `otherwise`. */
  readonly sources?: Readonly<Record<string, "resume" | "compacted">>;
  /** Without this, starts from other sources are ignored. */
  readonly otherwise?: "start";
  /** For a `compacting`: no later event reliably shows that the compaction took place. */
  readonly endsEpoch?: boolean;
  /**
   * For a `compacting`: if the user asked for it, the host also shows the answer in the conversation, so it is kept
   * brief.
   */
  readonly isBriefIfManual?: boolean;
  /** The form of the answer: JSON (default), plain text, or none because no answer reaches a model. */
  readonly answer?: "text" | "none";
  /** How many hook entries Continuo has for this event (default: 1). Further ones print waiting parts. */
  readonly entries?: number;
  /** How much of one answer reaches the model at this event (default: the host's `room`). */
  readonly room?: Room;
}

/** The names of the payload's fields. A field that the host does not send has no name. */
interface PayloadFields {
  readonly session: string;
  readonly child?: string;
  /** The parent of a child. If the host sends it, a child's own id is unique; otherwise the two ids are joined. */
  readonly parent?: string;
  readonly model?: string;
  readonly agent?: string;
  readonly transcript: string;
  readonly tool: string;
  readonly toolInput: string;
  /** A tool's answer, if it says more than the call, for example that the call failed or created a file. */
  readonly toolResponse?: string;
  /** The only part of it that Continuo reads, because the whole may be large. */
  readonly toolResponsePart?: string;
  /** A list of folders; the first one is used if `cwd` is empty. */
  readonly folders?: string;
  /** A value that is the same in all hooks of one prompt and differs between prompts. */
  readonly occurrence?: string;
  /** When the agent goes idle: its last message, and whether it went on because a hook had refused its stop. */
  readonly answer?: string;
  readonly refused?: string;
}

interface ReplyShape {
  /** Where the text for the model belongs: in `hookSpecificOutput` with the event's name, or at the top of the JSON. */
  readonly context: "nested" | "top";
  readonly verdict: "nested" | "top";
  /** The keys of a verdict and of its reason. */
  readonly decision: string;
  readonly reason: string;
  /** Whether the host can ask its user. If not, it denies, and the reason tells the model to ask. */
  readonly canAsk: boolean;
  /**
   * Whether the refusal of a stop is also put into `hookSpecificOutput`: documented there, but read at the top level.
   */
  readonly nestsRefusal?: boolean;
  /** Whether the host shows a top-level `systemMessage` to its user (never to its model). */
  readonly showsLines: boolean;
  /** Whether the answer is printed in ASCII, for a host that breaks multi-byte characters. */
  readonly isAscii?: boolean;
}

/** Derives from the arguments of a host's own tools what a call does. */
export interface HostTools {
  /** The files that a call names. */
  filesOf(tool: string, input: Readonly<Record<string, unknown>>, cwd: string, root: string): FileAccess[];
  /** What a call adds to files. Undefined if the tool changes none. */
  editsOf(
    tool: string,
    input: Readonly<Record<string, unknown>>,
    cwd: string,
    root: string,
  ): (() => readonly Edit[]) | undefined;
  /** The shell command that a call runs. */
  commandOf(tool: string, input: Readonly<Record<string, unknown>>): string | undefined;
  /** Whether the host's answer to a call says that it failed. */
  hasFailed?(tool: string, response: unknown): boolean;
  /** Whether that answer says that the call created its file (true) or replaced one (false). */
  isNewFile?(tool: string, response: unknown): boolean | undefined;
}

/**
 * The port of a host that runs a command per event, with JSON on standard input and an answer on standard output. All
 * differences between such hosts are described here; the code is in `shared/hook`.
 */
export interface HookCaller {
  readonly name: HostName | CallerName;
  readonly label: string;
  /** Hosts whose settings files it also reads, running the hooks there. */
  readonly runsHooksOf?: readonly HostName[];
  /** Whether a payload that such a hook received came from this program. */
  sent?(payload: Readonly<Record<string, unknown>>, env: NodeJS.ProcessEnv): boolean;
  /** The payload with the keys that `fields` names, for a program that has two forms. */
  inOneForm?(payload: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>;
  /** For a program that runs hooks of several files at one event: whether this hook answers. Exactly one must. */
  answersHere?(call: HookCall, kind: EventKind, session: Session): boolean;
  /**
   * The events that Continuo registers for, in the order of a session's life, named as in the (first) settings file.
   */
  readonly events: Readonly<Record<string, HookEvent>>;
  /** The event at which a session gets its first text. */
  readonly opening: string;
  /** How much of one answer reaches the model; the host cuts or hides the rest. */
  readonly room: Room;
  /** What the user types to decide on suggestions, if the host has slash commands for MCP prompts. */
  readonly reviewCommand?: string;
  /** Set if the host stores what hooks add in its history, so that nothing is delivered again at a resume. */
  readonly keepsContext?: boolean;
  /** The environment variable with the session's own project, even after the agent changed to another folder. */
  readonly projectVariable?: string;
  readonly fields: PayloadFields;
  readonly reply: ReplyShape;
  /** What calls of the host's own tools do. */
  readonly tools: HostTools;
  /** Absent if prompts have no syntax for mentioning files. */
  readonly promptForm?: PromptForm;
  /** The session's transcript, if the payload does not name it. */
  transcriptOf?(env: NodeJS.ProcessEnv, session: string): string | undefined;
  /** The agent's last message, if the payload does not contain it. */
  answerIn?(transcript: string): string | undefined;
  /** Whether another part of Continuo answers for this session. */
  isServedElsewhere?(call: HookCall, session: Session): boolean;
  /** Whether the transcript shows a delivered text, which the session may have dropped. Not called for children. */
  readonly shows?: (transcript: string) => Shows;
  /** Facts about a prompt or a tool call that only the transcript shows. */
  fromTranscript?(
    call: HookCall,
    moment: PromptMoment | ToolMoment,
  ): Pick<PromptMoment, "afterResume" | "stillHolds">;
  /**
   * Loads the function that reads the session's past from its transcript, for a host whose events may not all reach
   * Continuo.
   */
  past?(): Promise<(moment: Moment, since: number) => Past>;
}

/** A host with hooks in its own settings file. */
export interface HookHost extends HookCaller {
  readonly name: HostName;
}
