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

/** Deeper than lineages are; a cycle ends too. */
const DEEPEST = 20;

/**
 * The order of the list: families by their newest member, each session followed by those that come from it, by the time at
 * which they were last active. A family is in the list of the day of its newest member.
 */
export function orderOf(sessions: readonly ListedSession[]): Order {
  const keys = new Map<string, number>();
  for (const [at, { host, id }] of sessions.entries()) keys.set(`${host}\0${id}`, at);
  const below = new Map<number, number[]>();
  const roots: number[] = [];
  for (const [at, { host, id, origin }] of sessions.entries()) {
    const above = origin === null || origin === id ? undefined : keys.get(`${host}\0${origin}`);
    if (above === undefined) roots.push(at);
    else below.set(above, [...(below.get(above) ?? []), at]);
  }
  const done = new Set<number>();
  const families: { readonly newest: number; readonly rows: OrderedRow[] }[] = [];
  const grow = (root: number): void => {
    const rows: OrderedRow[] = [];
    let newest = 0;
    const add = (at: number, depth: number): void => {
      const session = sessions[at];
      if (session === undefined || done.has(at)) return;
      done.add(at);
      newest = Math.max(newest, session.modified);
      rows.push({ row: session.row, depth: Math.min(depth, DEEPEST) });
      for (const next of below.get(at) ?? []) add(next, depth + 1);
    };
    add(root, 0);
    if (rows.length > 0) families.push({ newest, rows });
  };
  for (const root of roots) grow(root);
  // Transcripts that name each other as their origin have no root.
  for (const at of sessions.keys()) if (!done.has(at)) grow(at);
  families.sort((a, b) => b.newest - a.newest);
  return { rows: families.flatMap(({ rows }) => rows), days: daysOf(families) };
}

function daysOf(
  families: readonly { readonly newest: number; readonly rows: readonly OrderedRow[] }[],
): Day[] {
  const days: { at: number; count: number }[] = [];
  for (const { newest, rows } of families) {
    const last = days.at(-1);
    // Most rows are of the day before them: finding midnight takes longer than comparing.
    if (last !== undefined && newest >= last.at) last.count += rows.length;
    else days.push({ at: new Date(newest).setHours(0, 0, 0, 0), count: rows.length });
  }
  return days;
}
