import { fingerprintNumber } from "../../../base/fingerprint.ts";
import { isPlace } from "../../../moments/ports/turn.ts";
import type { Database } from "../../../store/sqlite/types.ts";
import type { Piece, TurnRead } from "./pieces.ts";
import type { StoredPassage } from "./units.ts";

/**
 * The passages of some turns of a transcript, turn by turn. Each turn is searchable only once. Hosts copy turns with
 * their ids into forks: those are marked as copies, and the session that was indexed first keeps the words. If a host
 * continues the same session in another file and repeats turns, the repeats are dropped.
 */
export function markCopies(
  db: Database,
  session: number,
  transcript: number,
  turns: readonly TurnRead[],
): (readonly StoredPassage[])[] {
  const withText = turns
    .filter(({ passages }) => passages.length > 0)
    .map(({ id, passages }) => ({ turn: isPlace(id) ? undefined : fingerprintNumber(id), passages }));
  const ids = new Set(withText.flatMap(({ turn }) => turn ?? []));
  const owners = othersOwn(db, transcript, [...ids]);
  return withText.map(({ turn, passages }) => {
    const owner = turn === undefined ? undefined : owners.get(turn);
    if (owner === undefined) return passages;
    if (owner === session) return [];
    return passages.map(([id, kind, time, text]) => [id, kind, time, text, 1]);
  });
}

/** The sessions of turns that are known from other transcripts; all other turns belong to this one from now on. */
function othersOwn(db: Database, transcript: number, turns: readonly number[]): Map<number, number> {
  if (turns.length === 0) return new Map();
  // As one text, sorted as in the table: a statement per turn would take several times as long.
  const list = JSON.stringify(turns.toSorted((a, b) => a - b));
  const { changes } = db.run("INSERT OR IGNORE INTO seen SELECT value, ? FROM json_each(?)", [
    transcript,
    list,
  ]);
  if (changes === turns.length) return new Map();
  const rows = db.all<{ turn: number; session: number }>(
    `SELECT turn, transcript.session FROM json_each(?) JOIN seen ON turn = value
     JOIN transcript ON transcript.id = seen.transcript WHERE seen.transcript <> ?`,
    [list, transcript],
  );
  return new Map(rows.map(({ turn, session }) => [turn, session]));
}

/**
 * Stores which turns are on abandoned branches. Replaces the whole list, because going back changes older turns too.
 */
export function putAbandoned(db: Database, transcript: number, { abandoned }: Piece): void {
  if (abandoned === undefined) return;
  db.run("DELETE FROM left_turn WHERE transcript = ?", [transcript]);
  for (const turn of abandoned.turns)
    db.run("INSERT OR IGNORE INTO left_turn VALUES (?, ?)", [transcript, fingerprintNumber(turn)]);
  db.run("UPDATE transcript SET other_branches = ? WHERE id = ?", [abandoned.ranges, transcript]);
}

/** Returns a function that says whether a turn of the session is on an abandoned branch. */
export function abandonedIn(db: Database, session: number): (turn: string) => boolean {
  const rows = db.all<{ turn: number }>(
    "SELECT turn FROM left_turn WHERE transcript IN (SELECT id FROM transcript WHERE session = ?)",
    [session],
  );
  if (rows.length === 0) return () => false;
  const abandoned = new Set(rows.map(({ turn }) => turn));
  return (turn) => abandoned.has(fingerprintNumber(turn));
}
