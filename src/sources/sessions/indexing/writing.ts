import { mergeSome, SMALL_MERGE } from "../../../search/merge.ts";
import { addSegment, tombstone } from "../../../search/segment.ts";
import { SegmentBuilder } from "../../../search/segment-builder.ts";
import type { MeaningSource } from "../../../search/vectors/embed-texts.ts";
import type { Database } from "../../../store/sqlite/types.ts";
import type { NamedBy } from "../session.ts";
import type { TurnRead } from "./pieces.ts";
import type { Naming } from "./put-session.ts";
import { unitId } from "./units.ts";

/** One transaction of the index, with the words and vectors that it adds. */
export interface Writing {
  readonly db: Database;
  readonly words: SegmentBuilder;
  /** Units whose words are rewritten or removed. */
  readonly stale: Set<number>;
  readonly naming: Naming;
}

/** `meaning` is needed to add text; names are searched by words only. */
export function startWriting(
  db: Database,
  naming: Naming = () => undefined,
  meaning?: MeaningSource,
): Writing {
  return { db, words: new SegmentBuilder(meaning), stale: new Set(), naming };
}

/** Writes what was added and removed as one segment of the text index. */
export function settle({ db, words, stale }: Writing): void {
  tombstone(db, stale);
  const { list, ...passages } = words.passages();
  if (list.length > 0) addSegment(db, passages, (pages) => words.fill(list, pages));
  if (list.length + stale.size > 0) while (mergeSome(db, SMALL_MERGE));
}

/** How many of the last edited files are words of the session's head. */
const MOST_FILES = 100;

/** Writes the head: what a session is about besides its text, namely edited files, branch and name. */
export function putHead({ db, words, stale }: Writing, session: number): void {
  // A name made by Continuo consists of words of the first request, which are searchable anyway.
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

/** Names a session in the index, which makes it searchable by that name. */
export function nameRow(db: Database, session: number, name: string, by: NamedBy): void {
  db.tx(() => {
    db.run("UPDATE session SET name = ?, named_by = ? WHERE id = ?", [name, by, session]);
    const writing = startWriting(db);
    putHead(writing, session);
    settle(writing);
  });
}
