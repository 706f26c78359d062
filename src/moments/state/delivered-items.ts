import { fingerprint } from "../../base/fingerprint.ts";
import type { Earlier } from "../../compose/budget.ts";
import type { Composition } from "../../compose/compose.ts";
import type { Item, Section } from "../../compose/section.ts";
import type { SessionState } from "./session-state.ts";

/**
 * A dropped item counts as handled: if it did not fit into the snapshot, it must not come back at every prompt. It is
 * marked, because the model has not seen it.
 */
const NO_ROOM = "-";

/** Marks a delivered item about something that just happened, which need not be restored. */
const PASSING = "~";

/** The fingerprints of a composition's items by `source/key`, as the session's state keeps them. */
export function hashesOf(made: Composition): Record<string, string> {
  const entries = [
    ...made.items.map((item) => [
      `${item.source}/${item.key}`,
      item.isPassing === true ? PASSING + item.hash : item.hash,
    ]),
    ...made.dropped.map((item) => [`${item.source}/${item.key}`, NO_ROOM + item.hash]),
  ];
  return Object.fromEntries(entries);
}

export function isDropped(hash: string): boolean {
  return hash.startsWith(NO_ROOM);
}

export function isPassing(hash: string): boolean {
  return hash.startsWith(PASSING);
}

/** What the model had before a compaction. The state stores items in the order of delivery. */
export function earlierOf({ delivered }: SessionState): Earlier {
  const all = Object.entries(delivered);
  const shown = all.flatMap(([key, hash]) => (isDropped(hash) ? [] : [key]));
  return {
    shown: new Map(shown.map((key, i) => [key, i])),
    leftOut: new Set(all.flatMap(([key, hash]) => (isDropped(hash) ? [key] : []))),
  };
}

export function keysOf(made: Composition): ReadonlySet<string> {
  return new Set(made.items.map((item) => `${item.source}/${item.key}`));
}

/** The items of the snapshot that this addition corrects, plus those corrected earlier. */
export function correctedBy(made: Composition, state: SessionState): SessionState["corrected"] {
  const inSnapshot = new Set(state.snapshot?.keys);
  const now = [...keysOf(made)].filter((key) => inSnapshot.has(key));
  return listOrNone([...new Set([...(state.corrected ?? []), ...now])]);
}

/**
 * Replaces the fingerprint of an item that a replayed snapshot shows in an earlier form, so that its current text is
 * delivered again.
 */
const OUTDATED = "outdated";

/** What the model has after the snapshot was replayed: for corrected items, the old text is now the last one. */
export function afterReplay({ delivered, corrected = [] }: SessionState): SessionState["delivered"] {
  return { ...delivered, ...Object.fromEntries(corrected.map((key) => [key, OUTDATED])) };
}

/** Removes items that this epoch has already handled, and then empty sections. */
export function undelivered(sections: readonly Section[], state: SessionState | undefined): Section[] {
  const isHandled = (key: string, item: Item) => {
    const known = state?.delivered[key];
    return known !== undefined && known.replace(/^[-~]/, "") === (item.hash ?? fingerprint(item.text));
  };
  return withoutItems(sections, isHandled).map((section) => withReplacements(section, state));
}

/** If the model has an earlier text of these instructions, the new one says that it replaces it. */
function withReplacements(section: Section, state: SessionState | undefined): Section {
  if (section.nature !== "instructions") return section;
  const isShown = ({ key }: Item) => {
    const known = state?.delivered[`${section.source}/${key}`];
    return known !== undefined && !isDropped(known);
  };
  const items = section.items.map((item) => (isShown(item) ? { ...item, replaces: true } : item));
  return { ...section, items };
}

/** Removes these items, and then empty sections. */
export function withoutItems(
  sections: readonly Section[],
  isOut: (key: string, item: Item) => boolean,
): Section[] {
  return sections
    .map((section) => ({
      ...section,
      items: section.items.filter((item) => !isOut(`${section.source}/${item.key}`, item)),
    }))
    .filter((section) => section.items.length > 0);
}

/** A list for the session's state or the ledger; empty lists are not written. */
export function listOrNone<T>(list: readonly T[]): readonly T[] | undefined {
  return list.length === 0 ? undefined : list;
}
