import { rmSync } from "node:fs";
import { ContinuoError } from "../../../base/errors.ts";
import type { Database } from "../../../store/sqlite/types.ts";
import { type Briefing, briefingOf } from "../describe/briefing.ts";
import { type Described, type DescribeOptions, describeSession } from "../describe/describe.ts";
import { modelsName } from "../describe/drafted-record.ts";
import { cleanName } from "../name.ts";
import { byModel, type OwnRecord, type SessionRecord } from "../record.ts";
import { rowOf, type SessionRow, sessionOf } from "../rows.ts";
import { allPassages } from "../search/search.ts";
import type { NamedBy, SessionKey } from "../session.ts";
import { isForgotten, type RecordPlaces, readRecord, recordPath, writeRecord } from "./files.ts";
import { makeRecord } from "./make-record.ts";
import { nameRow } from "./name-row.ts";
import { type Outline, outlineOf } from "./outline.ts";

export interface Records {
  record(key: SessionKey): SessionRecord | undefined;
  outline(key: SessionKey): Outline | undefined;
  rename(key: SessionKey, name: string): SessionRecord;
  briefing(key: SessionKey): Briefing | undefined;
  describe(key: SessionKey, options: DescribeOptions): Promise<Described>;
}

export interface RecordOptions {
  readonly now: () => number;
  readonly onTrouble: (code: string, message: string) => void;
}

/** Records are made in hooks, too: some 1,500 passages tell what a session was about. */
const MOST_UNITS = 64;

export function createRecords(
  db: Database,
  places: RecordPlaces,
  { now, onTrouble }: RecordOptions,
): Records {
  const read = (key: SessionKey): SessionRecord | undefined =>
    readRecord(recordPath(places, key), (reason) => onTrouble("record-damaged", reason));

  /** What is wrong with it is told when it is asked for. */
  const readQuietly = (key: SessionKey): SessionRecord | undefined =>
    readRecord(recordPath(places, key), () => undefined);

  const record = (key: SessionKey): SessionRecord | undefined => {
    const before = read(key);
    const row = rowOf(db, key);
    if (row === undefined) return before;
    // What a model wrote is never made poorer; but it did not know what a person calls the session.
    const written = byModel(before);
    if (written !== undefined) {
      const isNamed = row.named_by === "given" || row.named_by === "person";
      if (!isNamed || written.name === row.name || written.continuo === undefined) return written;
      const named = renamed(written, key, row.name, row.named_by);
      writeRecord(recordPath(places, key), named);
      return named;
    }
    if (before?.lastIndexedLeafId === row.last_turn && before?.name === row.name) return before;
    const made = makeFor(row, before);
    writeRecord(recordPath(places, key), made);
    // Another process may have had it forgotten meanwhile.
    if (isForgotten(places, key)) rmSync(recordPath(places, key), { force: true });
    return made;
  };

  const makeFor = (row: SessionRow, before: SessionRecord | undefined): OwnRecord =>
    makeRecord(
      {
        session: sessionOf(row),
        passages: allPassages(db, row.id, MOST_UNITS),
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
      nameRow(db, row.id, name, "given");
      const before = read(key);
      const now = rowOf(db, key) ?? row;
      const made = byModel(before) ?? makeFor(now, before);
      const named = renamed(made, key, name, "given");
      writeRecord(recordPath(places, key), named);
      return named;
    },
    briefing(key) {
      const row = rowOf(db, key);
      return row && briefingOf(allPassages(db, row.id), readQuietly(key));
    },
    describe: (key, options) =>
      describeSession({ db, places, now, read: readQuietly, makeFor }, key, options),
  };
}

function renamed(record: SessionRecord, { host }: SessionKey, name: string, namedBy: NamedBy): SessionRecord {
  const earlierNames = [...(record.continuo?.earlierNames ?? []), ...modelsName(record)];
  return {
    ...record,
    name,
    continuo: { host, ...record.continuo, namedBy, ...(earlierNames.length > 0 && { earlierNames }) },
  };
}

/** The last one first. */
function editedIn(db: Database, session: number): string[] {
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
