import { noteShown, textOf } from "./delivery.ts";
import type { Keeper } from "./keeper.ts";
import { forgetWaiting } from "./state/part-marks.ts";
import type { SessionState } from "./state/session-state.ts";
import type { Moment } from "./types.ts";
import { isTurnOf, type Taken, takeNext } from "./waiting.ts";

/** The first entry has as long as this one: what is left is for taking and printing. */
const PATIENCE = 0.9;
const LOOK_EVERY_MS = 15;

/**
 * What a further hook entry of an event prints: the next part that waits. Hosts run the entries of an event at once and
 * show their outputs in the order in which they end, so each waits for its turn. Should an earlier one not come, the
 * next part is taken nevertheless.
 */
export async function giveFurther(keeper: Keeper, moment: Moment, entry: number): Promise<string> {
  const file = keeper.stateOf(moment);
  const until = Date.now() + keeper.options.config.momentDeadlineMs * PATIENCE;
  for (let isOver = false; !isOver; isOver = Date.now() > until) {
    const state = file.read();
    const outlook = outlookOf(moment, state, entry);
    if (outlook === "turn") break;
    if (outlook === "replay") return state?.snapshot?.more?.[entry - 2] ?? "";
    if (outlook === "nothing") {
      keeper.unlessItFails("part marks", () => forgetWaiting(keeper.options.home, moment.at));
      return "";
    }
    // Not `node:timers/promises`: every hook would load it.
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
  return take(keeper, moment, entry);
}

/** Is there something for this entry, now or once the first one has answered? */
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

async function take(keeper: Keeper, moment: Moment, entry: number): Promise<string> {
  let taken: Taken | undefined;
  await keeper.stateOf(moment).update((before) => {
    if (before === undefined) return before;
    keeper.options.signal?.throwIfAborted();
    const next = takeNext(moment, before, entry, keeper.options.room);
    taken = next && { ...next, state: withMore(moment, next) };
    return taken?.state ?? before;
  });
  if (taken === undefined) return "";
  noteShown(keeper, moment, taken);
  return textOf(taken);
}

/** What the event that begins an epoch shows of its snapshot is what a resume shows again. */
function withMore(moment: Moment, { state, shown }: Taken): SessionState {
  const isBeginning = moment.name !== "prompt" && moment.name !== "tool";
  if (!isBeginning || state.snapshot === null || shown.some((part) => part.what !== "snapshot")) return state;
  const more = [...(state.snapshot.more ?? []), ...shown.map((part) => part.text)];
  return { ...state, snapshot: { ...state.snapshot, more } };
}
