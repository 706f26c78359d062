import { rmSync } from "node:fs";
import { ContinuoError } from "../../../moments/errors.ts";
import { Gathering } from "../../../search/gathering.ts";
import type { Database } from "../../../store/sqlite/types.ts";
import { settle } from "../index/apply.ts";
import { putHead } from "../index/heads.ts";
import { cleanName } from "../name.ts";
import { EXTRACTED, type SessionRecord } from "../record.ts";
import { rowOf, type SessionRow, sessionOf } from "../rows.ts";
import { allPassages } from "../search/search.ts";
import type { SessionKey } from "../session.ts";
import { isForgotten, type RecordPlaces, readRecord, recordPath, writeRecord } from "./files.ts";
import { makeRecord } from "./make-record.ts";
import { type Outline, outlineOf } from "./outline.ts";

export interface Records {
  record(key: SessionKey): SessionRecord | undefined;
  outline(key: SessionKey): Outline | undefined;
  rename(key: SessionKey, name: string): SessionRecord;
}

export interface RecordOptions {
  readonly now: () => number;
  readonly onTrouble: (code: string, message: string) => void;
}

export function createRecords(
  db: Database,
  places: RecordPlaces,
  { now, onTrouble }: RecordOptions,
): Records {
  const read = (key: SessionKey): SessionRecord | undefined =>
    readRecord(recordPath(places, key), (reason) => onTrouble("record-damaged", reason));

  const record = (key: SessionKey): SessionRecord | undefined => {
    const before = read(key);
    const row = rowOf(db, key);
    if (row === undefined) return before;
    // What a model wrote is never made poorer.
    if (before !== undefined && before.model !== EXTRACTED) return before;
    if (before?.lastIndexedLeafId === row.last_turn && before?.name === row.name) return before;
    const made = makeFor(row, before);
    writeRecord(recordPath(places, key), made);
    // Another process may have had it forgotten meanwhile.
    if (isForgotten(places, key)) rmSync(recordPath(places, key), { force: true });
    return made;
  };

  const makeFor = (row: SessionRow, before: SessionRecord | undefined): SessionRecord =>
    makeRecord(
      {
        session: sessionOf(row),
        passages: allPassages(db, row.id),
        edited: editedIn(db, row.id),
        lastTurn: row.last_turn ?? "",
        parentFile: parentFile(db, row),
      },
      before,
      now(),
    );

  return {
    record,
    outline(key) {
      const row = rowOf(db, key);
      return row && outlineOf(allPassages(db, row.id), editedIn(db, row.id));
    },
    rename(key, given) {
      const name = cleanName(given);
      if (name === "")
        throw new ContinuoError("name-empty", "the name is empty", { hint: "give it a few words" });
      const row = rowOf(db, key);
      if (row === undefined)
        throw new ContinuoError("no-such-session", `session "${key.id}" is not indexed`, {
          hint: "continuo sessions index reads all histories",
        });
      db.tx(() => {
        db.run("UPDATE session SET name = ?, named_by = 'given' WHERE id = ?", [name, row.id]);
        const writing = { db, words: new Gathering(), stale: new Set<number>(), naming: () => name };
        putHead(writing, row.id);
        settle(writing);
      });
      const before = read(key);
      const now = rowOf(db, key) ?? row;
      const made = before !== undefined && before.model !== EXTRACTED ? before : makeFor(now, before);
      const named: SessionRecord = {
        ...made,
        name,
        continuo: { ...made.continuo, host: key.host, namedBy: "given" },
      };
      writeRecord(recordPath(places, key), named);
      return named;
    },
  };
}

/** The last one first. */
export function editedIn(db: Database, session: number): string[] {
  return db
    .all<{ path: string }>(
      `SELECT path.path FROM touched JOIN path ON path.id = touched.path
       WHERE session = ? AND edited = 1 ORDER BY at DESC, path.path LIMIT 100`,
      [session],
    )
    .map(({ path }) => path);
}

function parentFile(db: Database, row: SessionRow): string | undefined {
  const id = row.parent ?? row.fork_of ?? row.continues;
  const parent = id === null ? undefined : rowOf(db, { host: row.host, id });
  return parent?.path ?? undefined;
}
