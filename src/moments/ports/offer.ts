import type { Values } from "../../base/settings.ts";
import type { Project } from "../types.ts";
import type { ToolContext } from "./tool.ts";

/**
 * What a source offers the user at a host's prompt, independent of any host. A host uses the parts that it can show;
 * each call has a time limit and may fail (`src/hosts/shared/in-process/offers.ts`).
 */
export interface Offer {
  /** The source that it belongs to: a disabled source offers nothing. Absent if it belongs to no source. */
  readonly source?: string;
  readonly completers?: readonly Completer[];
  readonly commands?: readonly SlashCommand[];
  /** A short text for the host's status line; may be empty. Called often, so it must be quick. */
  readonly status?: (context: OfferContext) => string | Promise<string>;
  readonly jobs?: readonly Job[];
}

/** Plain values, copied from the host's objects: they stay valid after the event and after the session. */
export interface OfferContext extends ToolContext {
  readonly project: Project;
  /** The source's own settings, checked against its schema. */
  readonly settings: Values;
  /** The host's transcript of the session, if it keeps one in a file. */
  readonly transcript?: string;
}

/** Completes what the user types. */
interface Completer {
  readonly name: string;
  /** The character that makes a host call this completer. */
  readonly trigger: string;
  /** Given the line up to the cursor; undefined if this completer does not apply. */
  complete(before: string, context: OfferContext): Completion | undefined | Promise<Completion | undefined>;
}

export interface Completion {
  /** The end of the line that the chosen value replaces. */
  readonly replaces: string;
  readonly items: readonly CompletionItem[];
}

export interface CompletionItem {
  readonly value: string;
  readonly label: string;
  readonly description: string;
}

/** A command that the user types after a slash. */
export interface SlashCommand {
  readonly name: string;
  readonly description: string;
  /** Possible values of the whole argument, given its beginning. */
  complete?(
    argument: string,
    context: OfferContext,
  ): readonly CompletionItem[] | Promise<readonly CompletionItem[]>;
  /** If possible, a host waits until the agent is idle, because the command is about the session itself. */
  readonly whenIdle?: boolean;
  /** How long the user may have to wait for it (default: 15 seconds). */
  readonly waitMs?: number;
  /** Returns the text for the user; the model never sees it. `changed` is as in `Work`. */
  run(argument: string, context: OfferContext, changed?: () => void): string | Promise<string>;
}

/** Work that no event waits for. When its session ends, the host waits for it for a limited time. */
export interface Job {
  readonly name: string;
  /** `start`: once, when the host has loaded Continuo; a failure is then shown to the user, if there is a screen. */
  readonly at: "start" | "idle" | "end";
  run(context: OfferContext, work: Work): Promise<void>;
}

export interface Work {
  /** Fires when nobody is waiting any longer. */
  readonly signal: AbortSignal;
  /** Call it when the source's status has changed, so that the host reads it again. */
  changed(): void;
}
