import { fingerprint } from "../base/fingerprint.ts";
import type { Budget } from "../compose/budget.ts";
import { type Composition, compose } from "../compose/compose.ts";
import type { Item, Section } from "../compose/section.ts";
import type { Gathered } from "./gather.ts";
import { iso, type Keeper, seen } from "./keeper.ts";
import { budgetFor } from "./limits.ts";
import type { SessionState } from "./state/session-state.ts";
import type {
  CompactedMoment,
  Moment,
  PromptMoment,
  ResumeMoment,
  StartMoment,
  ToolMoment,
} from "./types.ts";
import { type Taken, takeFirst, waitingKeys, waitingParts } from "./waiting.ts";
import { rankFiles } from "./working-set.ts";

/** A start, a resume into nothing, or a compaction: compose, freeze, deliver. */
export async function beginEpoch(
  keeper: Keeper,
  moment: StartMoment | ResumeMoment | CompactedMoment,
): Promise<string> {
  const { options } = keeper;
  const file = keeper.stateOf(moment);
  const gathered = await keeper.ask(moment, file.read());
  const health = moment.session.parent === undefined ? healthNote(keeper) : undefined;
  let begun: { before: SessionState | undefined; made: Composition; taken: Taken } | undefined;
  await file.update((before) => {
    if (isBegun(moment, before)) return before;
    options.signal?.throwIfAborted();
    const made = composeSnapshot(keeper, gathered.sections, health);
    // Nothing of the epoch before waits any more.
    const { waiting: _, turn: __, ...seenNow } = seen(moment, before, gathered);
    const fresh: SessionState = {
      ...seenNow,
      epoch: (before?.epoch ?? 0) + 1,
      begunBy: moment.name,
      compacting: false,
      owed: false,
      shown: 0,
      delivered: hashesOf(made),
    };
    const taken = takeFirst(moment, fresh, waitingParts(made, "snapshot"), options.room);
    const snapshot = { text: textOf(taken), fingerprint: made.fingerprint, at: iso(moment.at) };
    begun = { before, made, taken: { ...taken, state: { ...taken.state, snapshot } } };
    return begun.taken.state;
  });
  if (begun === undefined) return giveWaiting(keeper, moment);
  const { before, made, taken } = begun;
  if (moment.name === "compacted") noteLoss(keeper, moment, before, taken.state, made);
  noteSources(keeper, moment, gathered, taken.state, made);
  noteShown(keeper, moment, taken);
  if (health !== undefined) keeper.unlessItFails("health", () => options.health?.told());
  return textOf(taken);
}

/** For an event that has nothing to say of its own: what waits, as far as there is room. */
export async function giveWaiting(keeper: Keeper, moment: Moment): Promise<string> {
  const file = keeper.stateOf(moment);
  const isWanted = (state: SessionState | undefined) =>
    state !== undefined && (moment.occurrence !== undefined || (state.waiting ?? []).length > 0);
  if (!isWanted(file.read())) return "";
  let taken: Taken | undefined;
  await file.update((before) => {
    if (before === undefined || !isWanted(before)) return before;
    taken = takeFirst(moment, before, [], keeper.options.room);
    return taken.state;
  });
  if (taken === undefined) return "";
  noteShown(keeper, moment, taken);
  return textOf(taken);
}

/**
 * Delivers what became relevant inside an epoch and was not delivered in it before. After a snapshot in the same answer,
 * sources were asked already, and `used` of what the host takes at once is spent.
 */
export async function add(
  keeper: Keeper,
  moment: PromptMoment | ToolMoment,
  after?: { readonly gathered: Gathered; readonly used: number },
): Promise<string> {
  const { config, signal, room } = keeper.options;
  const file = keeper.stateOf(moment);
  const now = file.read();
  const gathered = after?.gathered ?? (await keeper.ask(moment, now));
  const touched = moment.name === "tool" ? moment.tool.files.length > 0 : moment.afterResume === true;
  const isNews = (state: SessionState | undefined) =>
    touched ||
    gathered.remember.size > 0 ||
    (state?.waiting ?? []).length > 0 ||
    undelivered(gathered.sections, state).length > 0;
  if (!isNews(now)) return ""; // the usual case: no lock, nothing written
  let added: { made: Composition; taken: Taken } | undefined;
  await file.update((before) => {
    if (!isNews(before)) return before;
    signal?.throwIfAborted();
    const state = seen(moment, before, gathered);
    // Before the snapshot there is only something to remember: what holds now will be part of the snapshot.
    if (state.snapshot === null) return state;
    const limits = limitsOf(keeper, Math.min(config.additionLimit, config.tokenLimit));
    const made = compose("addition", undelivered(gathered.sections, before), limits);
    const known = { ...state, delivered: { ...state.delivered, ...hashesOf(made) } };
    added = { made, taken: takeFirst(moment, known, waitingParts(made, "addition"), room, after?.used) };
    return added.taken.state;
  });
  if (added === undefined) return "";
  noteSources(keeper, moment, gathered, added.taken.state, added.made);
  noteShown(keeper, moment, added.taken);
  return textOf(added.taken);
}

export function composeSnapshot(
  keeper: Keeper,
  sections: readonly Section[],
  health: string | undefined,
): Composition {
  const limits = limitsOf(keeper, keeper.options.config.snapshotAim);
  return compose("snapshot", sections, limits, health === undefined ? [] : [health]);
}

/** What the host's summariser is told counts too. */
export function handoverLimits(keeper: Keeper): Budget {
  return limitsOf(keeper, keeper.options.config.tokenLimit);
}

function limitsOf(keeper: Keeper, aim: number): Budget {
  return budgetFor(keeper.options.config, aim, keeper.options.room);
}

/** What sources want to be kept about their items, in the ledger and by the host. */
function noteSources(
  keeper: Keeper,
  moment: Moment,
  gathered: Gathered,
  state: SessionState,
  made: Composition,
): void {
  const { onHostNote } = keeper.options;
  const delivered = keysOf(made);
  for (const entry of gathered.noted(delivered)) keeper.note(moment, state, entry);
  if (onHostNote !== undefined)
    keeper.unlessItFails("host notes", () => gathered.hostNotes(delivered).forEach(onHostNote));
}

/** The ledger is told of a part when an output shows it, and further hook entries of whether one waits. */
export function noteShown(keeper: Keeper, moment: Moment, { state, shown }: Taken): void {
  for (const { what, text, tokens, items, dropped = [] } of shown)
    keeper.note(moment, state, {
      kind: "delivered",
      what,
      tokens,
      fingerprint: fingerprint(text),
      items,
      dropped,
    });
  keeper.markParts(moment, state);
}

export function textOf({ shown }: Taken): string {
  return shown.map((part) => part.text).join("\n");
}

/** How many files of the working set the loss report names. */
const REPORTED_FILES = 20;

/** What was active before a compaction, and what of it the new snapshot asserts again. */
function noteLoss(
  keeper: Keeper,
  moment: CompactedMoment,
  before: SessionState | undefined,
  state: SessionState,
  made: Composition,
): void {
  const neverShown = waitingKeys(before);
  const active = Object.entries(before?.delivered ?? {}).flatMap(([key, hash]) =>
    hash.startsWith(NO_ROOM) || neverShown.has(key) ? [] : [key],
  );
  const kept = keysOf(made);
  const waits = waitingKeys(state);
  const dropped = new Set(made.dropped.map((item) => `${item.source}/${item.key}`));
  keeper.note(moment, state, {
    kind: "compacted",
    active,
    reasserted: active.filter((key) => kept.has(key) && !waits.has(key)),
    waiting: active.filter((key) => waits.has(key)),
    noRoom: active.filter((key) => dropped.has(key)),
    lost: active.filter((key) => !kept.has(key) && !dropped.has(key)),
    workingSet: rankFiles(before?.workingSet ?? [])
      .slice(0, REPORTED_FILES)
      .map((use) => use.path),
  });
}

/** Two hooks for one event, or two processes at once, are one start and one compaction. */
const TWICE_WITHIN_MS = 10_000;

function isBegun(
  moment: StartMoment | ResumeMoment | CompactedMoment,
  before: SessionState | undefined,
): boolean {
  if (!before?.snapshot) return false;
  if (moment.name !== "compacted") return true;
  // Of several processes that saw the same one, the first begins the epoch.
  if (moment.goneEpoch !== undefined) return before.epoch !== moment.goneEpoch;
  if (before.compacting === true || before.owed === true || before.begunBy !== "compacted") return false;
  // No compaction was announced since the last one began: real ones are announced, and seldom follow that closely.
  return Math.abs(moment.at - Date.parse(before.snapshot.at)) < TWICE_WITHIN_MS;
}

/** A line for the curious must not cost the snapshot. */
export function healthNote(keeper: Keeper): string | undefined {
  try {
    return keeper.options.health?.note();
  } catch (error) {
    keeper.options.onTrouble("health", error);
    return undefined;
  }
}

/**
 * Dropped items count as dealt with: what had no room in the snapshot must not come back at every prompt. But they are
 * marked, since they are not in front of the model either.
 */
const NO_ROOM = "-";

function hashesOf(made: Composition): Record<string, string> {
  const entries = [
    ...made.items.map((item) => [`${item.source}/${item.key}`, item.hash]),
    ...made.dropped.map((item) => [`${item.source}/${item.key}`, NO_ROOM + item.hash]),
  ];
  return Object.fromEntries(entries);
}

function keysOf(made: Composition): ReadonlySet<string> {
  return new Set(made.items.map((item) => `${item.source}/${item.key}`));
}

function undelivered(sections: readonly Section[], state: SessionState | undefined): Section[] {
  const isDealtWith = (key: string, item: Item) => {
    const known = state?.delivered[key];
    return known !== undefined && known.replace(NO_ROOM, "") === (item.hash ?? fingerprint(item.text));
  };
  return sections
    .map((section) => ({
      ...section,
      items: section.items.filter((item) => !isDealtWith(`${section.source}/${item.key}`, item)),
    }))
    .filter((section) => section.items.length > 0);
}
