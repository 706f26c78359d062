import { mergeSome, SMALL_MERGE } from "../../../search/merge.ts";
import { addSegment, tombstone } from "../../../search/segment.ts";
import { SegmentBuilder } from "../../../search/segment-builder.ts";
import type { Database } from "../../../store/sqlite/types.ts";
import type { NamedBy } from "../session.ts";
import type { TurnRead } from "./pieces.ts";
import type { Naming } from "./put-session.ts";
import { unitId } from "./units.ts";

/** One transaction of the index, with the words that it adds. */
export interface Writing {
  readonly db: Database;
  readonly words: SegmentBuilder;
  /** Units whose words are written anew, or are gone. */
  readonly stale: Set<number>;
  readonly naming: Naming;
}

export function startWriting(db: Database, naming: Naming = () => undefined): Writing {
  return { db, words: new SegmentBuilder(), stale: new Set(), naming };
}

/** Whatever was put and removed becomes one segment of the text index. */
export function settle({ db, words, stale }: Writing): void {
  tombstone(db, stale);
  const { list, ...passages } = words.passages();
  if (list.length > 0) addSegment(db, passages, (pages) => words.fill(list, pages));
  if (list.length + stale.size > 0) while (mergeSome(db, SMALL_MERGE));
}

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

/** In the index a session has this name from now on, and is found by it. */
export function nameRow(db: Database, session: number, name: string, by: NamedBy): void {
  db.tx(() => {
    db.run("UPDATE session SET name = ?, named_by = ? WHERE id = ?", [name, by, session]);
    const writing = startWriting(db);
    putHead(writing, session);
    settle(writing);
  });
}
