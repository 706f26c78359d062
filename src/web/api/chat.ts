import type {
  ChatPackage,
  ChatUsage,
  PermissionRequest,
  Question,
  TurnPiece,
} from "../../moments/ports/chat.ts";
import type { ShownTurn } from "./conversation.ts";
import type { KnownProject } from "./projects.ts";

/** What the page shows before any chat: whether the SDK is installed, where the model runs, which chats are open. */
export interface ChatOverview {
  readonly sdk: ChatPackage;
  readonly provider: ChatProviderState;
  /** Newest first. */
  readonly chats: readonly ChatLine[];
  /** Folders in which a chat may begin, starting with that of `continuo web`. */
  readonly projects: readonly KnownProject[];
}

export type ChatProviderType = "none" | "openai" | "anthropic" | "copilot";

export interface ChatProviderState {
  readonly type: ChatProviderType;
  readonly baseUrl: string;
  readonly model: string;
  readonly wireApi: "completions" | "responses";
  /** The name of the environment variable with the key. */
  readonly keyEnv: string;
  /** Where the key is. The key itself is never sent to the page. */
  readonly key: "none" | "environment" | "memory" | "missing";
  /** What is missing before a chat can begin; absent if nothing is. */
  readonly problem?: string;
}

/** Whether the provider works. */
export interface ChatProviderTest {
  readonly ok: boolean;
  readonly message: string;
  readonly hint?: string;
}

export interface ChatLine {
  readonly id: string;
  readonly host: string;
  readonly name: string;
  readonly project: KnownProject;
  readonly status: ChatStatus;
  readonly at: number;
}

/** `asleep`: the runtime was stopped because it was idle, or failed; the next message resumes the session. */
export type ChatStatus = "idle" | "working" | "asleep";

/** A whole chat. Later changes come as `chat` events with the following numbers. */
export interface ChatState extends ChatLine {
  /** Identifies this opening of the chat: events with another value belong to an earlier state. */
  readonly run: string;
  /** The number of the last change included in this state. */
  readonly seq: number;
  readonly model: string;
  readonly wasResumed: boolean;
  readonly turns: readonly ShownTurn[];
  /** Whether there are older turns, which are only in the transcript. */
  readonly hasEarlier: boolean;
  /** Messages to send when the agent is idle. */
  readonly queue: readonly QueuedMessage[];
  readonly requests: readonly AskedPermission[];
  readonly questions: readonly AskedQuestion[];
  readonly usage: ChatUsage & { readonly calls: number };
}

export interface QueuedMessage {
  readonly key: string;
  readonly text: string;
}

export interface AskedPermission extends Omit<PermissionRequest, "same"> {
  readonly id: string;
  /** What "allow for this session" would allow; absent if it is not offered. */
  readonly sessionLabel?: string;
  /** Without an answer the request is denied at this time. */
  readonly until: number;
}

export interface AskedQuestion extends Question {
  readonly id: string;
}

/** A change of a chat's turns. */
export type TurnChange =
  /** A new turn, or one that replaces the turn with the same id. */
  | { readonly kind: "turn"; readonly turn: ShownTurn }
  | TurnPiece
  /** The turns with these ids were removed. */
  | { readonly kind: "gone"; readonly ids: readonly string[] };

/** One change of a chat, numbered without gaps. After a gap, load the whole state. */
export type ChatChange = { readonly run: string; readonly seq: number } & (
  | TurnChange
  | { readonly kind: "state"; readonly state: ChatRest }
);

/** Everything except the turns. */
export type ChatRest = Omit<ChatState, "turns" | "run" | "seq">;

export interface ChatCompletion {
  readonly replaces: string;
  readonly items: readonly { readonly value: string; readonly label: string; readonly description: string }[];
}

export interface ChatHandoff {
  /** Refers to the session in a message, so that Continuo gives the agent a summary of it. */
  readonly reference: string;
  /** The whole handoff, as `continuo-handoff` gives it. */
  readonly text: string;
  readonly project?: string;
}
