import type { Budget } from "../compose/budget.ts";
import { type Composition, compose } from "../compose/compose.ts";
import { fingerprint } from "../compose/fingerprint.ts";
import type { Room } from "../compose/room.ts";
import { ledgerItem } from "../store/ledger.ts";
import type { SessionState } from "../store/session-state.ts";
import type { Gathered } from "./gather.ts";
import { iso, type Keeper, seen } from "./keeper.ts";
import type {
  CompactedMoment,
  Moment,
  PromptMoment,
  ResumeMoment,
  Section,
  StartMoment,
  ToolMoment,
} from "./types.ts";
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
  let begun: { before: SessionState | undefined; state: SessionState; made: Composition } | undefined;
  await file.update((before) => {
    if (isBegun(moment, before)) return before;
    options.signal?.throwIfAborted();
    const made = composeSnapshot(keeper, gathered.sections, health);
    const state: SessionState = {
      ...seen(moment, before, gathered),
      epoch: (before?.epoch ?? 0) + 1,
      begunBy: moment.name,
      compacting: false,
      owed: false,
      snapshot: { text: made.text, fingerprint: made.fingerprint, at: iso(moment.at) },
      delivered: hashesOf(made),
    };
    begun = { before, state, made };
    return state;
  });
  if (begun === undefined) return "";
  if (moment.name === "compacted") noteLoss(keeper, moment, begun.before, begun.state, begun.made);
  noteDelivery(keeper, moment, gathered, begun.state, "snapshot", begun.made);
  if (health !== undefined) keeper.unlessItFails("health", () => options.health?.told());
  return begun.made.text;
}

/**
 * Delivers what became relevant inside an epoch and was not delivered in it before. After a snapshot in the same answer,
 * sources were asked already, and `used` characters of what the host takes at once are spent.
 */
export async function add(
  keeper: Keeper,
  moment: PromptMoment | ToolMoment,
  after?: { readonly gathered: Gathered; readonly used: number },
): Promise<string> {
  const { config, signal } = keeper.options;
  const file = keeper.stateOf(moment);
  const now = file.read();
  const gathered = after?.gathered ?? (await keeper.ask(moment, now));
  const touched = moment.name === "tool" ? moment.tool.files.length > 0 : moment.afterResume === true;
  const isNews = (state: SessionState | undefined) =>
    touched || gathered.remember.size > 0 || undelivered(gathered.sections, state).length > 0;
  if (!isNews(now)) return ""; // the usual case: no lock, nothing written
  let added: { state: SessionState; made: Composition } | undefined;
  await file.update((before) => {
    if (!isNews(before)) return before;
    signal?.throwIfAborted();
    const state = seen(moment, before, gathered);
    // Before the snapshot there is only something to remember: what holds now will be part of the snapshot.
    if (state.snapshot === null) return state;
    const limits = {
      limit: config.tokenLimit,
      aim: Math.min(config.additionLimit, config.tokenLimit),
      ...maxChars(keeper, after?.used),
    };
    const made = compose("addition", undelivered(gathered.sections, before), limits);
    added = { state: { ...state, delivered: { ...state.delivered, ...hashesOf(made) } }, made };
    return added.state;
  });
  if (added === undefined) return "";
  noteDelivery(keeper, moment, gathered, added.state, "addition", added.made);
  return added.made.text;
}

export function composeSnapshot(
  keeper: Keeper,
  sections: readonly Section[],
  health: string | undefined,
): Composition {
  const { config } = keeper.options;
  const limits = { limit: config.tokenLimit, aim: config.snapshotAim, ...maxChars(keeper) };
  return compose("snapshot", sections, limits, health === undefined ? [] : [health]);
}

/** What the host's summariser is told counts too. */
export function handoverLimits(keeper: Keeper): Budget {
  const { tokenLimit } = keeper.options.config;
  return { limit: tokenLimit, aim: tokenLimit, ...maxChars(keeper) };
}

function noteDelivery(
  keeper: Keeper,
  moment: Moment,
  gathered: Gathered,
  state: SessionState,
  what: "snapshot" | "addition",
  made: Composition,
): void {
  const { onHostNote } = keeper.options;
  const delivered = keysOf(made);
  for (const entry of gathered.noted(delivered)) keeper.note(moment, state, entry);
  if (onHostNote !== undefined)
    keeper.unlessItFails("host notes", () => gathered.hostNotes(delivered).forEach(onHostNote));
  if (made.text === "") return;
  keeper.note(moment, state, {
    kind: "delivered",
    what,
    tokens: made.tokens,
    fingerprint: made.fingerprint,
    items: made.items.map(ledgerItem),
    dropped: made.dropped.map(ledgerItem),
  });
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
  const active = Object.entries(before?.delivered ?? {}).flatMap(([key, hash]) =>
    hash.startsWith(NO_ROOM) ? [] : [key],
  );
  const kept = keysOf(made);
  const dropped = new Set(made.dropped.map((item) => `${item.source}/${item.key}`));
  keeper.note(moment, state, {
    kind: "compacted",
    active,
    reasserted: active.filter((key) => kept.has(key)),
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
  const isDealtWith = (key: string, text: string) => {
    const known = state?.delivered[key];
    return known !== undefined && known.replace(NO_ROOM, "") === fingerprint(text);
  };
  return sections
    .map((section) => ({
      ...section,
      items: section.items.filter((item) => !isDealtWith(`${section.source}/${item.key}`, item.text)),
    }))
    .filter((section) => section.items.length > 0);
}

function maxChars(keeper: Keeper, used = 0): { room?: Room } {
  const { maxChars: all } = keeper.options;
  return all === undefined ? {} : { room: { most: Math.max(all - used, 0), unit: "characters", parts: 1 } };
}
