/** The parts of `@github/copilot-sdk` that Continuo uses, as of 1.0.14. Its package is never imported. */

/** Any client with the two calls of `CopilotClient`; the types of its configs and sessions are preserved. */
export interface Client<Create, Resume, Session> {
  createSession(config: Create): Promise<Session>;
  resumeSession(sessionId: string, config: Resume): Promise<Session>;
}

/** The parts of a session's config that Continuo reads and writes. */
export interface Config {
  readonly sessionId?: string;
  readonly workingDirectory?: string;
  readonly hooks?: object;
  readonly tools?: readonly object[];
  readonly systemMessage?: SystemMessage;
  readonly onEvent?: (event: SessionEvent) => void;
}

export interface SystemMessage {
  readonly mode?: string;
  readonly content?: string;
}

export interface SessionEvent {
  readonly type: string;
  readonly data?: unknown;
  /** Set if the event is a subagent's. */
  readonly agentId?: string;
}

export interface HookInput {
  /** The subagent's id, whereas `invocation` has that of the session that started it. */
  readonly sessionId?: string;
  readonly workingDirectory?: string;
  readonly prompt?: string;
  readonly toolName?: string;
  readonly toolArgs?: unknown;
  readonly toolResult?: unknown;
  /** Set if the agent already went on because a hook refused its stop, and now stops again. */
  readonly stopHookActive?: boolean;
}

export interface Invocation {
  readonly sessionId: string;
  /** Set only for tools. */
  readonly toolCallId?: string;
}

export interface HookOutput {
  additionalContext?: string;
  permissionDecision?: "allow" | "deny" | "ask";
  permissionDecisionReason?: string;
  /** For a stop: the agent goes on, with the reason as its next message. */
  decision?: "block";
  reason?: string;
}

export type Hook = (input: HookInput, invocation: Invocation) => Promise<HookOutput | undefined>;

export type HookName =
  | "onUserPromptSubmitted"
  | "onPreToolUse"
  | "onPostToolUse"
  | "onAgentStop"
  | "onSessionEnd";

export type Hooks = Readonly<Record<HookName, Hook>>;

export interface ToolResult {
  textResultForLlm: string;
  /** For any other value, the SDK takes the whole object as the text of a success. */
  resultType: "success" | "failure";
  error?: string;
  toolTelemetry?: Record<string, unknown>;
}

export interface Tool {
  name: string;
  description: string;
  parameters: Record<string, unknown>;
  /** Continuo's tools write only to its own data about the session, so they need no permission. */
  skipPermission: true;
  handler(args: unknown, invocation: Invocation): Promise<ToolResult>;
}
