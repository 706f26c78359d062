import type { Client } from "../sdk/api.ts";

/** The parts of `@github/copilot-sdk` 1.0.14 that a chat uses. */

export interface SdkModule {
  readonly CopilotClient: new (options: object) => SdkClient;
}

export interface SdkClient extends Client<SdkConfig, SdkConfig, SdkSession> {
  start(): Promise<void>;
  stop(): Promise<unknown>;
  ping(): Promise<unknown>;
  forceStop(): Promise<void>;
  listModels(): Promise<readonly { readonly id: string; readonly name?: string }[]>;
}

export type SdkConfig = Readonly<Record<string, unknown>>;

export interface SdkSession {
  readonly sessionId: string;
  send(message: { readonly prompt: string }): Promise<unknown>;
  abort(): Promise<void>;
  disconnect(): Promise<void>;
  getEvents(): Promise<readonly SdkEvent[]>;
  readonly rpc: { readonly name: { set(params: { readonly name: string }): Promise<unknown> } };
}

export interface SdkEvent {
  /** The same id as in the session's file. */
  readonly id?: string;
  readonly type: string;
  readonly timestamp?: string;
  readonly data?: unknown;
  /** Set if the event is a subagent's. */
  readonly agentId?: string;
}
