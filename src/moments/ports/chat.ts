/** What a host provides that can hold a conversation for Continuo's own page. Types only: the page's are made of them. */

import type { Turn } from "./turn.ts";

/** Where the model is and how it is paid for. */
export interface ChatProvider {
  /** `copilot`: the login of the user's Copilot CLI. */
  readonly type: "openai" | "anthropic" | "copilot";
  readonly baseUrl: string;
  readonly model: string;
  /** Which of OpenAI's two APIs the endpoint has. */
  readonly wireApi: "completions" | "responses";
  /** Never stored and never shown. */
  readonly key?: string;
}

export interface ChatHost {
  /** Where the host's package is, and how to get it. Loads nothing. */
  package(): ChatPackage;
  /** Begins a conversation, or resumes one. Starts the host's process if none runs. */
  open(opening: ChatOpening): Promise<ChatSession>;
  /** The models of the user's login. Starts the host's process if none runs. */
  models(): Promise<readonly ChatModel[]>;
  /** Ends the host's process, if one runs. Conversations can be resumed. */
  stop(): Promise<void>;
}

export interface ChatPackage {
  readonly isInstalled: boolean;
  readonly name: string;
  /** The version that Continuo was tested with. */
  readonly wanted: string;
  /** The version that is there. */
  readonly version?: string;
  /** Where Continuo looks first. */
  readonly folder: string;
  /** Installs it. */
  readonly command: string;
  readonly downloadMB: number;
  readonly diskMB: number;
}

interface ChatModel {
  readonly id: string;
  readonly name: string;
}

export interface ChatOpening {
  /** The session to resume; absent to begin a new one. */
  readonly resume?: string;
  readonly cwd: string;
  readonly provider: ChatProvider;
  readonly listener: ChatListener;
}

export interface ChatSession {
  readonly id: string;
  send(prompt: string): Promise<void>;
  /** Stops what the agent does now. */
  abort(): Promise<void>;
  /** What happened before it was resumed, oldest first. */
  history(): Promise<readonly ChatStep[]>;
  rename(name: string): Promise<void>;
  /** Lets go of the session; it can be resumed. */
  close(): Promise<void>;
}

export interface ChatListener {
  onStep(step: ChatStep): void;
  onPermission(request: PermissionRequest): Promise<PermissionAnswer>;
  onQuestion(question: Question): Promise<string>;
  /** The host's process ended: it was idle for some minutes, or it failed. The session can be resumed. */
  onGone(why: "idle" | "failed"): void;
}

/** One thing that happened in a conversation. */
export type ChatStep =
  /** Something was said, called, answered or compacted, or failed. It replaces an earlier one with the same id. */
  | { readonly kind: "turn"; readonly turn: Turn }
  /** The model begins a turn. One that began before and has not come was cut off, and is repeated. */
  | { readonly kind: "begin"; readonly id: string; readonly at: number }
  | TurnPiece
  | { readonly kind: "usage"; readonly usage: ChatUsage }
  | { readonly kind: "title"; readonly text: string }
  | { readonly kind: "idle"; readonly isAborted: boolean };

/** More of a turn that has begun. It goes from the host to the page in this form. */
export interface TurnPiece {
  readonly kind: "piece";
  /** Of the turn. */
  readonly id: string;
  readonly text: string;
  readonly thinking: string;
}

export interface ChatUsage {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  /** In the provider's unit, if it reports one. */
  readonly cost: number;
}

/** In plain words: what happened and what to do. */
export interface ChatFailure {
  readonly code: string;
  readonly message: string;
  readonly hint: string;
}

/** Something that the agent wants to do. */
export interface PermissionRequest {
  readonly kind: "command" | "edit" | "read" | "url" | "tool" | "rule" | "other";
  readonly tool: string;
  /** Why the agent says that it wants it, or what a rule of the user says about it. */
  readonly reason?: string;
  /** Exactly what would be done: the command, the path, the address or the arguments. */
  readonly detail: string;
  /** The real path, if the path leads through a link. */
  readonly target?: string;
  /** What an edit would change, whole. */
  readonly diff?: string;
  /** What counts as the same for the rest of the session; absent if it must be asked for every time. */
  readonly same?: SamePermission;
}

export interface SamePermission {
  readonly key: string;
  /** To follow "allow for this session:". */
  readonly label: string;
}

export type PermissionAnswer = { readonly allow: true } | { readonly allow: false; readonly reason: string };

export interface Question {
  readonly question: string;
  readonly choices: readonly string[];
  readonly allowsText: boolean;
}
