import { fingerprintNumber } from "../../../base/fingerprint.ts";
import { isPlace } from "../../../moments/ports/turn.ts";
import { relateFamily } from "./lineage.ts";
import { isNameDue, renameOwn } from "./own-names.ts";
import type { Piece, TurnRead } from "./pieces.ts";
import { putSession } from "./put-session.ts";
import { dropTranscript, removeUnit } from "./remove.ts";
import type { SyncPlace } from "./sync.ts";
import { markCopies, putAbandoned } from "./turn-marks.ts";
import {
  appendPassages,
  FULL_UNIT,
  LAST_PLACE,
  lastUnit,
  packed,
  type StoredPassage,
  searchableTexts,
  unitId,
} from "./units.ts";
import { putHead, settle, startWriting, touchFiles, type Writing } from "./writing.ts";

/**
 * Writes pieces in order. Leaves out pieces that another process has already written and sessions with a tombstone.
 */
export function applyPieces(
  { db, naming, meaning, hasTombstone, onProject }: Omit<SyncPlace, "history">,
  pieces: readonly Piece[],
): number {
  return db.tx(() => {
    const writing = startWriting(db, naming, meaning);
    let written = 0;
    for (const piece of pieces) {
      // Checked inside the transaction: `forgetSession` writes its tombstone first and then removes what is indexed.
      const { file, header } = piece;
      const parent = file.parent ?? header.parent;
      if (hasTombstone({ ...file, ...(parent !== undefined && { parent }) })) continue;
      if (applyPiece(writing, piece, onProject)) written++;
    }
    settle(writing);
    return written;
  });
}

interface TranscriptRow {
  readonly id: number;
  readonly session: number;
  readonly offset: number;
  readonly host: string;
  readonly sid: string;
}

function applyPiece(writing: Writing, given: Piece, onProject: SyncPlace["onProject"]): boolean {
  const { db } = writing;
  const key = given.file.key ?? "";
  let row = db.get<TranscriptRow>(
    `SELECT t.id, session, offset, session.host, sid FROM transcript t JOIN session ON session.id = t.session
     WHERE path = ? AND key = ?`,
    [given.file.path, key],
  );
  if (row !== undefined && given.isReplaced) {
    dropTranscript(writing, row.id);
    row = undefined;
  }
  // A transcript belongs to the session under which it was first indexed, whatever id is reported for it later.
  const piece: Piece =
    row === undefined ? given : { ...given, file: { ...given.file, host: row.host, id: row.sid } };
  const { file } = piece;
  if ((row?.offset ?? 0) !== piece.from) return false;
  const session = putSession(db, piece, writing.naming, onProject);
  if (session === undefined) return false;
  const transcript =
    row?.id ??
    db.run(
      `INSERT INTO transcript (session, host, path, key, modified, size, offset, tail, turns, prompts, compactions)
       VALUES (?, ?, ?, ?, 0, 0, 0, '', 0, 0, 0)`,
      [session, file.host, file.path, key],
    ).lastId;
  const { report } = piece;
  const isRead = report !== undefined && report.failure === undefined && report.isCut !== true;
  db.run(
    `UPDATE transcript SET offset = ?, tail = ?, modified = ?, size = ?, turns = turns + ?, prompts = prompts + ?,
       compactions = compactions + ? WHERE id = ?`,
    [
      piece.to,
      piece.tail,
      isRead ? file.modified : 0,
      isRead ? file.size : 0,
      ...countsOf(piece.turns),
      transcript,
    ],
  );
  const before = db.get<{ passages: number; prompts: number }>(
    "SELECT passages, prompts FROM session WHERE id = ?",
    [session],
  );
  const passages = (before?.passages ?? 0) + addPassages(writing, session, transcript, piece);
  touchFiles(db, session, [...piece.turns, ...piece.open]);
  const [turns, prompts, compactions] = countsOf(piece.open);
  db.run(
    `UPDATE session SET passages = ?, last_turn = coalesce(?, last_turn),
       (turns, prompts, compactions) =
       (SELECT sum(turns) + ?, sum(prompts) + ?, sum(compactions) + ? FROM transcript WHERE session = ?)
     WHERE id = ?`,
    [
      passages,
      (piece.open.at(-1) ?? piece.turns.at(-1))?.id ?? null,
      turns,
      prompts,
      compactions,
      session,
      session,
    ],
  );
  const now = db.get<{ prompts: number }>("SELECT prompts FROM session WHERE id = ?", [session]);
  if (isNameDue(before?.prompts ?? 0, now?.prompts ?? 0)) renameOwn(db, session);
  putHead(writing, session);
  putAbandoned(db, transcript, piece);
  const [first] = [...piece.turns, ...piece.open].flatMap((turn) => turn.passages.slice(0, 1));
  if (first !== undefined && !isPlace(first[0]))
    db.run("UPDATE session SET first_turn = ? WHERE id = ? AND first_turn IS NULL", [
      fingerprintNumber(first[0]),
      session,
    ]);
  if (report !== undefined && report.isCut !== true) relateFamily(db, session);
  return true;
}

function countsOf(turns: readonly TurnRead[]): [number, number, number] {
  return [
    turns.length,
    turns.filter(({ isPrompt }) => isPrompt).length,
    turns.filter(({ isCompaction }) => isCompaction).length,
  ];
}

/** Returns by how many the session's passages increased. */
function addPassages(writing: Writing, session: number, transcript: number, piece: Piece): number {
  const { db } = writing;
  const last = lastUnit(db, session);
  const isOpen =
    last !== undefined &&
    last.transcript === transcript &&
    (last.settled < last.passages.length || last.passages.length < FULL_UNIT);
  const list: StoredPassage[] = isOpen ? last.passages.slice(0, last.settled) : [];
  for (const passages of markCopies(db, session, transcript, piece.turns)) appendPassages(list, passages);
  const settled = list.length;
  // Kept apart from the settled ones because they are replaced later.
  const open: StoredPassage[] = [];
  for (const passages of markCopies(db, session, transcript, piece.open)) appendPassages(open, passages);
  list.push(...open);
  let place = last === undefined ? 1 : (last.id % unitId(1, 0)) + (isOpen ? 0 : 1);
  if (isOpen && list.length === 0) removeUnit(writing, last.id);
  for (let at = 0; at < list.length && place <= LAST_PLACE; at += FULL_UNIT, place++) {
    const passages = list.slice(at, at + FULL_UNIT);
    const id = unitId(session, place);
    db.run("INSERT OR REPLACE INTO unit (id, transcript, settled, count, data) VALUES (?, ?, ?, ?, ?)", [
      id,
      transcript,
      Math.max(0, Math.min(passages.length, settled - at)),
      passages.length,
      packed(passages),
    ]);
    writing.stale.add(id);
    writing.words.put(id, searchableTexts(passages));
  }
  return list.length - (isOpen ? last.passages.length : 0);
}
