import type { Database } from "../../../store/sqlite/types.ts";
import type { SessionKey } from "../session.ts";
import type { LastAsked } from "./listing.ts";
import { type StoredPassage, unitBefore, unitId, unitsOf } from "./units.ts";

/** What a user needs to recognise a session. */
export interface Preview {
  /** The beginnings of the last requests, newest last, with secrets redacted. */
  readonly asked: readonly LastAsked[];
  /** First edited files, then files that were only read, each most recent first. */
  readonly files: readonly { readonly path: string; readonly isEdited: boolean }[];
}

const MOST_FIRST = 3;
const MOST_LAST = 4;
const MOST_FILES = 12;
/** How much of a request is used to compare words. */
const MOST_CHARACTERS = 300;
/** How many units are opened at each end: an agent may have worked on one request for long. */
const MOST_UNITS = 3;

/**
 * The beginnings of the first requests, to search them while the user types. Reads one unit, so ten thousand sessions
 * take a second.
 */
export function firstPrompts(db: Database, key: SessionKey): string[] {
  const session = numberOf(db, key);
  if (session === undefined) return [];
  for (const { passages } of unitsOf(db, session))
    return requestsIn(passages)
      .slice(0, MOST_FIRST)
      .map(({ text }) => text.slice(0, MOST_CHARACTERS));
  return [];
}

export function previewOf(db: Database, key: SessionKey): Preview {
  const session = numberOf(db, key);
  if (session === undefined) return { asked: [], files: [] };
  const files = db.all<{ path: string; edited: number }>(
    `SELECT path.path, edited FROM touched JOIN path ON path.id = touched.path
     WHERE session = ? ORDER BY edited DESC, at DESC, path.path LIMIT ?`,
    [session, MOST_FILES],
  );
  return {
    asked: lastPrompts(db, session),
    files: files.map(({ path, edited }) => ({ path, isEdited: edited === 1 })),
  };
}

function numberOf(db: Database, { host, id }: SessionKey): number | undefined {
  return db.get<{ id: number }>("SELECT id FROM session WHERE host = ? AND sid = ?", [host, id])?.id;
}

function lastPrompts(db: Database, session: number): LastAsked[] {
  let found: LastAsked[] = [];
  let before = unitId(session + 1, 0);
  for (let count = 0; count < MOST_UNITS && found.length < MOST_LAST; count++) {
    const unit = unitBefore(db, session, before);
    if (unit === undefined) break;
    found = [...requestsIn(unit.passages), ...found];
    before = unit.id;
  }
  return found.slice(-MOST_LAST);
}

/** A long request has several passages; its first one says what it is about. */
function requestsIn(passages: readonly StoredPassage[]): LastAsked[] {
  const turns = new Set<string>();
  return passages.flatMap(([turn, kind, time, text]) => {
    if (kind !== "u" || turns.has(turn)) return [];
    turns.add(turn);
    return [{ text, ...(time === null ? {} : { at: time }) }];
  });
}
