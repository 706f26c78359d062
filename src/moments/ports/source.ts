import type { Schema, Values } from "../../base/settings.ts";
import type { Section } from "../../compose/section.ts";
import type { EntryBody } from "../state/ledger.ts";
import type { MomentName, MomentOf, ToolMoment } from "../types.ts";
import type { FileUse } from "../working-set.ts";
import type { LoadHistory } from "./history.ts";
import type { HostNote } from "./tool.ts";

/** What a source is handed along with the moment. */
export interface SourceContext {
  /** The source's own settings, checked against its schema. */
  readonly settings: Values;
  readonly env: NodeJS.ProcessEnv;
  /** Continuo's own folder. */
  readonly home: string;
  /** Past sessions of all hosts. */
  readonly history: LoadHistory;
  /** What this source remembered about this session, as read from disk: undefined the first time. */
  readonly memo: unknown;
  /** Files that the session's tool calls touched, most recent last, those of this moment included. */
  readonly workingSet: readonly FileUse[];
  /** Somebody only looks: nothing may be written, not even a cache. */
  readonly readOnly: boolean;
  /** Fires when the source's deadline has passed: whatever is returned later is ignored. */
  readonly signal: AbortSignal;
  /** How long that is from now: whoever asks others leaves time to answer with what came. */
  readonly deadlineMs: number;
  /** Something went wrong that leaves the answer usable: it is recorded and shown by `continuo doctor`. */
  report(code: string, message: string, hint?: string): void;
}

export interface Answer {
  readonly sections?: readonly Section[];
  /**
   * What to remember about this session, as JSON. It is applied to the newest memo under the session's lock,
   * possibly after another process changed it, so it must not rely on the memo that the source was handed.
   */
  readonly remember?: (memo: unknown) => unknown;
  /** What the ledger should keep of this besides the delivery, given the keys of the items that had room. */
  readonly noted?: (delivered: ReadonlySet<string>) => readonly EntryBody[];
  /** The same for the host's own file, where it has one for that. */
  readonly hostNotes?: (delivered: ReadonlySet<string>) => readonly HostNote[];
}

export type Answerer<N extends MomentName> = (
  moment: MomentOf<N>,
  context: SourceContext,
) => Answer | Promise<Answer>;

/** What a guard says about a tool call. */
export interface Verdict {
  readonly action: "deny" | "ask" | "warn";
  /** What the model and the user are told. */
  readonly message: string;
}

/** The port of a source: it knows its files and nothing about hosts. */
export interface Source {
  readonly name: string;
  /** Child sessions get rules, not memory: only sources that say so answer for them. */
  readonly answersChildren: boolean;
  readonly settings: Schema;
  readonly answers: { readonly [N in MomentName]?: Answerer<N> };
  /** How long it needs with these settings, where the user chose something that is slow; the deadlines then follow. */
  readonly patienceMs?: (settings: Values) => number;
  /** Asked before a tool call, where the host allows it. It must be quick: the tool waits. */
  readonly guard?: (
    moment: ToolMoment,
    context: Pick<SourceContext, "settings" | "env" | "home" | "report">,
  ) => Verdict | undefined | Promise<Verdict | undefined>;
}
