import { describeError } from "../../../moments/errors.ts";
import type { Database } from "../../../store/sqlite/types.ts";
import type { SessionFile, TranscriptReader } from "../../../transcripts/reader.ts";
import { READERS } from "../../../transcripts/readers.ts";
import { Gathering } from "../../memory/index/gathering.ts";
import { dropLeftovers, mergeSome } from "../../memory/index/merge.ts";
import type { SyncOptions, SyncResult } from "../library.ts";
import { applyPieces, dropSession, settle } from "./apply.ts";
import { type Piece, piecesOf } from "./pieces.ts";
import type { Naming } from "./session-rows.ts";

export interface SyncPlace {
  readonly db: Database;
  readonly env: NodeJS.ProcessEnv;
  /** What is no longer on the disk stays. */
  readonly keep: boolean;
  readonly naming: Naming;
  readonly isForgotten: (file: SessionFile) => boolean;
}

/** Turns in one transaction: enough that merging has little to do, few enough to be held in memory. */
const BATCH_TURNS = 6000;
const BATCH_TURNS_IN_SLICE = 300;
const MOST_NOTICES = 100;

interface KnownTranscript {
  readonly id: number;
  readonly session: number;
  readonly host: string;
  readonly path: string;
  readonly key: string;
  readonly modified: number;
  readonly size: number;
  readonly offset: number;
  readonly tail: string;
  readonly isGone: boolean;
}

/**
 * Brings the index to what the hosts keep, the newest sessions first. May run in several processes at once and be stopped
 * at any point: every piece is written with the offset behind it, and a piece that another process wrote is left out.
 */
export async function syncSessions(place: SyncPlace, options: SyncOptions = {}): Promise<SyncResult> {
  const { db } = place;
  const { sliceMs, signal, only, onProgress } = options;
  const deadline = Date.now() + (sliceMs ?? Number.POSITIVE_INFINITY);
  const notices: string[] = [];
  const notice = (text: string): void => void (notices.length < MOST_NOTICES && notices.push(text));
  const known = knownTranscripts(db);
  const { files, complete } = discover(place.env, notice, only?.host);
  const wanted = only === undefined ? files : files.filter((file) => file.id === only.id);
  const changed = wanted
    .filter((file) => isChanged(file, known.get(keyOf(file))) && !place.isForgotten(file))
    .sort((a, b) => b.modified - a.modified);
  const forgotten = only === undefined ? dropGone(place, known, files, complete) : 0;
  const bytes = changed.reduce((sum, file) => sum + leftOf(file, known.get(keyOf(file))), 0);
  let doneBytes = 0;
  let doneSessions = 0;
  let batch: Piece[] = [];
  let turns = 0;
  const flush = async (): Promise<void> => {
    if (batch.length > 0) applyPieces(db, batch, place.naming);
    batch = [];
    turns = 0;
    onProgress?.({ sessions: changed.length, doneSessions, bytes, doneBytes });
    await new Promise((resolve) => setImmediate(resolve));
  };
  // Every slice does something, however short it is.
  const isOver = (): boolean => signal?.aborted === true || (Date.now() > deadline && doneBytes > 0);
  const most = sliceMs === undefined ? BATCH_TURNS : BATCH_TURNS_IN_SLICE;
  let isComplete = true;
  for (const file of changed) {
    if (isOver()) {
      isComplete = false;
      break;
    }
    for (const piece of piecesOf(READERS[file.host] as TranscriptReader, file, known.get(keyOf(file)))) {
      batch.push(piece);
      turns += piece.turns.length + piece.open.length + 1;
      doneBytes += Math.max(0, file.key === undefined ? piece.to - piece.from : piece.turns.length);
      tellOf(piece, notice);
      if (turns >= most || (sliceMs !== undefined && Date.now() > deadline)) await flush();
      if (piece.report === undefined && isOver()) {
        isComplete = false;
        break;
      }
    }
    doneSessions++;
  }
  await flush();
  if (sliceMs === undefined && isComplete) await tidy(db, signal, forgotten > 0);
  return { sessions: files.length, changed: doneSessions, forgotten, bytes: doneBytes, isComplete, notices };
}

/** What nobody who waits has the time for. What is forgotten leaves no word behind. */
async function tidy(db: Database, signal: AbortSignal | undefined, thoroughly: boolean): Promise<void> {
  const step = (): boolean => mergeSome(db) || (thoroughly && dropLeftovers(db));
  while (signal?.aborted !== true && step()) await new Promise((resolve) => setImmediate(resolve));
}

const keyOf = ({ path, key = "" }: { path: string; key?: string }): string => `${path}\0${key}`;

function isChanged(file: SessionFile, known: KnownTranscript | undefined): boolean {
  return known === undefined || known.modified !== file.modified || known.size !== file.size;
}

function leftOf(file: SessionFile, known: KnownTranscript | undefined): number {
  return Math.max(0, file.size - (known !== undefined && file.key === undefined ? known.offset : 0));
}

/** As one text: a row for each would take most of the time of a look at which nothing has changed. */
function knownTranscripts(db: Database): Map<string, KnownTranscript> {
  const row = db.get<{ all: string }>(
    `SELECT json_group_array(json_array(t.id, session, t.host, path, key, t.modified, size, offset, tail, is_gone)) AS "all"
     FROM transcript t JOIN session ON session.id = t.session`,
  );
  const list = JSON.parse(row?.all ?? "[]") as [
    number,
    number,
    string,
    string,
    string,
    number,
    number,
    number,
    string,
    number,
  ][];
  return new Map(
    list.map(([id, session, host, path, key, modified, size, offset, tail, isGone]) => [
      `${path}\0${key}`,
      { id, session, host, path, key, modified, size, offset, tail, isGone: isGone === 1 },
    ]),
  );
}

/** `complete`: the hosts whose whole history could be listed. What another host's lacks may only be out of reach. */
function discover(env: NodeJS.ProcessEnv, notice: (text: string) => void, only: string | undefined) {
  const files: SessionFile[] = [];
  const complete = new Set<string>();
  for (const reader of Object.values(READERS)) {
    if (only !== undefined && reader.host !== only) continue;
    let failed = false;
    const onFailure = (reason: string): void => {
      failed = true;
      notice(`${reader.host}: ${reason}`);
    };
    try {
      files.push(...reader.discover(env, { onFailure }));
    } catch (error) {
      onFailure(describeError(error).message);
    }
    if (!failed) complete.add(reader.host);
  }
  return { files, complete };
}

function dropGone(
  { db, keep, naming }: SyncPlace,
  known: ReadonlyMap<string, KnownTranscript>,
  files: readonly SessionFile[],
  complete: ReadonlySet<string>,
): number {
  const present = new Set(files.map(keyOf));
  const gone = [...known.values()].filter(
    (one) => complete.has(one.host) && !present.has(keyOf(one)) && !(keep && one.isGone),
  );
  if (gone.length === 0) return 0;
  const there = new Set(
    [...known.values()].filter((one) => present.has(keyOf(one))).map((one) => one.session),
  );
  const sessions = new Set(gone.map(({ session }) => session).filter((session) => !there.has(session)));
  return db.tx(() => {
    let count = 0;
    const writing = { db, words: new Gathering(), stale: new Set<number>(), naming };
    for (const session of sessions) {
      if (keep) {
        db.run("UPDATE session SET is_gone = 1 WHERE id = ?", [session]);
        continue;
      }
      dropSession(writing, session);
      count++;
    }
    settle(writing);
    return count;
  });
}

function tellOf({ file, report }: Piece, notice: (text: string) => void): void {
  if (report === undefined) return;
  const where = `${file.host} ${file.id}`;
  if (report.failure !== undefined) notice(`${where}: ${report.failure}`);
  if (report.damaged > 0) notice(`${where}: ${report.damaged} damaged line(s) passed over`);
  if (report.oversized > 0) notice(`${where}: ${report.oversized} line(s) too long to read`);
  const unknown = Object.entries(report.unknown);
  if (unknown.length > 0)
    notice(`${where}: lines of unknown types: ${unknown.map(([type, n]) => `${type} (${n})`).join(", ")}`);
}
