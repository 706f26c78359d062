import { fingerprintNumber } from "../../../base/fingerprint.ts";
import type { Database } from "../../../store/sqlite/types.ts";
import type { Piece } from "./pieces.ts";

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
