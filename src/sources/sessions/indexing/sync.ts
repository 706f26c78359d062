import type { History, SessionFile } from "../../../moments/ports/history.ts";
import type { Project } from "../../../moments/types.ts";
import { dropLeftovers, mergeSome } from "../../../search/merge.ts";
import type { MeaningSource } from "../../../search/vectors/embed-texts.ts";
import { refreshVectors } from "../../../search/vectors/refresh.ts";
import type { Database } from "../../../store/sqlite/types.ts";
import type { SyncOptions, SyncResult } from "../library.ts";
import { applyPieces } from "./apply.ts";
import { type Changed, findChanges, findChangesOfOne } from "./changes.ts";
import { renameAll, startNames } from "./own-names.ts";
import { type Piece, piecesOf } from "./pieces.ts";
import type { Naming } from "./put-session.ts";
import { refill, unitTexts } from "./refill.ts";
import { passedOver, problemsIn } from "./transcripts.ts";

export interface SyncPlace {
  readonly db: Database;
  readonly env: NodeJS.ProcessEnv;
  readonly history: History;
  /** Whether to keep what is no longer on disk. */
  readonly keep: boolean;
  readonly naming: Naming;
  /** The table of meaning, for the vectors of passages. */
  readonly meaning: MeaningSource;
  /** Called for the project of each session that is written. */
  readonly onProject?: (project: Project) => void;
  /** Whether the session or its parent was forgotten (has a tombstone). */
  readonly hasTombstone: (file: SessionFile) => boolean;
}

/** Turns per transaction: enough to leave little to merge, few enough to fit in memory. */
const BATCH_TURNS = 3000;
const BATCH_TURNS_IN_SLICE = 300;
const BATCH_PASSAGES_IN_SLICE = 256;
const MOST_NOTICES = 100;

/**
 * Updates the index from the hosts' transcripts, newest sessions first. May run in several processes at once and stop
 * at any point: each piece is written with the offset after it, and a piece that another process wrote is skipped.
 */
export async function syncSessions(place: SyncPlace, options: SyncOptions = {}): Promise<SyncResult> {
  const { db } = place;
  const { sliceMs, signal, only, onProgress } = options;
  const deadline = Date.now() + (sliceMs ?? Number.POSITIVE_INFINITY);
  const notices: string[] = [];
  const notice = (text: string): void => void (notices.length < MOST_NOTICES && notices.push(text));
  startNames(db);
  const changes = only === undefined ? findChanges(place, notice) : findChangesOfOne(place, only, notice);
  const { changed, removed } = changes;
  const bytes = changed.reduce((sum, one) => sum + leftOf(one), 0);
  let doneBytes = 0;
  let doneSessions = 0;
  let batch: Piece[] = [];
  let turns = 0;
  let passages = 0;
  const flush = async (): Promise<void> => {
    if (batch.length > 0) applyPieces(place, batch);
    batch = [];
    turns = 0;
    passages = 0;
    onProgress?.({ sessions: changed.length, doneSessions, bytes, doneBytes });
    await new Promise((resolve) => setImmediate(resolve));
  };
  // Every slice makes progress, however short it is.
  const isOver = (): boolean => signal?.aborted === true || (Date.now() > deadline && doneBytes > 0);
  let steps = 0;
  const isLate = (): boolean => {
    const hasProgressed = doneBytes + steps++ > 0;
    return signal?.aborted === true || (hasProgressed && Date.now() > deadline);
  };
  const pause = sliceMs === undefined ? undefined : () => signal?.aborted === true || Date.now() > deadline;
  const most = sliceMs === undefined ? BATCH_TURNS : BATCH_TURNS_IN_SLICE;
  const passed: string[] = [];
  let isComplete = true;
  for (const { file, known } of changed) {
    if (isOver()) {
      isComplete = false;
      break;
    }
    const reader = place.history.get(file.host);
    if (reader === undefined) continue;
    for (const piece of piecesOf(reader, file, known, pause)) {
      batch.push(piece);
      turns += piece.turns.length + piece.open.length + 1;
      for (const turn of piece.turns) passages += turn.passages.length;
      doneBytes += Math.max(0, file.key === undefined ? piece.to - piece.from : piece.turns.length);
      reportPiece(piece, notice);
      const oversized = piece.report?.oversized ?? 0;
      if (oversized > 0 && passed.length < MOST_NOTICES)
        passed.push(`${file.path}: ${passedOver(oversized)}`);
      if (piece.report?.isCut === true) isComplete = false;
      const isLarge = turns >= most || (sliceMs !== undefined && passages >= BATCH_PASSAGES_IN_SLICE);
      if (isLarge || (sliceMs !== undefined && Date.now() > deadline)) await flush();
      if (piece.report === undefined && isOver()) {
        isComplete = false;
        break;
      }
    }
    doneSessions++;
  }
  await flush();
  isComplete &&= await refill(place, sliceMs !== undefined, isLate);
  isComplete &&= await renameAll(place, sliceMs !== undefined, isLate);
  isComplete &&= await refreshVectors(db, place.meaning, unitTexts(db), isLate);
  if (sliceMs === undefined && isComplete) await tidy(db, signal, removed > 0);
  if (only === undefined && isComplete) noteComplete(db, doneBytes + removed > 0);
  return {
    sessions: changes.files,
    changed: doneSessions,
    forgotten: removed,
    bytes: doneBytes,
    isComplete,
    notices,
    passed,
  };
}

/** The time of completion need only be accurate to a few minutes. */
const COMPLETE_MS = 5 * 60_000;

/** Writes nothing if nothing has changed, because a write takes a command longer than finding that out. */
function noteComplete(db: Database, hasChanged: boolean): void {
  const now = Date.now();
  const before = db.get<{ at: number }>("SELECT at FROM looked")?.at ?? 0;
  if (hasChanged || before > now || now - before > COMPLETE_MS) db.run("UPDATE looked SET at = ?", [now]);
}

/** Merges segments while nobody waits. No word of removed sessions is left behind. */
async function tidy(db: Database, signal: AbortSignal | undefined, thoroughly: boolean): Promise<void> {
  const step = (): boolean => mergeSome(db) || (thoroughly && dropLeftovers(db));
  while (signal?.aborted !== true && step()) await new Promise((resolve) => setImmediate(resolve));
}

function leftOf({ file, known }: Changed): number {
  return Math.max(0, file.size - (known !== undefined && file.key === undefined ? known.offset : 0));
}

function reportPiece({ file, report }: Piece, notice: (text: string) => void): void {
  if (report === undefined) return;
  const where = `${file.host} ${file.id}`;
  for (const problem of problemsIn(report)) notice(`${where}: ${problem}`);
  const unknown = Object.entries(report.unknown);
  if (unknown.length > 0)
    notice(`${where}: lines of unknown types: ${unknown.map(([type, n]) => `${type} (${n})`).join(", ")}`);
}
