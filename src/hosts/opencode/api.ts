/**
 * The part of OpenCode's V1 plugin API that Continuo uses, as its binary behaves. Declared here so that the plugin
 * needs no package of the host at run time, and so that the types show fields that another version may omit.
 */

export interface Part {
  readonly id: string;
  readonly type: string;
  readonly sessionID?: string;
  readonly messageID?: string;
  readonly text?: string;
  readonly synthetic?: boolean;
  readonly ignored?: boolean;
  /** For a mentioned or attached file. */
  readonly url?: string;
  /** For a tool call. */
  readonly tool?: string;
  readonly state?: Readonly<Record<string, unknown>>;
  /** For a compaction. */
  readonly auto?: boolean;
}

export interface MessageInfo {
  readonly id: string;
  readonly role: string;
  readonly sessionID: string;
  readonly agent?: string;
  readonly model?: { readonly providerID: string; readonly modelID: string };
  /** Set for the summariser's answer, with which the conversation continues. */
  readonly summary?: unknown;
  readonly error?: unknown;
  readonly finish?: string;
  /** For a prompt: false for tools that its requests do not offer. May be set before the message is stored. */
  tools?: Readonly<Record<string, boolean>>;
  /** Messages are read back in this order. May be set on a message that is about to be stored. */
  time?: { readonly created?: number; readonly completed?: number };
}

export interface Message {
  readonly info: MessageInfo;
  parts: Part[];
}

export interface OpenCodeEvent {
  readonly type: string;
  readonly properties?: Readonly<Record<string, unknown>>;
}

/**
 * The part of the host's client that is used. Never call it before the plugin's start has returned, or both would wait
 * for each other.
 */
export interface Client {
  readonly session: {
    get(options: { path: { id: string } }): Promise<{ data?: unknown }>;
    messages(options: { path: { id: string }; query?: { limit?: number } }): Promise<{ data?: unknown }>;
    prompt(options: { path: { id: string }; body: OwnPrompt }): Promise<{ data?: unknown }>;
  };
  /** Without a TUI the host still answers, but shows nothing. */
  readonly tui: {
    showToast(options: {
      body: { title?: string; message: string; variant: "info" | "warning"; duration?: number };
    }): Promise<{ data?: unknown }>;
  };
}

/** A message that is stored but not answered. */
export interface OwnPrompt {
  readonly messageID: string;
  readonly noReply: true;
  /** Without these two, the session would continue with the default agent and model. */
  readonly agent: string;
  readonly model: { readonly providerID: string; readonly modelID: string };
  readonly parts: readonly [{ readonly type: "text"; readonly text: string; readonly synthetic: true }];
}

export interface PluginInput {
  readonly client: Client;
  readonly directory: string;
}

interface Call {
  readonly tool: string;
  readonly sessionID: string;
  readonly callID: string;
}

export interface Hooks {
  config(config: Record<string, unknown> & { command?: Record<string, object> }): Promise<void>;
  "command.execute.before"(
    input: { command: string; sessionID: string; arguments: string },
    output: { parts: Part[] },
  ): Promise<void>;
  event(input: { event: OpenCodeEvent }): Promise<void>;
  dispose(): Promise<void>;
  tool: Readonly<Record<string, OfferedTool>>;
  "tool.definition"(
    input: { toolID: string },
    output: { parameters?: unknown; jsonSchema?: unknown },
  ): Promise<void>;
  "chat.message"(
    input: { sessionID: string },
    output: { message: MessageInfo; parts: Part[] },
  ): Promise<void>;
  "experimental.chat.system.transform"(
    input: { sessionID?: string },
    output: { system: string[] },
  ): Promise<void>;
  "experimental.chat.messages.transform"(input: object, output: { messages: Message[] }): Promise<void>;
  "experimental.session.compacting"(
    input: { sessionID: string },
    output: { context: string[] },
  ): Promise<void>;
  "experimental.compaction.autocontinue"(
    input: { sessionID: string; message?: MessageInfo },
    output: { enabled: boolean },
  ): Promise<void>;
  "experimental.text.complete"(input: { sessionID: string }, output: { text: string }): Promise<void>;
  "tool.execute.before"(input: Call, output: { args: unknown }): Promise<void>;
  "tool.execute.after"(input: Call & { args?: unknown }, output: { output?: unknown }): Promise<void>;
}

export interface OfferedTool {
  readonly description: string;
  readonly args: Readonly<Record<string, object>>;
  execute(
    args: unknown,
    context: { sessionID: string; directory?: string; abort?: AbortSignal },
  ): Promise<string>;
}
