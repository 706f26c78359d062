import { ContinuoError } from "../../base/errors.ts";
import { fingerprint } from "../../base/fingerprint.ts";
import { once } from "../../base/once.ts";
import { readMutes } from "../../store/mutes.ts";
import { workAfter } from "../state/activity.ts";
import { aboutOf, appendGivenText, type GivenText } from "../state/given-texts.ts";
import { appendLedger, type EntryBody, type LedgerEntry } from "../state/ledger.ts";
import { type Muted, mutedAt } from "../state/muted.ts";
import { forgetLongStart, markLongStart, markWaiting, unmarkWaiting } from "../state/part-marks.ts";
import { type SessionState, type StateFile, stateFile } from "../state/session-state.ts";
import { type Meter, meterFor } from "../state/spent.ts";
import type { Moment } from "../types.ts";
import { type FileUse, missedFiles, touchedAt, useFiles } from "../working-set.ts";
import type { Gathered } from "./gather.ts";
import type { Run } from "./run.ts";

/** The context with what handling a moment needs: the session's state, the sources' answers, and the ledger. */
export interface MomentRun extends Run {
  /** Lines for the user, never for a model, about what was handled so far. */
  readonly notices: string[];
  /** Sources that were reported as late. */
  readonly late: Set<string>;
  stateOf(moment: Moment): StateFile;
  recordInLedger(moment: Moment, state: SessionState, entry: EntryBody): void;
  /** Stores the exact text that is delivered, so that it can be shown later. */
  keepText(moment: Moment, state: SessionState, what: GivenText["what"], text: string): void;
  /** What the user has muted for a moment's session, or for the expected one; undefined if nothing. */
  mutedFor(place: MutedPlace): Muted | undefined;
  /** Measures this moment's cost. */
  meterOf(moment: Moment): Meter;
  /** Marks for the host's further hook entries whether they have something to print, now or when an epoch begins. */
  markParts(moment: Moment, state: SessionState): void;
  /** Reports a failure of `work` instead of throwing it: once the state records a delivery, nothing may prevent it. */
  attempt(where: string, work: () => void): void;
}

type MutedPlace = Pick<Moment, "project"> & Partial<Pick<Moment, "name" | "session">>;

export function createMomentRun(given: Run): MomentRun {
  const { home, config, onFailure } = given;
  const attempt = (where: string, work: () => void) => {
    try {
      work();
    } catch (error) {
      onFailure(where, error);
    }
  };
  let meter: Meter | undefined;
  // Read at every moment, even in a long-running process: a mute applies to all processes at once.
  const mutes = once(() => readMutes(home));
  const mutedFor = ({ name, session, project }: MutedPlace) => {
    const { mutes: all, damage } = mutes();
    if (damage !== undefined && (name === "start" || name === "compacted"))
      onFailure("mutes", new ContinuoError("mutes-damaged", damage.message, { hint: damage.hint }));
    return mutedAt(all, { session, project: project.id });
  };
  return {
    ...given,
    notices: [],
    late: new Set(),
    attempt,
    stateOf: (moment) =>
      stateFile(home, moment.session, {
        lockWaitMs: config.momentDeadlineMs,
        onDamaged: (path, movedTo) =>
          onFailure(
            "session state",
            new ContinuoError("state-damaged", `${path} was damaged and is kept as ${movedTo}`, {
              hint: "the session starts from a new snapshot; the damaged file may be deleted",
            }),
          ),
        onUnsaved: (error) => onFailure("session state", error),
        acceptsUnsaved: isBeginning(moment),
      }),
    markParts: (moment, state) => {
      const { room, hasFurtherEntries } = given;
      if (room === undefined || hasFurtherEntries !== true) return;
      attempt("part marks", () => {
        const waiting = (state.waiting ?? []).length;
        // One more than there are parts, because an event may add its own text.
        if (waiting > 0 && moment.name !== "end") markWaiting(home, moment.session, waiting + 1, moment.at);
        else unmarkWaiting(home, moment.session);
        // After a compaction everything from this epoch is delivered at once, plus a little more about the session.
        const parts = Math.ceil((state.shown ?? 0) / room.most + 0.5) + waiting;
        if (parts > 1) markLongStart(home, parts, moment.at);
        else if (moment.name === "start") forgetLongStart(home, moment.at);
      });
    },
    mutedFor,
    meterOf: (moment) => {
      meter ??= meterFor(moment.session, given.elapsedMs);
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
 * If no state can be saved, rules are still delivered when a session begins, is resumed or was compacted. Not at
 * prompts and tool calls, where the same text would be repeated every time without a state.
 */
function isBeginning(moment: Moment): boolean {
  return (
    ["start", "resume", "compacted"].includes(moment.name) && !("prompt" in moment) && !("tool" in moment)
  );
}

/** The state after this moment, with its time, its project, its files and the sources' memos. */
export function stateAfter(
  moment: Moment,
  before: SessionState | undefined,
  gathered: Pick<Gathered, "remember" | "complete">,
): SessionState {
  const memos: Record<string, unknown> = { ...before?.memos };
  for (const [source, remember] of gathered.remember) memos[source] = remember(memos[source]);
  const { name } = moment;
  return {
    epoch: 0,
    snapshot: null,
    delivered: {},
    begunBy: "start",
    compacting: false,
    owed: false,
    startedAt: iso(moment.at),
    ...before,
    version: 1,
    session: moment.session,
    project: moment.project,
    cwd: before === undefined ? moment.cwd : before.cwd,
    seenAt: iso(moment.at),
    ...workAfter(moment, before),
    // Kept until the agent stops again, or the user sends a prompt.
    isStopRefused: (name !== "idle" && name !== "prompt" && before?.isStopRefused) || undefined,
    // Cleared by the first prompt that every source answered, so that a late source gets a second chance.
    resumed: name === "resume" || (before?.resumed === true && !(name === "prompt" && gathered.complete)),
    workingSet: workingSetAfter(before, moment),
    memos,
  };
}

export function iso(at: number): string {
  return new Date(at).toISOString();
}

export function workingSetAfter(state: SessionState | undefined, moment: Moment): readonly FileUse[] {
  let set = state?.workingSet ?? [];
  for (const { files, at } of missedFiles(moment)) set = useFiles(set, files, at);
  return useFiles(set, touchedAt(moment), moment.at);
}
