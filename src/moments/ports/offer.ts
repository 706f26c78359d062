import type { Values } from "../../base/settings.ts";
import type { Project } from "../types.ts";
import type { ToolContext } from "./tool.ts";

/**
 * What a source offers the person at a host's prompt, in no host's words. A host uses what it has a place for; each call
 * is bounded and may fail (`src/hosts/shared/in-process/offers.ts`).
 */
export interface Offer {
  /** Whose it is: nothing is offered of a source that is turned off. Absent for what no source owns. */
  readonly source?: string;
  readonly completers?: readonly Completer[];
  readonly commands?: readonly SlashCommand[];
  /** A few words for the host's status line; empty when there is nothing to say. Asked often: it must be quick. */
  readonly status?: (context: OfferContext) => string | Promise<string>;
  readonly jobs?: readonly Job[];
}

/** Plain values, copied out of the host's own objects: they hold also after the event, and after the session. */
export interface OfferContext extends ToolContext {
  readonly project: Project;
  /** The source's own settings, checked against its schema. */
  readonly settings: Values;
  /** The host's own history of the session, if it keeps one in a file. */
  readonly transcript?: string;
}

/** Completes what is typed. */
export interface Completer {
  readonly name: string;
  /** The character that makes a host ask. */
  readonly trigger: string;
  /** Given the line up to the cursor; undefined when it is none of this completer's business. */
  complete(before: string, context: OfferContext): Completion | undefined | Promise<Completion | undefined>;
}

export interface Completion {
  /** The end of the line that the chosen value takes the place of. */
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
  /** Values that the whole argument could have, given its beginning. */
  complete?(
    argument: string,
    context: OfferContext,
  ): readonly CompletionItem[] | Promise<readonly CompletionItem[]>;
  /** It is about the session itself: a host waits until the agent rests, where it can. */
  readonly whenIdle?: boolean;
  /** How long the user may have to wait for it; 15 seconds unless given. */
  readonly waitMs?: number;
  /** What the user is told; the model never sees it. `changed` is as in `Work`. */
  run(argument: string, context: OfferContext, changed?: () => void): string | Promise<string>;
}

/** Work that no event waits for. The host waits for it, a while, when its session ends. */
export interface Job {
  readonly name: string;
  /** `start`: once, when the host has loaded us. What is wrong then is told to the user, where there is a screen. */
  readonly at: "start" | "idle" | "end";
  run(context: OfferContext, work: Work): Promise<void>;
}

export interface Work {
  /** Fires when nobody waits any longer. */
  readonly signal: AbortSignal;
  /** The source's status has changed: the host is to ask for it again. */
  changed(): void;
}
