import { type Composition, compose } from "../compose/compose.ts";
import { fingerprint } from "../compose/fingerprint.ts";
import { ledgerItem } from "../store/ledger.ts";
import type { SessionState } from "../store/session-state.ts";
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
  const health = moment.session.parent === undefined ? options.health?.note() : undefined;
  let begun: { before: SessionState | undefined; state: SessionState; made: Composition } | undefined;
  await file.update((before) => {
    if (moment.name !== "compacted" && before?.snapshot) return before; // another process was faster
    options.signal?.throwIfAborted();
    const made = composeSnapshot(keeper, gathered.sections, health);
    const state: SessionState = {
      ...seen(moment, before, gathered),
      epoch: (before?.epoch ?? 0) + 1,
      snapshot: { text: made.text, fingerprint: made.fingerprint, at: iso(moment.at) },
      delivered: hashesOf(made),
    };
    begun = { before, state, made };
    return state;
  });
  if (begun === undefined) return "";
  if (moment.name === "compacted") noteLoss(keeper, moment, begun.before, begun.state);
  for (const entry of gathered.noted) keeper.note(moment, begun.state, entry);
  noteDelivery(keeper, moment, begun.state, "snapshot", begun.made);
  if (health !== undefined) keeper.unlessItFails("health", () => options.health?.told());
  return begun.made.text;
}

/** Delivers what became relevant inside an epoch and was not delivered in it before. */
export async function add(keeper: Keeper, moment: PromptMoment | ToolMoment): Promise<string> {
  const { config, signal } = keeper.options;
  const file = keeper.stateOf(moment);
  const now = file.read();
  const gathered = await keeper.ask(moment, now);
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
    const limit = Math.min(config.additionLimit, config.tokenLimit);
    const made = compose("addition", undelivered(gathered.sections, before), {
      limit,
      aim: limit,
      ...maxChars(keeper),
    });
    added = { state: { ...state, delivered: { ...state.delivered, ...hashesOf(made) } }, made };
    return added.state;
  });
  if (added === undefined) return "";
  for (const entry of gathered.noted) keeper.note(moment, added.state, entry);
  noteDelivery(keeper, moment, added.state, "addition", added.made);
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

function noteDelivery(
  keeper: Keeper,
  moment: Moment,
  state: SessionState,
  what: "snapshot" | "addition",
  made: Composition,
): void {
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
): void {
  const active = Object.keys(before?.delivered ?? {});
  keeper.note(moment, state, {
    kind: "compacted",
    active,
    reasserted: active.filter((key) => key in state.delivered),
    lost: active.filter((key) => !(key in state.delivered)),
    workingSet: rankFiles(before?.workingSet ?? [])
      .slice(0, REPORTED_FILES)
      .map((use) => use.path),
  });
}

/** Dropped items count as dealt with: what had no room in the snapshot must not come back at every prompt. */
function hashesOf(made: Composition): Record<string, string> {
  return Object.fromEntries(
    [...made.items, ...made.dropped].map((item) => [`${item.source}/${item.key}`, item.hash]),
  );
}

function undelivered(sections: readonly Section[], state: SessionState | undefined): Section[] {
  const delivered = state?.delivered ?? {};
  return sections
    .map((section) => ({
      ...section,
      items: section.items.filter(
        (item) => delivered[`${section.source}/${item.key}`] !== fingerprint(item.text),
      ),
    }))
    .filter((section) => section.items.length > 0);
}

function maxChars(keeper: Keeper): { maxChars?: number } {
  return keeper.options.maxChars === undefined ? {} : { maxChars: keeper.options.maxChars };
}
