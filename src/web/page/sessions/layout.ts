import type { Day } from "../../api/sessions.ts";

/** Rows and day headings have the same height, so that their positions are known without measuring. */
export const ROW_HEIGHT = 40;
/** How many rows are rendered beyond the visible ones, so that scrolling shows no gap. */
const BEYOND = 10;

type Slot =
  | { readonly kind: "day"; readonly day: Day }
  /** `index`: among all sessions of the list. */
  | { readonly kind: "row"; readonly index: number };

/** The list as slots of equal height: each day's heading, then its sessions. */
export interface Layout {
  readonly slots: number;
  slotAt(slot: number): Slot | undefined;
  slotOf(index: number): number;
}

export function layoutOf(days: readonly Day[]): Layout {
  const headings: number[] = [];
  let slots = 0;
  for (const { count } of days) {
    headings.push(slots);
    slots += count + 1;
  }
  const dayOf = (slot: number): number => {
    let low = 0;
    let high = headings.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((headings[middle] ?? 0) <= slot) low = middle;
      else high = middle - 1;
    }
    return low;
  };
  return {
    slots,
    slotAt(slot) {
      if (slot < 0 || slot >= slots) return undefined;
      const at = dayOf(slot);
      const day = days[at];
      if (day === undefined) return undefined;
      return headings[at] === slot ? { kind: "day", day } : { kind: "row", index: slot - at - 1 };
    },
    slotOf(index) {
      // Each earlier day has one heading.
      let before = 0;
      for (const [at, { count }] of days.entries()) {
        if (index < before + count) return index + at + 1;
        before += count;
      }
      return index + days.length;
    },
  };
}

/** The range of slots to render; the end is exclusive. */
export function visibleSlots(scrollTop: number, height: number, slots: number): readonly [number, number] {
  const first = Math.floor(scrollTop / ROW_HEIGHT) - BEYOND;
  const last = Math.ceil((scrollTop + height) / ROW_HEIGHT) + BEYOND;
  return [Math.max(0, Math.min(first, slots)), Math.max(0, Math.min(last, slots))];
}

/** The rows of a list between two slots; undefined if there are none. */
export function rowsBetween(layout: Layout, from: number, to: number): readonly [number, number] | undefined {
  const indices: number[] = [];
  for (const slot of [from, from + 1, to - 2, to - 1]) {
    const found = layout.slotAt(slot);
    if (found?.kind === "row") indices.push(found.index);
  }
  return indices.length === 0 ? undefined : [Math.min(...indices), Math.max(...indices) + 1];
}
