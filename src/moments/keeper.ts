import { ContinuoError } from "../base/errors.ts";
import type { Room } from "../compose/room.ts";
import type { Config } from "../store/config.ts";
import type { Home } from "../store/home.ts";
import { type Gathered, gather } from "./gather.ts";
import type { LoadHistory } from "./ports/history.ts";
import type { Source } from "./ports/source.ts";
import type { HostNote } from "./ports/tool.ts";
import { appendLedger, type EntryBody, type LedgerEntry } from "./state/ledger.ts";
import { forgetLongStart, markLongStart, markWaiting, unmarkWaiting } from "./state/part-marks.ts";
import { type SessionState, type StateFile, stateFile } from "./state/session-state.ts";
import type { Moment } from "./types.ts";
import { type FileUse, useFiles } from "./working-set.ts";

export interface EngineOptions {
  readonly sources: readonly Source[];
  readonly config: Config;
  readonly home: Home;
  readonly env: NodeJS.ProcessEnv;
  /** Past sessions of all hosts, for sources that read them. */
  readonly history: LoadHistory;
  /** What the host shows of one delivery at this event; everything unless it is given. */
  readonly room?: Room;
  /** The host runs several hook entries of ours for some events: the further ones print parts that wait. */
  readonly hasFurtherEntries?: boolean;
  /** Once this fires nothing is written any more: the host has gone on without us. */
  readonly signal?: AbortSignal;
  /** One line for the next snapshot when something failed unseen. */
  readonly health?: { note(): string | undefined; told(): void };
  onTrouble(where: string, error: unknown): void;
  /** Where the host keeps notes of its own. */
  readonly onHostNote?: (note: HostNote) => void;
}

/** What every moment needs: the session's state, the sources' answers, and the ledger. */
export interface Keeper {
  readonly options: EngineOptions;
  stateOf(moment: Moment): StateFile;
  /** All sources, unless some are named. */
  ask(
    moment: Moment,
    state: SessionState | undefined,
    readOnly?: boolean,
    sources?: readonly Source[],
  ): Promise<Gathered>;
  note(moment: Moment, state: SessionState, entry: EntryBody): void;
  /** Tells further hook entries of this host whether they have something to print, now or when an epoch begins. */
  markParts(moment: Moment, state: SessionState): void;
  /** Once the state says that a text was delivered, nothing may keep it from being delivered. */
  unlessItFails(where: string, work: () => void): void;
}

export function createKeeper(options: EngineOptions): Keeper {
  const { home, config } = options;
  const unlessItFails = (where: string, work: () => void) => {
    try {
      work();
    } catch (error) {
      options.onTrouble(where, error);
    }
  };
  return {
    options,
    unlessItFails,
    stateOf: (moment) =>
      stateFile(home, moment.session, {
        lockWaitMs: config.momentDeadlineMs,
        onDamaged: (path, movedTo) =>
          options.onTrouble(
            "session state",
            new ContinuoError("state-damaged", `${path} was damaged and is kept as ${movedTo}`, {
              hint: "the session starts from a new snapshot; the damaged file may be deleted",
            }),
          ),
        onUnkept: (error) => options.onTrouble("session state", error),
        evenUnkept: isBeginning(moment),
      }),
    ask: (moment, state, readOnly = false, sources = options.sources) =>
      gather(sources, moment, {
        config,
        env: options.env,
        home: home.root,
        history: options.history,
        memos: state?.memos ?? {},
        workingSet: workingSetAfter(state, moment),
        readOnly,
        onTrouble: options.onTrouble,
      }),
    markParts: (moment, state) => {
      const { room, hasFurtherEntries } = options;
      if (room === undefined || hasFurtherEntries !== true) return;
      unlessItFails("part marks", () => {
        const waiting = (state.waiting ?? []).length;
        // One more than there are parts, since an event may add something of its own.
        if (waiting > 0 && moment.name !== "end") markWaiting(home, moment.session, waiting + 1, moment.at);
        else unmarkWaiting(home, moment.session);
        // After a compaction everything of this epoch is said at once, and a little more about the session itself.
        const parts = Math.ceil((state.shown ?? 0) / room.most + 0.5) + waiting;
        if (parts > 1) markLongStart(home, parts, moment.at);
        else if (moment.name === "start") forgetLongStart(home, moment.at);
      });
    },
    note: (moment, state, entry) =>
      unlessItFails("ledger", () =>
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
 * Where no state can be kept, rules are delivered when a session begins, is resumed or was compacted. Not at prompts and
 * tool calls: nobody would know that the same was said at the one before.
 */
function isBeginning(moment: Moment): boolean {
  return (
    ["start", "resume", "compacted"].includes(moment.name) && !("prompt" in moment) && !("tool" in moment)
  );
}

/** A state that has seen this moment: its time, its project, the files that it touched, and what sources remember. */
export function seen(moment: Moment, before: SessionState | undefined, gathered: Gathered): SessionState {
  const memos: Record<string, unknown> = { ...before?.memos };
  for (const [source, remember] of gathered.remember) memos[source] = remember(memos[source]);
  return {
    version: 1,
    session: moment.session,
    project: moment.project,
    startedAt: before?.startedAt ?? iso(moment.at),
    seenAt: iso(moment.at),
    epoch: before?.epoch ?? 0,
    snapshot: before?.snapshot ?? null,
    delivered: before?.delivered ?? {},
    ...(before?.shown === undefined ? {} : { shown: before.shown }),
    ...(before?.waiting === undefined ? {} : { waiting: before.waiting }),
    ...(before?.turn === undefined ? {} : { turn: before.turn }),
    begunBy: before?.begunBy ?? "start",
    compacting: before?.compacting ?? false,
    owed: before?.owed ?? false,
    // Cleared by the first prompt that every source could answer: a late one gets a second chance.
    resumed:
      moment.name === "resume" ||
      (before?.resumed === true && !(moment.name === "prompt" && gathered.complete)),
    ...(before?.summary === undefined ? {} : { summary: before.summary }),
    workingSet: workingSetAfter(before, moment),
    memos,
  };
}

export function iso(at: number): string {
  return new Date(at).toISOString();
}

function workingSetAfter(state: SessionState | undefined, moment: Moment): readonly FileUse[] {
  const files = moment.name === "tool" ? moment.tool.files : [];
  return useFiles(state?.workingSet ?? [], files, moment.at);
}
