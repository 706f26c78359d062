import { readFamilyAgain } from "./lineage.ts";
import type { SyncPlace } from "./sync.ts";
import { transcriptKey } from "./transcripts.ts";
import { unitId } from "./units.ts";
import { settle, startWriting, type Writing } from "./writing.ts";

export function removeUnit({ db, words, stale }: Writing, id: number): void {
  db.run("DELETE FROM unit WHERE id = ?", [id]);
  words.remove(id);
  stale.add(id);
}

/** Removes what came from one file. What the session has from other files stays. */
export function dropTranscript(writing: Writing, transcript: number): void {
  const { db } = writing;
  const row = db.get<{ session: number }>("SELECT session FROM transcript WHERE id = ?", [transcript]);
  if (row === undefined) return;
  const units = db.all<{ id: number }>("SELECT id FROM unit WHERE id > ? AND id < ? AND transcript = ?", [
    unitId(row.session, 0),
    unitId(row.session + 1, 0),
    transcript,
  ]);
  for (const { id } of units) removeUnit(writing, id);
  db.run("DELETE FROM transcript WHERE id = ?", [transcript]);
  db.run("DELETE FROM seen WHERE transcript = ?", [transcript]);
  db.run("DELETE FROM left_turn WHERE transcript = ?", [transcript]);
  db.run("DELETE FROM touched WHERE session = ?", [row.session]);
  const rest = db.get<{ n: number }>("SELECT total(count) AS n FROM unit WHERE id > ? AND id < ?", [
    unitId(row.session, 0),
    unitId(row.session + 1, 0),
  ]);
  db.run("UPDATE session SET passages = ?, first_turn = NULL, family = 0 WHERE id = ?", [
    rest?.n ?? 0,
    row.session,
  ]);
}

export function dropSession(writing: Writing, session: number): void {
  const { db } = writing;
  readFamilyAgain(db, session);
  const rows = db.all<{ id: number }>("SELECT id FROM transcript WHERE session = ?", [session]);
  for (const { id } of rows) dropTranscript(writing, id);
  writing.words.remove(unitId(session, 0));
  writing.stale.add(unitId(session, 0));
  db.run("DELETE FROM session WHERE id = ?", [session]);
}

/** Handles sessions whose files no longer exist. Returns how many were removed from the index. */
export function dropGone(
  { db, keep, naming }: SyncPlace,
  present: ReadonlySet<string>,
  complete: ReadonlySet<string>,
): number {
  const rows = db.all<{ session: number; host: string; path: string; key: string; is_gone: number }>(
    "SELECT session, t.host, path, key, is_gone FROM transcript t JOIN session ON session.id = t.session",
  );
  const isThere = (row: { path: string; key: string }): boolean =>
    present.has(transcriptKey(row.path, row.key));
  const there = new Set(rows.filter(isThere).map(({ session }) => session));
  const gone = rows.filter(
    (row) => complete.has(row.host) && !there.has(row.session) && !(keep && row.is_gone === 1),
  );
  if (gone.length === 0) return 0;
  const sessions = new Set(gone.map(({ session }) => session));
  return db.tx(() => {
    const writing = startWriting(db, naming);
    for (const session of sessions) {
      if (keep) db.run("UPDATE session SET is_gone = 1 WHERE id = ?", [session]);
      else dropSession(writing, session);
    }
    settle(writing);
    return keep ? 0 : sessions.size;
  });
}
