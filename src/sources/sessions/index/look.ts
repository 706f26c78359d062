import { describeError } from "../../../base/errors.ts";
import type { SessionFile } from "../../../moments/ports/history.ts";
import { SegmentBuilder } from "../../../search/segment-builder.ts";
import { sizeOf } from "../../../store/file-size.ts";
import type { Database } from "../../../store/sqlite/types.ts";
import type { SessionKey } from "../session.ts";
import { dropSession, settle } from "./apply.ts";
import type { Known } from "./pieces.ts";
import type { SyncPlace } from "./sync.ts";

/** A transcript to read; `known` is where the index stopped in it. */
export interface Changed {
  readonly file: SessionFile;
  readonly known: Known | undefined;
}

export interface Look {
  /** The newest first. */
  readonly changed: readonly Changed[];
  readonly files: number;
  readonly forgotten: number;
}

type Notice = (text: string) => void;

/** What the hosts have against what is known. Most of the time nothing has changed: that is what this is quick for. */
export function lookAtAll(place: SyncPlace, notice: Notice): Look {
  const { db } = place;
  const known = stampsOf(db);
  const { files, complete } = discover(place, [...place.history.keys()], notice);
  const changed: SessionFile[] = [];
  const present = new Set<string>();
  for (const file of files) {
    const key = keyOf(file.path, file.key);
    const stamp = known.get(key);
    if (stamp !== undefined) present.add(key);
    if (stamp !== stampOf(file.modified, file.size)) changed.push(file);
  }
  if (present.size < known.size) {
    for (const file of elsewhere(db, present)) {
      const key = keyOf(file.path);
      present.add(key);
      if (known.get(key) !== stampOf(file.modified, file.size)) changed.push(file);
    }
  }
  return {
    changed: toRead(place, changed),
    files: files.length,
    forgotten: present.size === known.size ? 0 : dropGone(place, present, complete),
  };
}

/** Files that a host told of, or that were found while its variable named another folder: they are not gone. */
function elsewhere(db: Database, present: ReadonlySet<string>): SessionFile[] {
  const rows = db.all<{ host: string; id: string; path: string; parent: string | null }>(
    `SELECT t.host, sid AS id, path, parent FROM transcript t JOIN session ON session.id = t.session
     WHERE key = '' AND is_gone = 0`,
  );
  return rows.flatMap(({ host, id, path, parent }) => {
    const now = present.has(keyOf(path)) ? undefined : sizeOf(path);
    return now === undefined ? [] : [{ host, id, path, ...now, ...(parent !== null && { parent }) }];
  });
}

/** One session, by the files that are known of it; only a new one, or a database, is looked for. */
export function lookAtOne(
  place: SyncPlace,
  { host, id, transcript }: SessionKey & { readonly transcript?: string },
  notice: Notice,
): Look {
  const rows = place.db.all<{ path: string; key: string; modified: number; size: number }>(
    `SELECT path, key, t.modified, size FROM transcript t JOIN session ON session.id = t.session
     WHERE session.host = ? AND sid = ? ORDER BY path`,
    [host, id],
  );
  const last = rows.at(-1);
  const now = last === undefined || last.key !== "" ? undefined : sizeOf(last.path);
  if (last !== undefined && now !== undefined && (now.size !== last.size || now.modified !== last.modified)) {
    const file: SessionFile = { host, id, path: last.path, ...now };
    return { changed: toRead(place, [file]), files: 1, forgotten: 0 };
  }
  const listed = discover(place, [host], notice).files.filter((file) => file.id === id);
  const told = listed.length > 0 || transcript === undefined ? undefined : sizeOf(transcript);
  const files =
    told === undefined || transcript === undefined ? listed : [{ host, id, path: transcript, ...told }];
  const stamps = new Map(rows.map((row) => [keyOf(row.path, row.key), stampOf(row.modified, row.size)]));
  const changed = files.filter(
    (file) => stamps.get(keyOf(file.path, file.key)) !== stampOf(file.modified, file.size),
  );
  return { changed: toRead(place, changed), files: files.length, forgotten: 0 };
}

const keyOf = (path: string, key = ""): string => (key === "" ? path : `${path}\0${key}`);
const stampOf = (modified: number, size: number): string => `${modified} ${size}`;

/** By file: when it was changed, and its size, when it was read to its end. As one text: rows would take twice as long. */
function stampsOf(db: Database): Map<string, string> {
  const row = db.get<{ all: string }>(
    `SELECT json_group_array(json_array(path, key, CAST(modified AS INTEGER), size)) AS "all" FROM transcript`,
  );
  const list = JSON.parse(row?.all ?? "[]") as [string, string, number, number][];
  return new Map(list.map(([path, key, modified, size]) => [keyOf(path, key), stampOf(modified, size)]));
}

function toRead({ db, isForgotten }: SyncPlace, files: readonly SessionFile[]): Changed[] {
  return files
    .filter((file) => !isForgotten(file))
    .sort((a, b) => b.modified - a.modified)
    .map((file) => ({
      file,
      known: db.get<Known>(
        "SELECT offset, tail, other_branches AS otherBranches FROM transcript WHERE path = ? AND key = ?",
        [file.path, file.key ?? ""],
      ),
    }));
}

/** `complete`: the hosts whose whole history could be listed. What another host's lacks may only be out of reach. */
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

/** Sessions of which no file is left. Returns how many were taken out of the index. */
function dropGone(
  { db, keep, naming }: SyncPlace,
  present: ReadonlySet<string>,
  complete: ReadonlySet<string>,
): number {
  const rows = db.all<{ session: number; host: string; path: string; key: string; is_gone: number }>(
    "SELECT session, t.host, path, key, is_gone FROM transcript t JOIN session ON session.id = t.session",
  );
  const isThere = (row: { path: string; key: string }): boolean => present.has(keyOf(row.path, row.key));
  const there = new Set(rows.filter(isThere).map(({ session }) => session));
  const gone = rows.filter(
    (row) => complete.has(row.host) && !there.has(row.session) && !(keep && row.is_gone === 1),
  );
  if (gone.length === 0) return 0;
  const sessions = new Set(gone.map(({ session }) => session));
  return db.tx(() => {
    const writing = { db, words: new SegmentBuilder(), stale: new Set<number>(), naming };
    for (const session of sessions) {
      if (keep) db.run("UPDATE session SET is_gone = 1 WHERE id = ?", [session]);
      else dropSession(writing, session);
    }
    settle(writing);
    return keep ? 0 : sessions.size;
  });
}
