import { fingerprintNumber } from "../../../base/fingerprint.ts";
import { isPlace } from "../../../moments/ports/turn.ts";
import type { Database } from "../../../store/sqlite/types.ts";
import type { Piece, TurnRead } from "./pieces.ts";
import type { StoredPassage } from "./units.ts";

/**
 * The passages of some turns of a transcript, turn by turn. A turn is found once. Hosts copy turns with their ids into
 * forks: those are marked, and whichever session is read first has the words. Where a host goes on in another file of the
 * same session and repeats itself, nothing is left.
 */
export function markCopies(
  db: Database,
  session: number,
  transcript: number,
  turns: readonly TurnRead[],
): (readonly StoredPassage[])[] {
  const said = turns
    .filter(({ passages }) => passages.length > 0)
    .map(({ id, passages }) => ({ turn: isPlace(id) ? undefined : fingerprintNumber(id), passages }));
  const ids = new Set(said.flatMap(({ turn }) => turn ?? []));
  const owners = othersOwn(db, transcript, [...ids]);
  return said.map(({ turn, passages }) => {
    const owner = turn === undefined ? undefined : owners.get(turn);
    if (owner === undefined) return passages;
    if (owner === session) return [];
    return passages.map(([id, kind, time, text]) => [id, kind, time, text, 1]);
  });
}

/** The session of each turn that came with another transcript before; the rest are this one's from now on. */
function othersOwn(db: Database, transcript: number, turns: readonly number[]): Map<number, number> {
  if (turns.length === 0) return new Map();
  // As one text, and in the order of the table: a statement for each turn would take several times as long.
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

/** Which of its turns are on branches that the session has left: all of them, since going back changes older ones too. */
export function putLeft(db: Database, transcript: number, { left }: Piece): void {
  if (left === undefined) return;
  db.run("DELETE FROM left_turn WHERE transcript = ?", [transcript]);
  for (const turn of left.turns)
    db.run("INSERT OR IGNORE INTO left_turn VALUES (?, ?)", [transcript, fingerprintNumber(turn)]);
  db.run("UPDATE transcript SET other_branches = ? WHERE id = ?", [left.ranges, transcript]);
}

/** Tells of a turn whether its session has left the branch that it is on. */
export function leftTurns(db: Database, session: number): (turn: string) => boolean {
  const rows = db.all<{ turn: number }>(
    "SELECT turn FROM left_turn WHERE transcript IN (SELECT id FROM transcript WHERE session = ?)",
    [session],
  );
  if (rows.length === 0) return () => false;
  const left = new Set(rows.map(({ turn }) => turn));
  return (turn) => left.has(fingerprintNumber(turn));
}
