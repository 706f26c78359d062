import type {
  ChatPackage,
  ChatUsage,
  PermissionRequest,
  Question,
  TurnPiece,
} from "../../moments/ports/chat.ts";
import type { ShownTurn } from "./conversation.ts";
import type { KnownProject } from "./projects.ts";

/** What the page shows before any chat: is it installed, where is the model, which chats are open. */
export interface ChatOverview {
  readonly sdk: ChatPackage;
  readonly provider: ChatProviderState;
  /** Newest first. */
  readonly chats: readonly ChatLine[];
  /** Folders in which a chat may begin; that of `continuo web` first. */
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

/** Answers whether the provider works. */
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

/** A whole chat. What changes afterwards comes as `chat` events with the following numbers. */
export interface ChatState extends ChatLine {
  /** Of this opening of the chat: events of another one belong to a state that is gone. */
  readonly run: string;
  /** The number of the last change that is in this state. */
  readonly seq: number;
  readonly model: string;
  readonly wasResumed: boolean;
  readonly turns: readonly ShownTurn[];
  /** Older turns are only in the transcript. */
  readonly hasEarlier: boolean;
  /** Messages that are sent when the agent is idle. */
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
  /** Without an answer it is denied at this time. */
  readonly until: number;
}

export interface AskedQuestion extends Question {
  readonly id: string;
}

/** What happened to the turns of a chat. */
export type TurnChange =
  /** A new turn, or one that replaces the turn with the same id. */
  | { readonly kind: "turn"; readonly turn: ShownTurn }
  | TurnPiece
  /** The turns with these ids are gone. */
  | { readonly kind: "gone"; readonly ids: readonly string[] };

/** One change of a chat, numbered without gaps. After a gap, ask for the whole state. */
export type ChatChange = { readonly run: string; readonly seq: number } & (
  | TurnChange
  | { readonly kind: "state"; readonly state: ChatRest }
);

/** Everything but the turns. */
export type ChatRest = Omit<ChatState, "turns" | "run" | "seq">;

export interface ChatCompletion {
  readonly replaces: string;
  readonly items: readonly { readonly value: string; readonly label: string; readonly description: string }[];
}

export interface ChatHandoff {
  /** Names the session in a message: Continuo then gives the agent a summary of it. */
  readonly reference: string;
  /** The whole handoff, as `continuo-handoff` gives it. */
  readonly text: string;
  readonly project?: string;
}
