import { describeError } from "../../../base/errors.ts";
import type { SessionFile } from "../../../moments/ports/history.ts";
import { statFile } from "../../../store/read-file.ts";
import type { Database } from "../../../store/sqlite/types.ts";
import type { SessionKey } from "../session.ts";
import type { Known } from "./pieces.ts";
import { dropGone } from "./remove.ts";
import type { SyncPlace } from "./sync.ts";
import { transcriptKey } from "./transcripts.ts";

/** A transcript to read; `known` is where indexing stopped. */
export interface Changed {
  readonly file: SessionFile;
  readonly known: Known | undefined;
}

interface Changes {
  /** The newest first. */
  readonly changed: readonly Changed[];
  readonly files: number;
  readonly removed: number;
}

type Notice = (text: string) => void;

/** Compares the hosts' files with the index. Must be fast when nothing has changed, which is the usual case. */
export function findChanges(place: SyncPlace, notice: Notice): Changes {
  const { db } = place;
  const known = stampsOf(db);
  const { files, complete } = discover(place, [...place.history.keys()], notice);
  const changed: SessionFile[] = [];
  const present = new Set<string>();
  for (const file of files) {
    const key = transcriptKey(file.path, file.key);
    const stamp = known.get(key);
    if (stamp !== undefined) present.add(key);
    if (!isSame(stamp, file)) changed.push(file);
  }
  if (present.size < known.size) {
    for (const file of elsewhere(db, present)) {
      const key = transcriptKey(file.path);
      present.add(key);
      if (!isSame(known.get(key), file)) changed.push(file);
    }
  }
  return {
    changed: toRead(place, changed),
    files: files.length,
    removed: present.size === known.size ? 0 : dropGone(place, present, complete),
  };
}

/**
 * Transcripts that a host reported, or that were found while its variable named another folder, and that still exist.
 */
function elsewhere(db: Database, present: ReadonlySet<string>): SessionFile[] {
  const rows = db.all<{ host: string; id: string; path: string; parent: string | null }>(
    `SELECT t.host, sid AS id, path, parent FROM transcript t JOIN session ON session.id = t.session
     WHERE key = '' AND is_gone = 0`,
  );
  return rows.flatMap(({ host, id, path, parent }) => {
    const now = present.has(transcriptKey(path)) ? undefined : statFile(path);
    return now === undefined ? [] : [{ host, id, path, ...now, ...(parent !== null && { parent }) }];
  });
}

/** Checks one session by its known files. Searches only for a new session, or for one in a database. */
export function findChangesOfOne(
  place: SyncPlace,
  { host, id, transcript }: SessionKey & { readonly transcript?: string },
  notice: Notice,
): Changes {
  const rows = place.db.all<{ path: string; key: string; modified: number; size: number }>(
    `SELECT path, key, t.modified, size FROM transcript t JOIN session ON session.id = t.session
     WHERE session.host = ? AND sid = ? ORDER BY path`,
    [host, id],
  );
  const last = rows.at(-1);
  const now = last === undefined || last.key !== "" ? undefined : statFile(last.path);
  if (last !== undefined && now !== undefined && (now.size !== last.size || now.modified !== last.modified)) {
    const file: SessionFile = { host, id, path: last.path, ...now };
    return { changed: toRead(place, [file]), files: 1, removed: 0 };
  }
  const files = filesOfOne(place, { host, id, transcript }, rows, notice);
  const stamps = new Map(rows.map((row) => [transcriptKey(row.path, row.key), row]));
  const changed = files.filter((file) => !isSame(stamps.get(transcriptKey(file.path, file.key)), file));
  return { changed: toRead(place, changed), files: files.length, removed: 0 };
}

/**
 * Listing all of a host's files takes tens of milliseconds, which is unnecessary if the host names the only known file.
 */
function filesOfOne(
  place: SyncPlace,
  { host, id, transcript }: SessionKey & { readonly transcript?: string },
  known: readonly { readonly path: string }[],
  notice: Notice,
): SessionFile[] {
  const given = transcript === undefined ? undefined : statFile(transcript);
  const named = given && transcript !== undefined ? { host, id, path: transcript, ...given } : undefined;
  if (named !== undefined && known.every(({ path }) => path === transcript)) return [named];
  const listed = discover(place, [host], notice).files.filter((file) => file.id === id);
  return listed.length > 0 || named === undefined ? listed : [named];
}

interface Stamp {
  readonly modified: number;
  readonly size: number;
}

const isSame = (a: Stamp | undefined, b: Stamp): boolean => a?.modified === b.modified && a.size === b.size;

/** Time and size of each file when it was read to its end. Read as one text, because rows would take twice as long. */
function stampsOf(db: Database): Map<string, Stamp> {
  const row = db.get<{ all: string }>(
    `SELECT json_group_array(json_array(path, key, CAST(modified AS INTEGER), size)) AS "all" FROM transcript`,
  );
  const list = JSON.parse(row?.all ?? "[]") as [string, string, number, number][];
  return new Map(list.map(([path, key, modified, size]) => [transcriptKey(path, key), { modified, size }]));
}

function toRead({ db, hasTombstone }: SyncPlace, files: readonly SessionFile[]): Changed[] {
  return files
    .filter((file) => !hasTombstone(file))
    .sort((a, b) => b.modified - a.modified)
    .map((file) => ({
      file,
      known: db.get<Known>(
        "SELECT offset, tail, other_branches AS otherBranches FROM transcript WHERE path = ? AND key = ?",
        [file.path, file.key ?? ""],
      ),
    }));
}

/**
 * `complete`: the hosts whose whole history could be listed. Files missing from another host's list may only be
 * temporarily unreachable.
 */
function discover({ env, history }: SyncPlace, hosts: readonly string[], notice: Notice) {
  const files: SessionFile[] = [];
  const complete = new Set<string>();
  for (const host of hosts) {
    let failed = false;
    const onFailure = (reason: string): void => {
      failed = true;
      notice(`${host}: ${reason}`);
    };
    try {
      files.push(...(history.get(host)?.discover(env, { onFailure }) ?? []));
    } catch (error) {
      onFailure(describeError(error).message);
    }
    if (!failed) complete.add(host);
  }
  return { files, complete };
}
