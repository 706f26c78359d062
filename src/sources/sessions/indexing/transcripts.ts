import type { History, Reading, Report } from "../../../moments/ports/history.ts";
import type { Turn } from "../../../moments/ports/turn.ts";
import type { Database } from "../../../store/sqlite/types.ts";
import type { SessionKey } from "../session.ts";
import { rowOf } from "./rows.ts";

/** From the transcripts themselves, in the order in which the host began them; a turn that is repeated comes once. */
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

/** What of its transcripts cannot be read now. Reads all of them, which is only worth it where nothing was found in them. */
export function troublesOf(db: Database, history: History, key: SessionKey): string[] {
  return [...readingsOf(db, history, key)].flatMap(({ reading }) => {
    for (const _ of reading);
    return troublesIn(reading.report());
  });
}

function* readingsOf(
  db: Database,
  history: History,
  key: SessionKey,
): Generator<{ reading: Reading; isOnly: boolean }> {
  const row = rowOf(db, key);
  const reader = history.get(key.host);
  if (row === undefined || reader === undefined) return;
  const files = db.all<{ path: string; key: string }>(
    "SELECT path, key FROM transcript WHERE session = ? ORDER BY path",
    [row.id],
  );
  for (const { path, key: inside } of files) {
    const file = {
      host: key.host,
      id: key.id,
      path,
      modified: row.modified,
      size: row.size ?? 0,
      ...(inside === "" ? {} : { key: inside }),
      ...(row.cwd === null ? {} : { cwd: row.cwd }),
    };
    yield { reading: reader.read(file), isOnly: files.length === 1 };
  }
}

/** Said of lines that no time would be enough for. */
export function passedOver(lines: number): string {
  return `${lines} line(s) too long, or too deeply nested, to read`;
}

/** What of a transcript could not be read, a line each. */
export function troublesIn({ failure, damaged, oversized }: Report): string[] {
  return [
    ...(failure === undefined ? [] : [failure]),
    ...(damaged > 0 ? [`${damaged} damaged line(s) passed over`] : []),
    ...(oversized > 0 ? [passedOver(oversized)] : []),
  ];
}

/** A transcript is known by its file and, where one file holds several sessions, by its key in there. */
export const transcriptKey = (path: string, key = ""): string => (key === "" ? path : `${path}\0${key}`);
