import { rmSync } from "node:fs";
import { describeError } from "../../../base/errors.ts";
import { forgetGivenTexts } from "../../../moments/state/given-texts.ts";
import { folderOfUser, givenName, isOfCaco } from "../../../moments/state/session-meta.ts";
import { cleanName } from "../../../moments/state/session-name.ts";
import { dropLeftovers } from "../../../search/merge.ts";
import { removePrepared } from "../../../store/prepared.ts";
import { redact } from "../../../store/redact.ts";
import type { Database } from "../../../store/sqlite/types.ts";
import { descendantsOf } from "../indexing/lineage.ts";
import type { Naming } from "../indexing/put-session.ts";
import { dropSession } from "../indexing/remove.ts";
import { rowOf, type SessionRow, sessionOf } from "../indexing/rows.ts";
import { unitCount } from "../indexing/units.ts";
import { nameRow, settle, startWriting } from "../indexing/writing.ts";
import { allPassages } from "../search/search.ts";
import type { NamedBy, SessionKey } from "../session.ts";
import {
  byModel,
  EXTRACTION,
  hasTombstone,
  modelsName,
  type OwnRecord,
  type RecordPlaces,
  readRecord,
  recordPath,
  type SessionRecord,
  writeRecord,
  writeTombstone,
} from "./files.ts";
import { removeTombstones } from "./forgotten.ts";
import { makeRecord } from "./make-record.ts";
import { type Outline, outlineOf } from "./outline.ts";

export type Records = ReturnType<typeof createRecords>;

interface RecordOptions {
  readonly now: () => number;
  /** The name of a session without the user's name; `model`: a model gave it. */
  readonly nameAgain: (
    row: SessionRow,
    model: string | undefined,
  ) => { readonly name: string; readonly by: NamedBy };
  readonly onFailure: (code: string, message: string) => void;
}

/**
 * Records are also made in hooks, and outlines for open pages. About 1,500 passages are enough to describe a session.
 */
const MOST_UNITS = 64;

export function createRecords(
  db: Database,
  places: RecordPlaces,
  { now, nameAgain, onFailure }: RecordOptions,
) {
  const read = (key: SessionKey): SessionRecord | undefined =>
    readRecord(recordPath(places, key), (reason) => onFailure("record-damaged", reason));

  /** The record on disk; undefined if it is damaged, which is reported when the record is requested. */
  const readQuietly = (key: SessionKey): SessionRecord | undefined =>
    readRecord(recordPath(places, key), () => undefined);

  /** Made from its passages and written to its file, unless the file is up to date. */
  const record = (key: SessionKey): SessionRecord | undefined => {
    const before = read(key);
    const row = rowOf(db, key);
    if (row === undefined) return before;
    // A model's text is never replaced by an extracted one, but does not include the name that the user gave.
    const written = byModel(before);
    if (written !== undefined) {
      const isNamed = row.named_by === "given" || row.named_by === "person";
      if (!isNamed || written.name === row.name || written.continuo === undefined) return written;
      const named = renamed(written, key, row.name, row.named_by);
      writeRecord(recordPath(places, key), named);
      return named;
    }
    const isCurrent = before?.lastIndexedLeafId === row.last_turn && before?.continuo?.made === EXTRACTION;
    if (isCurrent && before?.name === row.name) return before;
    const made = makeFor(row, before);
    try {
      writeRecord(recordPath(places, key), made);
    } catch (error) {
      // The disk is full or read-only: the record can still be shown, and is made again next time.
      onFailure("record-unwritten", describeError(error).message);
      return made;
    }
    // Another process may have forgotten the session meanwhile.
    if (hasTombstone(places, key)) rmSync(recordPath(places, key), { force: true });
    return made;
  };

  /** Makes an extracted record without writing it. */
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
    /** The basis of records and handoffs; undefined if the session is not indexed. */
    outline(key: SessionKey): Outline | undefined {
      const row = rowOf(db, key);
      if (row === undefined) return undefined;
      const outline = outlineOf(allPassages(db, row.id, MOST_UNITS), editedIn(db, row.id));
      return unitCount(db, row.id) > MOST_UNITS ? { ...outline, isPart: true } : outline;
    },
    /**
     * The metadata has this name now: stores it in the index and the record. Empty: the previous name, or a derived
     * one, returns.
     */
    named(key: SessionKey, given: string): SessionRecord | undefined {
      const before = read(key);
      const row = rowOf(db, key);
      if (given !== "") {
        if (row === undefined) return undefined;
        if (row.name !== given || row.named_by !== "given") nameRow(db, row.id, given, "given");
        const made = byModel(before) ?? makeFor(rowOf(db, key) ?? row, before);
        const named = renamed(made, key, given, "given");
        writeRecord(recordPath(places, key), named);
        return named;
      }
      // Otherwise the record of an earlier version would restore the name.
      const kept = before?.continuo?.namedBy === "given" ? unnamed(before, before.continuo) : before;
      if (kept !== undefined && kept !== before) writeRecord(recordPath(places, key), kept);
      if (row?.named_by !== "given") return row && record(key);
      const [model] = modelsName(kept);
      const { name, by } = nameAgain(row, model && cleanName(redact(model)));
      nameRow(db, row.id, name, by);
      return record(key);
    },
    /** Removes it from the index, deletes its record, and never indexes it again. */
    forget(key: SessionKey): void {
      forgetSession(db, places, key, now());
      removePrepared(places.home.root, "sessions");
    },
    /** Undoes `forget`: the next sync indexes the session again. */
    remember(key: SessionKey): void {
      removeTombstones(places, key);
      removePrepared(places.home.root, "sessions");
    },
    read: readQuietly,
    makeFor,
    recordedNames(key: SessionKey): ReturnType<Naming> {
      const record = readQuietly(key);
      const user = folderOfUser(places.env);
      const stored = givenName(places.home, user, key);
      if (record === undefined)
        return stored === undefined ? undefined : { given: stored, model: undefined, earlier: [] };
      // Version 0.1 stored it only in the record. Caco has its own name, which may have been removed.
      const recorded =
        record.continuo?.namedBy === "given" && !isOfCaco(user, key.id) ? record.name : undefined;
      const given = stored ?? recorded;
      // Other programs write records too, and the name is compared with the host's.
      const [model] = modelsName(record).map((name) => cleanName(redact(name)));
      return { given, model: model || undefined, earlier: record.continuo?.earlierNames ?? [] };
    },
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

/** The record without the name that the user gave: a model's text gets back the model's name. */
function unnamed(record: SessionRecord, own: NonNullable<SessionRecord["continuo"]>): SessionRecord {
  const earlier = own.earlierNames?.at(-1);
  if (byModel(record) === undefined || earlier === undefined)
    return { ...record, continuo: { ...own, namedBy: "us" } };
  return { ...record, name: earlier, continuo: { ...own, namedBy: "model" } };
}

/** Last edited first. */
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

/**
 * Removes a session and those of its subagents, which have the same content; forks stay. No word of them remains in the
 * index.
 */
function forgetSession(db: Database, places: RecordPlaces, key: SessionKey, now: number): void {
  const children = descendantsOf(db, key).filter(({ isChild, parent }) => isChild && parent === key.id);
  // Tombstones first: whatever happens afterwards, no process indexes the sessions again.
  for (const one of [key, ...children]) {
    writeTombstone(places, one, now, one === key ? undefined : key.id);
    forgetGivenTexts(places.home, one);
  }
  db.tx(() => {
    const writing = startWriting(db);
    for (const one of [key, ...children]) {
      const row = rowOf(db, one);
      if (row !== undefined) dropSession(writing, row.id);
    }
    db.run("DELETE FROM path WHERE id NOT IN (SELECT path FROM touched)");
    settle(writing);
  });
  while (dropLeftovers(db));
  // Deleted rows stay in the file's free pages until it is rewritten.
  db.exec("VACUUM");
}
