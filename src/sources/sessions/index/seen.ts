import { fingerprintNumber } from "../../../compose/fingerprint.ts";
import type { Database } from "../../../store/sqlite/types.ts";
import type { StoredPassage } from "./stored-passage.ts";

/**
 * A turn is found once. Hosts copy turns with their ids into forks: those are marked, and whichever session is read first
 * has the words. Where a host goes on in another file of the same session and repeats itself, nothing is left.
 */
export function markCopies(
  db: Database,
  session: number,
  transcript: number,
  passages: readonly StoredPassage[],
): readonly StoredPassage[] {
  const [first] = passages;
  if (first === undefined) return passages;
  const turn = fingerprintNumber(first[0]);
  if (db.run("INSERT OR IGNORE INTO seen VALUES (?, ?)", [turn, transcript]).changes === 1) return passages;
  const owner = db.get<{ id: number; session: number | null }>(
    `SELECT seen.transcript AS id, transcript.session FROM seen LEFT JOIN transcript ON transcript.id = seen.transcript
     WHERE turn = ?`,
    [turn],
  );
  if (owner === undefined || owner.id === transcript || owner.session === null) return passages;
  if (owner.session === session) return [];
  return passages.map(([id, kind, time, text]) => [id, kind, time, text, 1]);
}
