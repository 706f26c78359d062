import type { Composition } from "../../compose/compose.ts";
import type { BlockKind } from "../../compose/render.ts";
import { type Room, sizeOf } from "../../compose/room.ts";
import { iso } from "../run/moment-run.ts";
import { listOrNone } from "../state/delivered-items.ts";
import { ledgerItem } from "../state/ledger.ts";
import type { SessionState, WaitingPart } from "../state/session-state.ts";
import { plus, type Spent } from "../state/spent.ts";
import type { Moment } from "../types.ts";
import { unseenAfter } from "./unseen.ts";

/** Parts that were composed and are waiting for an output with room. Pure functions: the engine stores the state. */

export interface Taken {
  readonly state: SessionState;
  /** The parts that this output shows, in order. */
  readonly shown: readonly WaitingPart[];
  /** What moments cost, for the first of the ledger's lines. */
  readonly spent?: Spent | undefined;
}

/** Adds this moment's cost to the ledger if it gets a line there, otherwise to the state. */
export function withCost({ state, shown }: Taken, own: Spent | undefined): Taken {
  const spent = plus(state.spent, own);
  return shown.length > 0
    ? { state: { ...state, spent: undefined }, shown, spent }
    : { state: { ...state, spent }, shown };
}

/** A composition's parts; the first one also lists the items that were dropped. */
export function waitingParts({ parts, dropped }: Composition, what: BlockKind): WaitingPart[] {
  return parts.map(({ text, tokens, items }, i) => ({
    what,
    text,
    tokens,
    items: items.map(ledgerItem),
    dropped: i > 0 ? undefined : listOrNone(dropped.map(ledgerItem)),
  }));
}

/**
 * What the first hook entry of an event shows: as many waiting and new parts as fit, in order. New parts belong to this
 * event, so they come before waiting parts that do not fit. The rest is left to the further entries of this event.
 */
export function takeFirst(
  moment: Moment,
  state: SessionState,
  made: readonly WaitingPart[],
  room: Room | undefined,
  used = 0,
): Taken {
  const before = state.waiting ?? [];
  const isAgain = isTurnOf(state, moment);
  const shown: WaitingPart[] = [];
  let size = used;
  const fits = (part: WaitingPart) => room === undefined || size + sizeOf(part.text, room) <= room.most;
  const takeFrom = (parts: readonly WaitingPart[]) => {
    for (const part of parts) {
      if (!fits(part)) return;
      shown.push(part);
      size += sizeOf(part.text, room ?? ENDLESS) + 1;
    }
  };
  // If an event calls twice, its first entry has had its share: waiting parts are left to the other entries.
  if (!isAgain) takeFrom(before);
  takeFrom(made);
  const left = [...before, ...made].filter((part) => !shown.includes(part));
  const turn = isAgain || moment.occurrence === undefined ? state.turn : { ...turnAt(moment), entry: 2 };
  return { state: { ...stateWith(state, moment, shown, left), turn }, shown };
}

/** What a further hook entry of the event shows: the next part. undefined if it is not this entry's turn. */
export function takeNext(
  moment: Moment,
  state: SessionState,
  entry: number,
  room: Room | undefined,
): Taken | undefined {
  const [next, ...left] = state.waiting ?? [];
  if (next === undefined || !isTurnOf(state, moment) || (state.turn?.entry ?? 0) > entry) return undefined;
  if (room !== undefined && sizeOf(next.text, room) > room.most) return undefined;
  const turn = { ...turnAt(moment), entry: entry + 1 };
  return { state: { ...stateWith(state, moment, [next], left), turn }, shown: [next] };
}

/** The state after these parts were shown, with the others still waiting. */
function stateWith(
  state: SessionState,
  moment: Moment,
  shown: readonly WaitingPart[],
  left: readonly WaitingPart[],
): SessionState {
  return {
    ...state,
    shown: (state.shown ?? 0) + shown.reduce((sum, part) => sum + part.text.length, 0),
    waiting: listOrNone(left),
    unseen: unseenAfter(state, moment, shown),
  };
}

/** All entries of one event are called within this time. The same prompt typed later is another event. */
const ONE_EVENT_MS = 10_000;

/** Whether the first entry of this event has already taken its parts. */
export function isTurnOf({ turn }: SessionState, { occurrence, at }: Moment): boolean {
  if (turn === undefined || occurrence === undefined || turn.occurrence !== occurrence) return false;
  return Math.abs(at - Date.parse(turn.at)) < ONE_EVENT_MS;
}

/** Keys of items that were not shown to the model completely. */
export function waitingKeys(state: SessionState | undefined): ReadonlySet<string> {
  const items = (state?.waiting ?? []).flatMap((part) => part.items);
  return new Set(items.map((item) => `${item.source}/${item.key}`));
}

function turnAt(moment: Moment): { occurrence: string; at: string } {
  return { occurrence: moment.occurrence ?? "", at: iso(moment.at) };
}

const ENDLESS: Room = { most: Number.POSITIVE_INFINITY, unit: "characters" };
