import type { KnownProject } from "./projects.ts";

/** What the page shows before any chat: is it installed, where is the model, which chats are open. */
export interface ChatOverview {
  readonly sdk: ChatSdk;
  readonly provider: ChatProviderState;
  /** Newest first. */
  readonly chats: readonly ChatLine[];
  /** Folders in which a chat may begin; that of `continuo web` first. */
  readonly projects: readonly KnownProject[];
}

export interface ChatSdk {
  readonly isInstalled: boolean;
  readonly name: string;
  readonly wanted: string;
  readonly version?: string;
  readonly folder: string;
  readonly command: string;
  readonly downloadMB: number;
  readonly diskMB: number;
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
  readonly entries: readonly ChatEntry[];
  /** Older entries are only in the transcript. */
  readonly hasEarlier: boolean;
  /** Messages that are sent when the agent is idle. */
  readonly queue: readonly QueuedMessage[];
  readonly requests: readonly AskedPermission[];
  readonly questions: readonly AskedQuestion[];
  readonly usage: ChatUsageSum;
}

export interface QueuedMessage {
  readonly key: string;
  readonly text: string;
}

export interface ChatUsageSum {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cost: number;
  readonly calls: number;
}

export type ChatEntry = { readonly key: number; readonly at: number } & (
  | { readonly kind: "user"; readonly text: string }
  | {
      readonly kind: "assistant";
      readonly text: string;
      readonly thinking: string;
      /** More of it may come. */
      readonly isOpen: boolean;
      /** It was longer than the page shows. */
      readonly isCut: boolean;
      /** The agent's process ended before it was finished: neither the session's transcript nor the model has it. */
      readonly isLost?: boolean;
    }
  | {
      readonly kind: "tool";
      readonly tool: string;
      readonly input: string;
      readonly result: string;
      readonly state: "running" | "done" | "failed" | "denied";
    }
  | { readonly kind: "failure"; readonly code: string; readonly message: string; readonly hint: string }
  | { readonly kind: "note"; readonly what: "compacted" | "stopped" | "resumed" }
);

export interface AskedPermission {
  readonly id: string;
  readonly kind: string;
  readonly tool: string;
  readonly reason?: string;
  readonly detail: string;
  /** The real path, if the path leads through a link. */
  readonly target?: string;
  readonly diff?: string;
  /** What "allow for this session" would allow; absent if it is not offered. */
  readonly sessionLabel?: string;
  /** Without an answer it is denied at this time. */
  readonly until: number;
}

export interface AskedQuestion {
  readonly id: string;
  readonly question: string;
  readonly choices: readonly string[];
  readonly allowsText: boolean;
}

/** One change of a chat, numbered without gaps. After a gap, ask for the whole state. */
export type ChatChange = {
  readonly run: string;
  readonly seq: number;
} /** A new entry, or one that replaces the entry with the same key. */ & (
  | { readonly kind: "entry"; readonly entry: ChatEntry }
  /** More text of an answer. */
  | { readonly kind: "piece"; readonly key: number; readonly text: string; readonly thinking: string }
  /** The entries with these keys are gone. */
  | { readonly kind: "gone"; readonly keys: readonly number[] }
  | { readonly kind: "state"; readonly state: ChatRest }
);

/** Everything but the entries. */
export type ChatRest = Omit<ChatState, "entries" | "run" | "seq">;

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
