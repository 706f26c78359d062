import { deflateRawSync, inflateRawSync } from "node:zlib";
import type { Database } from "../../../store/sqlite/types.ts";
import type { StoredPassage } from "./stored-passage.ts";

/** Enough to compress well, few enough to open one for one passage in it. */
export const FULL_UNIT = 16;
/**
 * A unit's number tells its session, so that ranking need not look it up: the session's, and the unit's place in it.
 * Place 0 is the session's head: its name, branch and files, as words only.
 */
const PLACE_BITS = 12;
const PLACES = 1 << PLACE_BITS;
export const LAST_PLACE = PLACES - 1;
export const MOST_SESSIONS = (0x7fffffff >> PLACE_BITS) - 1;

export const unitId = (session: number, place: number): number => session * PLACES + place;
export const sessionOfUnit = (unit: number): number => unit >> PLACE_BITS;

export interface Unit {
  readonly id: number;
  readonly transcript: number;
  readonly settled: number;
  readonly passages: readonly StoredPassage[];
}

interface Row {
  readonly id: number;
  readonly transcript: number;
  readonly settled: number;
  readonly data: Uint8Array;
}

/** Lightly: a better compression would take longer than finding the words does, for little. */
export function packed(passages: readonly StoredPassage[]): Uint8Array {
  return deflateRawSync(JSON.stringify(passages), { level: 1 });
}

function unitOf({ id, transcript, settled, data }: Row): Unit {
  return { id, transcript, settled, passages: JSON.parse(inflateRawSync(data).toString("utf8")) };
}

export function unitById(db: Database, id: number): Unit | undefined {
  const row = db.get<Row>("SELECT id, transcript, settled, data FROM unit WHERE id = ?", [id]);
  return row && unitOf(row);
}

/** Of a session with more than `most`, the first quarter of so many and the last ones. */
export function* unitsOf(
  db: Database,
  session: number,
  most: number = Number.POSITIVE_INFINITY,
): Generator<Unit> {
  const end = most > PLACES ? 0 : (lastUnit(db, session)?.id ?? 0);
  const gap = { from: unitId(session, Math.floor(most / 4)), to: end - Math.ceil((most * 3) / 4) };
  let last = unitId(session, 0);
  for (;;) {
    const row = db.get<Row>(
      "SELECT id, transcript, settled, data FROM unit WHERE id > ? AND id < ? ORDER BY id LIMIT 1",
      [last, unitId(session + 1, 0)],
    );
    if (row === undefined) return;
    last = row.id >= gap.from && row.id < gap.to ? gap.to : row.id;
    yield unitOf(row);
  }
}

/** The last unit, which may have room for more. */
export function lastUnit(db: Database, session: number): Unit | undefined {
  const row = db.get<Row>(
    "SELECT id, transcript, settled, data FROM unit WHERE id >= ? AND id < ? ORDER BY id DESC LIMIT 1",
    [unitId(session, 1), unitId(session + 1, 0)],
  );
  return row && unitOf(row);
}

/** How many passages of its session stand before a unit. */
export function passagesBefore(db: Database, id: number): number {
  const row = db.get<{ n: number }>("SELECT total(count) AS n FROM unit WHERE id >= ? AND id < ?", [
    unitId(sessionOfUnit(id), 0),
    id,
  ]);
  return row?.n ?? 0;
}
