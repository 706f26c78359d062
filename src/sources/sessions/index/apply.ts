import { fingerprintNumber } from "../../../base/fingerprint.ts";
import type { SessionFile } from "../../../moments/ports/history.ts";
import { isPlace } from "../../../moments/ports/turn.ts";
import { Gathering } from "../../../search/gathering.ts";
import { mergeSome, SMALL_MERGE } from "../../../search/merge.ts";
import { addSegment, disown } from "../../../search/segment.ts";
import type { Database } from "../../../store/sqlite/types.ts";
import { readFamilyAgain, relateFamily } from "./families.ts";
import { putHead, touchFiles } from "./heads.ts";
import { putLeft } from "./left-turns.ts";
import type { Piece, TurnRead } from "./pieces.ts";
import { markCopies } from "./seen.ts";
import { type Naming, putSession } from "./session-rows.ts";
import { appendPassages, type StoredPassage } from "./stored-passage.ts";
import { FULL_UNIT, LAST_PLACE, lastUnit, packed, unitId } from "./units.ts";

/** One transaction of the index, with the words that it adds. */
export interface Writing {
  readonly db: Database;
  readonly words: Gathering;
  /** Units whose words are written anew, or are gone. */
  readonly stale: Set<number>;
  readonly naming: Naming;
}

/** Writes pieces, in their order. Pieces that another process was faster with, or made forgotten, are left out. */
export function applyPieces(
  db: Database,
  pieces: readonly Piece[],
  naming: Naming,
  isForgotten: (file: SessionFile) => boolean,
): number {
  return db.tx(() => {
    const writing: Writing = { db, words: new Gathering(), stale: new Set(), naming };
    let written = 0;
    for (const piece of pieces) {
      // Asked here, where nobody else writes: who forgets leaves a tombstone first, and takes out what is indexed after.
      const { file, header } = piece;
      const parent = file.parent ?? header.parent;
      if (isForgotten({ ...file, ...(parent !== undefined && { parent }) })) continue;
      if (applyPiece(writing, piece)) written++;
    }
    settle(writing);
    return written;
  });
}

/** Whatever was put and removed becomes one segment of the text index. */
export function settle({ db, words, stale }: Writing): void {
  disown(db, stale);
  const { list, ...passages } = words.passages();
  if (list.length > 0) addSegment(db, passages, (pages) => words.fill(list, pages));
  if (list.length + stale.size > 0) while (mergeSome(db, SMALL_MERGE));
}

interface TranscriptRow {
  readonly id: number;
  readonly session: number;
  readonly offset: number;
}

function applyPiece(writing: Writing, piece: Piece): boolean {
  const { db } = writing;
  const { file } = piece;
  const key = file.key ?? "";
  let row = db.get<TranscriptRow>("SELECT id, session, offset FROM transcript WHERE path = ? AND key = ?", [
    file.path,
    key,
  ]);
  if (row !== undefined && piece.isAnew) {
    dropTranscript(writing, row.id);
    row = undefined;
  }
  if ((row?.offset ?? 0) !== piece.from) return false;
  const session = putSession(db, piece, writing.naming);
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
  const before = db.get<{ passages: number }>("SELECT passages FROM session WHERE id = ?", [session]);
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
  putHead(writing, session);
  putLeft(db, transcript, piece);
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

/** Returns how many passages more the session has now. */
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
  // Apart from those before: they are cut off again.
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
    // A copy's words are found in the session that it was made of, or that was made of this one.
    writing.words.put(
      id,
      passages.map(([, , , text, isCopy]) => (isCopy === 1 ? "" : text)),
    );
  }
  return list.length - (isOpen ? last.passages.length : 0);
}

function removeUnit({ db, words, stale }: Writing, id: number): void {
  db.run("DELETE FROM unit WHERE id = ?", [id]);
  words.remove(id);
  stale.add(id);
}

/** All that came from one file. What the session has from others stays. */
function dropTranscript(writing: Writing, transcript: number): void {
  const { db } = writing;
  const row = db.get<{ session: number }>("SELECT session FROM transcript WHERE id = ?", [transcript]);
  if (row === undefined) return;
  const units = db.all<{ id: number }>("SELECT id FROM unit WHERE id > ? AND id < ? AND transcript = ?", [
    unitId(row.session, 0),
    unitId(row.session + 1, 0),
    transcript,
  ]);
  for (const { id } of units) removeUnit(writing, id);
  db.run("DELETE FROM transcript WHERE id = ?", [transcript]);
  db.run("DELETE FROM seen WHERE transcript = ?", [transcript]);
  db.run("DELETE FROM left_turn WHERE transcript = ?", [transcript]);
  db.run("DELETE FROM touched WHERE session = ?", [row.session]);
  const rest = db.get<{ n: number }>("SELECT total(count) AS n FROM unit WHERE id > ? AND id < ?", [
    unitId(row.session, 0),
    unitId(row.session + 1, 0),
  ]);
  db.run("UPDATE session SET passages = ?, first_turn = NULL, family = 0 WHERE id = ?", [
    rest?.n ?? 0,
    row.session,
  ]);
}

export function dropSession(writing: Writing, session: number): void {
  const { db } = writing;
  readFamilyAgain(db, session);
  const rows = db.all<{ id: number }>("SELECT id FROM transcript WHERE session = ?", [session]);
  for (const { id } of rows) dropTranscript(writing, id);
  writing.words.remove(unitId(session, 0));
  writing.stale.add(unitId(session, 0));
  db.run("DELETE FROM session WHERE id = ?", [session]);
}
