/**
 * What a host provides that can hold a conversation for Continuo's own page. Types only, because the page builds on
 * them.
 */

import type { Turn } from "./turn.ts";

/** Where the model runs and how it is paid for. */
export interface ChatProvider {
  /** `copilot`: the login of the user's Copilot CLI. */
  readonly type: "openai" | "anthropic" | "copilot";
  readonly baseUrl: string;
  readonly model: string;
  /** Which of OpenAI's two APIs the endpoint supports. */
  readonly wireApi: "completions" | "responses";
  /** Never stored and never shown. */
  readonly key?: string;
}

export interface ChatHost {
  /** Where the host's package is, and how to get it. Loads nothing. */
  package(): ChatPackage;
  /** Begins or resumes a conversation. Starts the host's process if none runs. */
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
  /** The installed version. */
  readonly version?: string;
  /** Where Continuo looks first. */
  readonly folder: string;
  /** The command that installs it. */
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
  /** What happened before the conversation was resumed, oldest first. */
  history(): Promise<readonly ChatStep[]>;
  rename(name: string): Promise<void>;
  /** Releases the session; it can be resumed. */
  close(): Promise<void>;
}

export interface ChatListener {
  onStep(step: ChatStep): void;
  onPermission(request: PermissionRequest): Promise<PermissionAnswer>;
  onQuestion(question: Question): Promise<string>;
  /** Called when the host's process ended: it was idle for some minutes, or it failed. The session can be resumed. */
  onGone(why: "idle" | "failed"): void;
}

/** One thing that happened in a conversation. */
export type ChatStep =
  /** Something was said, called, answered or compacted, or failed. Replaces an earlier turn with the same id. */
  | { readonly kind: "turn"; readonly turn: Turn }
  /** The model begins a turn. An earlier one that began and never came was interrupted, and is repeated. */
  | { readonly kind: "begin"; readonly id: string; readonly at: number }
  | TurnPiece
  | { readonly kind: "usage"; readonly usage: ChatUsage }
  | { readonly kind: "title"; readonly text: string }
  | { readonly kind: "idle"; readonly isAborted: boolean };

/** A further piece of a turn that has begun. The page receives it in this form. */
export interface TurnPiece {
  readonly kind: "piece";
  /** The turn's id. */
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

/** Something that the agent wants to do and the user must allow. */
export interface PermissionRequest {
  readonly kind: "command" | "edit" | "read" | "url" | "tool" | "rule" | "other";
  readonly tool: string;
  /** The agent's reason, or what one of the user's rules says about it. */
  readonly reason?: string;
  /** Exactly what will be done: the command, the path, the address or the arguments. */
  readonly detail: string;
  /** The real path, if the path leads through a link. */
  readonly target?: string;
  /** The complete change that an edit would make. */
  readonly diff?: string;
  /** What counts as the same request for the rest of the session; absent if every request needs a question. */
  readonly same?: SamePermission;
}

export interface SamePermission {
  readonly key: string;
  /** Text that follows "allow for this session:". */
  readonly label: string;
}

export type PermissionAnswer = { readonly allow: true } | { readonly allow: false; readonly reason: string };

export interface Question {
  readonly question: string;
  readonly choices: readonly string[];
  readonly allowsText: boolean;
}
