import type { MomentRun } from "../run/moment-run.ts";
import { forgetWaiting } from "../state/part-marks.ts";
import type { SessionState } from "../state/session-state.ts";
import type { Moment } from "../types.ts";
import { recordShown, textOf } from "./deliver.ts";
import { isTurnOf, type Taken, takeNext } from "./waiting-parts.ts";

/**
 * The share of the deadline spent waiting for the first entry, which has the same deadline; the rest is for printing.
 */
const WAIT_SHARE = 0.9;
const POLL_MS = 15;

/**
 * Prints the next waiting part, in a further hook entry of an event. Hosts run the entries of an event at once and show
 * their outputs in the order in which they end, so each entry waits for its turn. If an earlier one does not come, the
 * next part is taken anyway.
 */
export async function deliverFurther(run: MomentRun, moment: Moment, entry: number): Promise<string> {
  const file = run.stateOf(moment);
  const until = Date.now() + run.config.momentDeadlineMs * WAIT_SHARE;
  for (let isOver = false; !isOver; isOver = Date.now() > until) {
    const state = file.read();
    const outlook = outlookOf(moment, state, entry);
    if (outlook === "turn") break;
    if (outlook === "replay") return state?.snapshot?.more?.[entry - 2] ?? "";
    if (outlook === "nothing") {
      run.attempt("part marks", () => forgetWaiting(run.home, moment.at));
      return "";
    }
    // Not `node:timers/promises`, which every hook would then load.
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  return take(run, moment, entry);
}

/** Whether this entry has something to print, now or once the first entry has answered. */
function outlookOf(
  moment: Moment,
  state: SessionState | undefined,
  entry: number,
): "turn" | "wait" | "replay" | "nothing" {
  const isWaiting = (state?.waiting ?? []).length > 0;
  if (state !== undefined && isTurnOf(state, moment)) {
    const turn = state.turn?.entry ?? 0;
    if (turn > entry || !isWaiting) return "nothing";
    return turn === entry ? "turn" : "wait";
  }
  if (moment.name === "resume" && state?.snapshot && state.owed !== true) return "replay";
  const isBeginning = moment.name === "start" || moment.name === "resume" || moment.name === "compacted";
  return isBeginning || isWaiting ? "wait" : "nothing";
}

async function take(run: MomentRun, moment: Moment, entry: number): Promise<string> {
  let taken: Taken | undefined;
  await run.stateOf(moment).update((before) => {
    if (before === undefined) return before;
    run.signal?.throwIfAborted();
    const next = takeNext(moment, before, entry, run.room);
    // Its process ran in parallel with the first entry's, which is counted for the whole event.
    taken = next && { ...next, state: withMore(moment, next) };
    return taken?.state ?? before;
  });
  if (taken === undefined) return "";
  recordShown(run, moment, taken);
  return textOf(taken);
}

/** Stores the parts of the snapshot that the epoch's first event showed, because a resume replays exactly those. */
function withMore(moment: Moment, { state, shown }: Taken): SessionState {
  const isBeginning = moment.name !== "prompt" && moment.name !== "tool";
  if (!isBeginning || state.snapshot === null || shown.some((part) => part.what !== "snapshot")) return state;
  const more = [...(state.snapshot.more ?? []), ...shown.map((part) => part.text)];
  return { ...state, snapshot: { ...state.snapshot, more } };
}
