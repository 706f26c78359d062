import type { Schema, Values } from "../../base/settings.ts";
import type { Section } from "../../compose/section.ts";
import type { KnownProject } from "../project/known-project.ts";
import type { EntryBody } from "../state/ledger.ts";
import type { ExpectedStart, Moment, MomentName, MomentOf, ToolMoment } from "../types.ts";
import type { FileUse } from "../working-set.ts";
import type { ActionGroup, Place } from "./action.ts";
import type { Finder } from "./finder.ts";
import type { LoadHistory } from "./history.ts";
import type { Offer } from "./offer.ts";
import type { PromptDefinition } from "./prompt.ts";
import type { ResourceDefinition } from "./resource.ts";
import type { OpenSuggestions } from "./suggestions.ts";
import type { HostNote, ToolDefinition } from "./tool.ts";

/** What a source gets along with the moment. */
export interface SourceContext {
  /** The source's own settings, checked against its schema. */
  readonly settings: Values;
  readonly env: NodeJS.ProcessEnv;
  /** Continuo's own folder. */
  readonly home: string;
  /** The moment's project with its names, remote and clones. Read on the first call: it takes a few file reads. */
  readonly knownProject: () => KnownProject;
  /** Past sessions of all hosts. */
  readonly history: LoadHistory;
  /** This source's memo about this session, as read from disk; undefined the first time. */
  readonly memo: unknown;
  /** Files that the session's tool calls touched, including this moment's, most recent last. */
  readonly workingSet: readonly FileUse[];
  /** Keys of this source's items that the model received in this epoch. */
  readonly delivered?: ReadonlySet<string>;
  /** Whether the user has muted this source's item, or the source. The engine leaves muted items out in any case. */
  readonly isMuted?: (key: string) => boolean;
  /** What the user of this host types to decide on suggestions. */
  readonly reviewCommand: string;
  /** Whether the process ends after this moment and runs nothing else. */
  readonly isOwnProcess?: boolean;
  /**
   * Passes what the user said about how they want to work to the other sources; absent if none listens. Returns the
   * sentences that one of them already suggests to the user.
   */
  readonly tell?: (heard: readonly Heard[]) => Promise<readonly string[]>;
  /** For previews: write nothing about a session, only indexes of files. */
  readonly readOnly: boolean;
  /** Nobody sees the answer: only load code and indexes, and run no other program. */
  readonly isUnseen?: boolean;
  /** Fires when the source's deadline has passed: later answers are ignored. */
  readonly signal: AbortSignal;
  /** The time until then. A source that calls others should reserve time to answer with what it got. */
  readonly deadlineMs: number;
  /** Records a failure that leaves the answer usable; `continuo doctor` shows it. */
  report(code: string, message: string, hint?: string): void;
}

/** A sentence of the user's about how they want to work, verbatim. */
export interface Heard {
  readonly sentence: string;
  readonly turn?: string;
  readonly at?: number;
  /** What it applies to, if it says so. */
  readonly scope?: "project" | "everywhere";
}

export interface PrepareContext extends SourceContext {
  /** What happened to the session. An idle session may go on, and most do. */
  readonly after: "idle" | "end";
}

export interface Answer {
  readonly sections?: readonly Section[];
  /** Lines for the user, for example about pending suggestions. Shown if the host can; the model never sees them. */
  readonly notices?: readonly string[];
  /** How many suggestions are pending. All sources share one line, at a start. */
  readonly waiting?: number;
  /**
   * Returns the new memo about this session, as JSON. It is applied to the newest memo under the session's lock,
   * possibly after another process changed it, so it must not rely on the memo in the context.
   */
  readonly remember?: (memo: unknown) => unknown;
  /** Entries for the ledger besides the delivery, given the keys of the items that were delivered. */
  readonly ledgerEntries?: (delivered: ReadonlySet<string>) => readonly EntryBody[];
  /** Notes for the host's session file, if it has one for that; given the same keys. */
  readonly hostNotes?: (delivered: ReadonlySet<string>) => readonly HostNote[];
  /**
   * Only at `idle`, from a source with a guard: refuses the agent's stop. The model gets the message and goes on.
   * Ignored if `isAfterRefusal` is set.
   */
  readonly verdict?: Verdict;
}

export type Answerer<N extends MomentName> = (
  moment: MomentOf<N>,
  context: SourceContext,
) => Answer | Promise<Answer>;

/** A refusal of a tool call or of the agent's stop, or a question about it. */
export interface Verdict {
  readonly action: "deny" | "ask";
  /** Shown to the model and the user. */
  readonly message: string;
}

/** A verdict before a tool call, and what is remembered about it. */
export interface Guarded extends Verdict {
  readonly ledgerEntries?: readonly EntryBody[];
  /** As in `Answer`. */
  readonly remember?: (memo: unknown) => unknown;
}

export interface GuardContext extends Pick<SourceContext, "settings" | "env" | "home" | "report"> {
  /** This source's memo about this session. Read on the first call, because most guards need none. */
  memo(): unknown;
  /** Whether the user has muted the rule with this key. `isUsers`: it is the user's own, not a project's. */
  isGuardOff(key: string, isUsers: boolean): boolean;
}

/** Something in a source that users refer to by name. */
export interface NamedItem {
  readonly key: string;
  readonly name: string;
  /** Whether the user may mean it by this. */
  isCalled(said: string): boolean;
}

export type NamedPlace = Pick<Place, "cwd" | "env" | "home" | "now" | "sources">;

/** The interface of a source. A source knows its files and nothing about hosts. */
export interface Source {
  readonly name: string;
  /** Whether it answers for child sessions, which get rules but no notes. */
  readonly answersChildren: boolean;
  /**
   * It must answer completely before other sources begin, so that their work cannot delay it. It may use most of the
   * moment's time; the others share the rest.
   */
  readonly comesFirst?: true;
  readonly settings: Schema;
  readonly answers: { readonly [N in MomentName]?: Answerer<N> };
  /**
   * Prepares what the next start of this project needs and stores it (`store/prepared.ts`), unless the stored value is
   * still right. Called when the agent is idle or a session has ended. May be stopped at any point; the start then does
   * the work itself.
   */
  readonly prepare?: (start: ExpectedStart, context: PrepareContext) => void | Promise<void>;
  /**
   * Called when another source has heard the user say how they want to work, when a session is idle or ends. Returns
   * the sentences that this source suggests to the user, so that the other one does not.
   */
  readonly hear?: (
    heard: readonly Heard[],
    moment: Moment,
    context: SourceContext,
  ) => Promise<readonly string[]>;
  /** What users may refer to by name in this project, such as a rule to mute. */
  readonly named?: (place: NamedPlace) => Promise<readonly NamedItem[]>;
  /** How long it needs with these settings, if the user chose something slow; deadlines are then extended. */
  readonly patienceMs?: (settings: Values) => number;
  /** Called before a tool call, if the host allows it. It must be quick, because the tool waits. */
  readonly guard?: (
    moment: ToolMoment,
    context: GuardContext,
  ) => Guarded | undefined | Promise<Guarded | undefined>;
  /**
   * The name of one of the user's own files that guards tool calls in every project, trusted or not, so that hosts need
   * the event. undefined if there is none. `host`: empty for any host.
   */
  readonly guardsEverywhere?: (
    context: Pick<SourceContext, "settings" | "env" | "home"> & { readonly host: string },
  ) => Promise<string | undefined>;
}

/**
 * Everything that one source provides. Only `source` is loaded with the module: a hook answers moments and needs nothing
 * else, so the rest is loaded when a host first needs it.
 */
export interface SourceModule {
  readonly source: Source;
  /** What users and models can do with it. */
  readonly actions?: () => Promise<readonly ActionGroup[]>;
  /** Set if none of its actions is a tool, so that nothing is loaded to list its tools. */
  readonly hasNoActionTools?: true;
  /** Tools that models may call. `finders`: the finders of all sources, for a search across sources. */
  readonly tools?: (finders: readonly Finder[]) => Promise<readonly ToolDefinition[]>;
  /** Requests that users invoke by name. */
  readonly prompts?: () => Promise<readonly PromptDefinition[]>;
  /** What can be read at its addresses. */
  readonly resources?: () => Promise<readonly ResourceDefinition[]>;
  /** What it offers the user at a host's prompt. */
  readonly offer?: () => Promise<Offer>;
  /** What it suggests to the user, and the user's decisions. */
  readonly suggestions?: () => Promise<OpenSuggestions>;
  /** Its part in a search across sources. */
  readonly finder?: () => Promise<Finder>;
}
