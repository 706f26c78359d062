import type { History, Reading, Report, SessionFile } from "../../../moments/ports/history.ts";
import type { Turn } from "../../../moments/ports/turn.ts";
import type { Database } from "../../../store/sqlite/types.ts";
import type { SessionKey } from "../session.ts";
import { rowOf } from "./rows.ts";

/** Turns from the transcripts, in the order in which the host began them. A repeated turn comes once. */
export function* turnsOf(db: Database, history: History, key: SessionKey): Generator<Turn> {
  const seen = new Set<string>();
  for (const { reading, isOnly } of readingsOf(db, history, key)) {
    for (const turn of reading) {
      if (!isOnly && seen.has(turn.id)) continue;
      seen.add(turn.id);
      yield turn;
    }
  }
}

/** What cannot be read now. Reads all transcripts, so it is only worth calling when nothing was found in them. */
export function problemsOf(db: Database, history: History, key: SessionKey): string[] {
  return [...readingsOf(db, history, key)].flatMap(({ reading }) => {
    for (const _ of reading);
    return problemsIn(reading.report());
  });
}

function* readingsOf(
  db: Database,
  history: History,
  key: SessionKey,
): Generator<{ reading: Reading; isOnly: boolean }> {
  const reader = history.get(key.host);
  if (reader === undefined) return;
  const files = transcriptsOf(db, key);
  for (const file of files) yield { reading: reader.read(file), isOnly: files.length === 1 };
}

/** The transcripts of a session, in the order in which its host began them, including deleted ones. */
export function transcriptsOf(db: Database, key: SessionKey): SessionFile[] {
  const row = rowOf(db, key);
  if (row === undefined) return [];
  const files = db.all<{ path: string; key: string }>(
    "SELECT path, key FROM transcript WHERE session = ? ORDER BY path",
    [row.id],
  );
  return files.map(({ path, key: inside }) => ({
    host: key.host,
    id: key.id,
    path,
    modified: row.modified,
    size: row.size ?? 0,
    ...(inside === "" ? {} : { key: inside }),
    ...(row.cwd === null ? {} : { cwd: row.cwd }),
    // Readers use it to mark a subagent's turns.
    ...(row.parent === null ? {} : { parent: row.parent }),
  }));
}

/** Describes lines that can never be read. */
export function passedOver(lines: number): string {
  return `${linesOf(lines)} too long or too deeply nested to read`;
}

/** What could not be read in a transcript, one line each. */
export function problemsIn({ failure, damaged, oversized }: Report): string[] {
  return [
    ...(failure === undefined ? [] : [failure]),
    ...(damaged > 0 ? [`${linesOf(damaged, "damaged ")} skipped`] : []),
    ...(oversized > 0 ? [passedOver(oversized)] : []),
  ];
}

/** Identifies a transcript by its file and, if one file contains several sessions, its key in the file. */
export const transcriptKey = (path: string, key = ""): string => (key === "" ? path : `${path}\0${key}`);

const linesOf = (count: number, kind = ""): string => `${count} ${kind}line${count === 1 ? "" : "s"}`;
