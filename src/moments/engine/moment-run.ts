import { ContinuoError } from "../../base/errors.ts";
import { fingerprint } from "../../base/fingerprint.ts";
import { once } from "../../base/once.ts";
import type { Room } from "../../compose/room.ts";
import type { Config } from "../../store/config.ts";
import type { Home } from "../../store/home.ts";
import { readMutes } from "../../store/mutes.ts";
import { isDropped } from "../delivery/delivered-items.ts";
import type { LoadHistory } from "../ports/history.ts";
import type { Source, Verdict } from "../ports/source.ts";
import type { HostNote } from "../ports/tool.ts";
import { workAfter } from "../state/activity.ts";
import { aboutOf, appendGivenText, type GivenText } from "../state/given-texts.ts";
import { appendLedger, type EntryBody, type LedgerEntry } from "../state/ledger.ts";
import { type Muted, mutedAt } from "../state/muted.ts";
import { forgetLongStart, markLongStart, markWaiting, unmarkWaiting } from "../state/part-marks.ts";
import { type SessionState, type StateFile, stateFile } from "../state/session-state.ts";
import { type Meter, meterFor } from "../state/spent.ts";
import type { ExpectedStart, Moment } from "../types.ts";
import { type FileUse, touchedAt, useFiles } from "../working-set.ts";
import { type GatherContext, type Gathered, gather, prepareAll } from "./gather.ts";
import { missedFiles } from "./missed.ts";

export interface EngineOptions {
  readonly sources: readonly Source[];
  readonly config: Config;
  readonly home: Home;
  readonly env: NodeJS.ProcessEnv;
  /** Past sessions of all hosts, for sources that read them. */
  readonly history: LoadHistory;
  /** How much of one output the host shows the model at this event; everything if absent. */
  readonly room?: Room;
  /** The host runs several of Continuo's hook entries for some events: the further ones print waiting parts. */
  readonly hasFurtherEntries?: boolean;
  /** The process ends after this moment, and nothing else runs in it. */
  readonly isOwnProcess?: boolean;
  /** Its previews only load what a start needs: nobody sees them. */
  readonly isUnseen?: boolean;
  /** The agent itself runs in this process, and ends with it. */
  readonly isAgentsProcess?: boolean;
  /** Nobody waits for this moment: how long a source may take, although it plans with the usual time. */
  readonly sourcesMayTakeMs?: number;
  /** How long the host has waited for this moment so far; undefined if it does not wait. */
  readonly elapsedMs?: () => number;
  /** Once this fires nothing more is written: the host has stopped waiting. */
  readonly signal?: AbortSignal;
  /** One line for the person about failures that no command has shown yet; `markReported` is called once it was shown. */
  readonly health?: { note(): string | undefined; markReported(): void };
  /** Goes to the health log. */
  onFailure(where: string, error: unknown): void;
  /** What the person types in this host to decide on suggestions, if it has a command for it. */
  readonly reviewCommand?: string;
  /** The host shows these lines: failures are then reported there, and not to the model. */
  readonly showsNotices?: boolean;
  /** Takes the lines that the user, never the model, sees at this moment. */
  readonly onNotice?: (lines: readonly string[]) => void;
  /** The host can make the agent go on when it stops. */
  readonly canRefuseStop?: boolean;
  /** Called when it is known whether the stop is refused, and other sources are still at work. */
  readonly onStopDecided?: (refusal: Verdict | undefined) => void;
  /** For hosts that keep notes in the session's own file. */
  readonly onHostNote?: (note: HostNote) => void;
}

/** What handling a moment needs: the session's state, the sources' answers, and the ledger. */
export interface MomentRun {
  readonly options: EngineOptions;
  stateOf(moment: Moment): StateFile;
  /** Asks all sources, unless some are given. */
  ask(
    moment: Moment,
    state: SessionState | undefined,
    readOnly?: boolean,
    sources?: readonly Source[],
  ): Promise<Gathered>;
  /** Has sources prepare the next start of a project, within this time. */
  prepare(start: ExpectedStart, after: "idle" | "end", limitMs: number): Promise<void>;
  recordInLedger(moment: Moment, state: SessionState, entry: EntryBody): void;
  /** Keeps the exact text that is delivered now, for people who look later. */
  keepText(moment: Moment, state: SessionState, what: GivenText["what"], text: string): void;
  /** What the user has muted for this moment's session; undefined if nothing. */
  mutedFor(moment: Moment): Muted | undefined;
  /** What this moment cost so far. */
  meterOf(moment: Moment): Meter;
  /** Marks for the host's further hook entries whether they have something to print, now or when an epoch begins. */
  markParts(moment: Moment, state: SessionState): void;
  /**
   * Reports a failure of `work` instead of throwing it. Once the state says that a text was delivered, nothing may prevent
   * its delivery.
   */
  attempt(where: string, work: () => void): void;
}

export function createMomentRun(options: EngineOptions): MomentRun {
  const { home, config } = options;
  const common: Omit<GatherContext, "memos" | "workingSet" | "delivered" | "readOnly" | "muted"> = {
    config,
    env: options.env,
    home: home.root,
    history: options.history,
    listeners: options.sources,
    late: new Set<string>(),
    ...(options.reviewCommand === undefined ? {} : { reviewCommand: options.reviewCommand }),
    isOwnProcess: options.isOwnProcess === true,
    isUnseen: options.isUnseen === true,
    ...(options.sourcesMayTakeMs === undefined ? {} : { mayTakeMs: options.sourcesMayTakeMs }),
    onFailure: options.onFailure,
  };
  const attempt = (where: string, work: () => void) => {
    try {
      work();
    } catch (error) {
      options.onFailure(where, error);
    }
  };
  let meter: Meter | undefined;
  // Read at every moment, also in a process that lives on: a mute holds for all processes at once.
  const mutes = once(() => readMutes(home));
  const mutedFor = ({ name, session, project }: Moment) => {
    const { mutes: all, damage } = mutes();
    if (damage !== undefined && (name === "start" || name === "compacted"))
      options.onFailure("mutes", new ContinuoError("mutes-damaged", damage.message, { hint: damage.hint }));
    return mutedAt(all, { session, project: project.id });
  };
  return {
    options,
    attempt,
    stateOf: (moment) =>
      stateFile(home, moment.session, {
        lockWaitMs: config.momentDeadlineMs,
        onDamaged: (path, movedTo) =>
          options.onFailure(
            "session state",
            new ContinuoError("state-damaged", `${path} was damaged and is kept as ${movedTo}`, {
              hint: "the session starts from a new snapshot; the damaged file may be deleted",
            }),
          ),
        onUnsaved: (error) => options.onFailure("session state", error),
        acceptsUnsaved: isBeginning(moment),
      }),
    ask: (moment, state, readOnly = false, sources = options.sources) =>
      gather(sources, moment, {
        ...common,
        muted: mutedFor(moment),
        memos: state?.memos ?? {},
        workingSet: workingSetAfter(state, moment),
        delivered: Object.entries(state?.delivered ?? {}).flatMap(([key, hash]) =>
          isDropped(hash) ? [] : [key],
        ),
        readOnly,
      }),
    // A session that begins has no memos, has touched no files and was given nothing.
    prepare: (start, after, limitMs) =>
      prepareAll(
        options.sources,
        start,
        {
          ...common,
          after,
          muted: mutedAt(mutes().mutes, { project: start.project.id }),
          memos: {},
          workingSet: [],
          delivered: [],
          readOnly: false,
        },
        limitMs,
      ),
    markParts: (moment, state) => {
      const { room, hasFurtherEntries } = options;
      if (room === undefined || hasFurtherEntries !== true) return;
      attempt("part marks", () => {
        const waiting = (state.waiting ?? []).length;
        // One more than there are parts, because an event may add a text of its own.
        if (waiting > 0 && moment.name !== "end") markWaiting(home, moment.session, waiting + 1, moment.at);
        else unmarkWaiting(home, moment.session);
        // After a compaction everything of this epoch is delivered at once, with a little more about the session.
        const parts = Math.ceil((state.shown ?? 0) / room.most + 0.5) + waiting;
        if (parts > 1) markLongStart(home, parts, moment.at);
        else if (moment.name === "start") forgetLongStart(home, moment.at);
      });
    },
    mutedFor,
    meterOf: (moment) => {
      meter ??= meterFor(moment.session, options.elapsedMs);
      return meter;
    },
    keepText: (moment, state, what, text) =>
      attempt("given texts", () =>
        appendGivenText(home, moment.session, {
          at: iso(moment.at),
          epoch: state.epoch,
          what,
          moment: moment.name,
          ...aboutOf(moment),
          fingerprint: fingerprint(text),
          text,
        }),
      ),
    recordInLedger: (moment, state, entry) =>
      attempt("ledger", () =>
        appendLedger(home, moment.at, {
          host: moment.session.host,
          session: moment.session.id,
          project: moment.project.id,
          epoch: state.epoch,
          ...entry,
        } as LedgerEntry),
      ),
  };
}

/**
 * If no state can be saved, rules are still delivered when a session begins, is resumed or was compacted. Not at prompts
 * and tool calls: without a state the same text would be repeated at each of them.
 */
function isBeginning(moment: Moment): boolean {
  return (
    ["start", "resume", "compacted"].includes(moment.name) && !("prompt" in moment) && !("tool" in moment)
  );
}

/** The state after this moment: with its time, its project, the files that it touched, and what sources remember. */
export function stateAfter(
  moment: Moment,
  before: SessionState | undefined,
  gathered: Pick<Gathered, "remember" | "complete">,
): SessionState {
  const memos: Record<string, unknown> = { ...before?.memos };
  for (const [source, remember] of gathered.remember) memos[source] = remember(memos[source]);
  const cwd = before === undefined ? moment.cwd : before.cwd;
  return {
    version: 1,
    session: moment.session,
    project: moment.project,
    ...(cwd === undefined ? {} : { cwd }),
    startedAt: before?.startedAt ?? iso(moment.at),
    seenAt: iso(moment.at),
    ...workAfter(moment, before),
    ...(before?.observedAt === undefined ? {} : { observedAt: before.observedAt }),
    epoch: before?.epoch ?? 0,
    snapshot: before?.snapshot ?? null,
    delivered: before?.delivered ?? {},
    ...(before?.shown === undefined ? {} : { shown: before.shown }),
    ...(before?.given === undefined ? {} : { given: before.given }),
    ...(before?.spent === undefined ? {} : { spent: before.spent }),
    ...(before?.waiting === undefined ? {} : { waiting: before.waiting }),
    ...(before?.unseen === undefined ? {} : { unseen: before.unseen }),
    ...(before?.isNeverShown === undefined ? {} : { isNeverShown: before.isNeverShown }),
    ...(before?.turn === undefined ? {} : { turn: before.turn }),
    ...(before?.corrected === undefined ? {} : { corrected: before.corrected }),
    ...refusalAfter(moment, before),
    begunBy: before?.begunBy ?? "start",
    compacting: before?.compacting ?? false,
    owed: before?.owed ?? false,
    // Cleared by the first prompt that every source answered, so that a late source gets a second chance.
    resumed:
      moment.name === "resume" ||
      (before?.resumed === true && !(moment.name === "prompt" && gathered.complete)),
    ...(before?.summary === undefined ? {} : { summary: before.summary }),
    workingSet: workingSetAfter(before, moment),
    memos,
  };
}

/** It counts until the agent stops again, or somebody asks for something else. */
function refusalAfter(
  { name }: Moment,
  before: SessionState | undefined,
): Pick<SessionState, "isStopRefused"> {
  return before?.isStopRefused === true && name !== "idle" && name !== "prompt"
    ? { isStopRefused: true }
    : {};
}

export function iso(at: number): string {
  return new Date(at).toISOString();
}

function workingSetAfter(state: SessionState | undefined, moment: Moment): readonly FileUse[] {
  let set = state?.workingSet ?? [];
  for (const { files, at } of missedFiles(moment)) set = useFiles(set, files, at);
  return useFiles(set, touchedAt(moment), moment.at);
}
