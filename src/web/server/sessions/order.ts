import { familiesOf } from "../../../sources/sessions/indexing/lineage.ts";
import type { ListedSession } from "../../../sources/sessions/indexing/listing.ts";
import type { Day } from "../../api/sessions.ts";

interface OrderedRow {
  readonly row: number;
  readonly depth: number;
}

export interface Order {
  readonly rows: readonly OrderedRow[];
  readonly days: readonly Day[];
}

/** Deeper than any lineage. */
const DEEPEST = 20;

/**
 * The order of the list: families by their newest member, and within a family each session followed by those that come
 * from it, by last activity. A family is listed on the day of its newest member.
 */
export function orderOf(sessions: readonly ListedSession[]): Order {
  const families = familiesOf(
    sessions,
    ({ host, id }) => `${host}\0${id}`,
    ({ host, origin }) => (origin === null ? undefined : `${host}\0${origin}`),
  ).map((members) => ({
    newest: members.reduce((newest, { session }) => Math.max(newest, session.modified), 0),
    rows: members.map(({ session, depth }) => ({ row: session.row, depth: Math.min(depth, DEEPEST) })),
  }));
  families.sort((a, b) => b.newest - a.newest);
  return { rows: families.flatMap(({ rows }) => rows), days: daysOf(families) };
}

function daysOf(
  families: readonly { readonly newest: number; readonly rows: readonly OrderedRow[] }[],
): Day[] {
  const days: { at: number; count: number }[] = [];
  for (const { newest, rows } of families) {
    const last = days.at(-1);
    // Most rows are on the same day as the previous one, and computing midnight takes longer than comparing.
    if (last !== undefined && newest >= last.at) last.count += rows.length;
    else days.push({ at: new Date(newest).setHours(0, 0, 0, 0), count: rows.length });
  }
  return days;
}
