import type { CompletionItem } from "../../moments/ports/offer.ts";
import type { PiModelRegistry } from "./models.ts";

/**
 * The part of pi's extension API that Continuo uses. Declared here because pi changed its package scope: importing its
 * types or values would tie the bundle to some of its versions. What only some versions have is optional.
 */
export interface Pi {
  /** From 0.86.0 on it returns a function that removes the handler. */
  on(event: string, handler: (event: PiEvent, ctx: PiContext) => unknown): unknown;
  registerTool(tool: PiTool): void;
  registerCommand(name: string, command: PiCommand): void;
  sendMessage(message: CustomMessage, options?: SendOptions): void;
  /** Adds an entry that is stored in the session's file and never sent to the model. */
  appendEntry(customType: string, data: object): void;
  /** Stored as an entry too; pi shows the last one. */
  setSessionName?(name: string): void;
}

export type PiEvent = Readonly<Record<string, unknown>>;

export interface PiContext {
  readonly cwd: string;
  readonly hasUI?: boolean;
  readonly ui: {
    confirm(title: string, message: string): Promise<boolean>;
    /** Undefined if the user cancels with Esc. */
    select?(title: string, options: string[]): Promise<string | undefined>;
    editor?(title: string, prefill?: string): Promise<string | undefined>;
    notify(message: string, type?: "info" | "warning" | "error"): void;
    /** Without text the line disappears. */
    setStatus?(key: string, text: string | undefined): void;
    /** Each provider receives the previous one, to ask if it has no answer itself. */
    addAutocompleteProvider?(make: (current: PiCompletions) => PiCompletions): void;
  };
  readonly model?: { readonly id?: string } | undefined;
  readonly modelRegistry?: PiModelRegistry;
  readonly sessionManager: PiSessionManager;
  isIdle(): boolean;
  /** Only on commands' contexts. */
  waitForIdle?(): Promise<void>;
}

/** Unlike the context that it comes from, it never throws because it is stale. */
export interface PiSessionManager {
  getSessionId(): string;
  getSessionFile(): string | undefined;
  /** The entries from the first one to the current leaf, including compacted ones. */
  getBranch(): readonly unknown[];
  /** The entries of all branches. */
  getEntries(): readonly unknown[];
}

interface SendOptions {
  readonly deliverAs?: "steer" | "followUp" | "nextTurn";
  readonly triggerTurn?: boolean;
}

/** Stored in the session's file and sent to the model as a user message, without its details. */
export interface CustomMessage {
  readonly customType: string;
  readonly content: readonly TextBlock[];
  readonly display: boolean;
  readonly details: unknown;
}

export interface TextBlock {
  readonly type: "text";
  readonly text: string;
}

export interface PiTool {
  readonly name: string;
  readonly label: string;
  readonly description: string;
  readonly parameters: object;
  execute(
    id: string,
    args: unknown,
    signal: AbortSignal | undefined,
    onUpdate: unknown,
    ctx: PiContext,
  ): Promise<{ content: readonly TextBlock[]; details: unknown }>;
}

export interface PiCompletions {
  /** Older versions support only @ and #. */
  readonly triggerCharacters?: readonly string[];
  getSuggestions(
    lines: string[],
    line: number,
    column: number,
    options: unknown,
  ): Promise<PiSuggestions | null>;
  applyCompletion(...given: unknown[]): unknown;
  shouldTriggerFileCompletion?(...given: unknown[]): boolean;
}

interface PiSuggestions {
  readonly prefix: string;
  readonly items: readonly CompletionItem[];
}

export interface PiCommand {
  readonly description: string;
  getArgumentCompletions?(argument: string): Promise<CompletionItem[] | null>;
  handler(args: string, ctx: PiContext): Promise<void>;
}
