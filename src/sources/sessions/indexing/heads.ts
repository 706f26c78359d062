import type { Database } from "../../../store/sqlite/types.ts";
import type { Writing } from "./apply.ts";
import type { TurnRead } from "./pieces.ts";
import { unitId } from "./units.ts";

/** So many of the files that were edited last are words of the session's head. */
const MOST_FILES = 100;

/** What a session is about besides what was said in it: files that it edited, its branch and its name. */
export function putHead({ db, words, stale }: Writing, session: number): void {
  // A name that we made is the first request's words, which are searched anyway.
  const row = db.get<{ names: string }>(
    `SELECT concat_ws(' ', branch, CASE named_by WHEN 'us' THEN NULL ELSE name END) AS names FROM session WHERE id = ?`,
    [session],
  );
  const files = db.all<{ path: string }>(
    `SELECT path.path FROM touched JOIN path ON path.id = touched.path
     WHERE session = ? AND edited = 1 ORDER BY at DESC LIMIT ${MOST_FILES}`,
    [session],
  );
  const id = unitId(session, 0);
  stale.add(id);
  words.put(id, [""], files.map(({ path }) => path).join(" "), row?.names ?? "");
}

export function touchFiles(db: Database, session: number, turns: readonly TurnRead[]): void {
  const uses = new Map<string, { edited: number; at: number }>();
  for (const { files, at = 0 } of turns) {
    for (const { path, access } of files) {
      const edited = access === "edit" || uses.get(path)?.edited === 1 ? 1 : 0;
      uses.set(path, { edited, at });
    }
  }
  for (const [path, { edited, at }] of uses) {
    const known = db.get<{ id: number }>("SELECT id FROM path WHERE path = ?", [path]);
    const id = known?.id ?? db.run("INSERT INTO path (path) VALUES (?)", [path]).lastId;
    db.run(
      `INSERT INTO touched VALUES (?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET edited = max(edited, excluded.edited), at = max(at, excluded.at)`,
      [session, id, edited, at],
    );
  }
}
