import { ContinuoError, describeError } from "../../../base/errors.ts";
import type { Embedder } from "../../../models/embedder.ts";
import { passagesOf } from "../../../search/passages.ts";
import { redact } from "../../../store/redact.ts";
import { pathOf } from "../index/apply.ts";
import type { MemoryIndex } from "../index/memory-index.ts";
import type { Note } from "../notes/note.ts";
import { type Int8Vector, paddedDimensions, toInt8 } from "./int8.ts";
import { hasVectors, pendingCount, putVectors, useModel, vectorModel } from "./vector-shelf.ts";

/** Notes in one transaction. */
const BATCH = 16;
/** Of a note: at most so many, its first ones. A book would hold up all other notes, and a slice ends between notes. */
const MOST_PASSAGES = 64;
/** So many notes may be refused one by one; more means that the model takes none. */
const MOST_REFUSED = 10;

export interface EmbedOptions {
  readonly signal?: AbortSignal;
  /** Stop soon after this time; the next call goes on. */
  readonly sliceMs?: number;
  onProgress?(result: Readonly<EmbedResult>): void;
}

export interface EmbedResult {
  /** Notes that were given vectors. */
  embedded: number;
  passages: number;
  /** Notes that still have none. */
  pending: number;
}

/**
 * Gives vectors to notes that have none, the last changed first. May be stopped at any point and run in several
 * processes: what was stored stays, and a note that changed while it was embedded remains pending.
 */
export async function embedPending(
  index: MemoryIndex,
  embedder: Embedder,
  options: EmbedOptions = {},
): Promise<EmbedResult> {
  const { db } = index;
  if (!hasVectors(db))
    throw new ContinuoError("vectors-missing", "this index has no place for vectors", {
      hint: "open it with the vector shelf",
    });
  const deadline = Date.now() + (options.sliceMs ?? Number.POSITIVE_INFINITY);
  const isOver = (): boolean => options.signal?.aborted === true || Date.now() > deadline;
  const result: EmbedResult = { embedded: 0, passages: 0, pending: 0 };
  if (vectorModel(db).model !== embedder.id)
    db.tx(() => useModel(db, { model: embedder.id, dimensions: storedDimensions(embedder) }));
  const tried = new Set<number>();
  let refused = 0;
  do {
    const batch = pendingNotes(index, tried);
    if (batch.length === 0) break;
    const done = new Map<Pending, readonly Float32Array[]>();
    try {
      for (const one of batch) {
        tried.add(one.id);
        const vectors = await embedNote(index, one, embedder, options.signal).catch((error: unknown) => {
          // It would hold up every older note, today and at each later try.
          if (describeError(error).code === "embedding-refused" && ++refused <= MOST_REFUSED)
            return undefined;
          throw error;
        });
        if (vectors !== undefined) done.set(one, vectors);
        if (isOver()) break;
      }
    } catch (error) {
      if (options.signal?.aborted !== true) throw error;
    } finally {
      // Also when the model failed in the middle: what it gave before is good.
      if (done.size > 0) keep(index, embedder, done, result);
    }
    result.pending = pendingCount(db);
    options.onProgress?.(result);
  } while (!isOver());
  result.pending = pendingCount(db);
  return result;
}

interface Pending {
  readonly id: number;
  readonly name: string;
  readonly folder: string;
  readonly checksum: string;
}

function pendingNotes({ db }: MemoryIndex, tried: ReadonlySet<number>): Pending[] {
  return db
    .all<Pending>(
      `SELECT note.id, name, folder.path AS folder, checksum FROM note JOIN folder ON folder.id = note.folder
       WHERE note.id NOT IN (SELECT note FROM vec_note) ORDER BY note.modified DESC, note.id LIMIT ?`,
      [BATCH + tried.size],
    )
    .filter(({ id }) => !tried.has(id))
    .slice(0, BATCH);
}

/** undefined when it is no longer the note that the index knows. */
async function embedNote(
  index: MemoryIndex,
  { folder, name, checksum }: Pending,
  embedder: Embedder,
  signal: AbortSignal | undefined,
): Promise<readonly Float32Array[] | undefined> {
  const note = await readable(index, pathOf(index, folder, name));
  if (note === undefined || !note.checksum.startsWith(checksum)) return undefined;
  const texts = embeddedTexts(note);
  return texts.length === 0 ? [] : embedder.embed(texts, "document", signal);
}

async function readable({ files }: MemoryIndex, path: string): Promise<Note | undefined> {
  try {
    return await files.read(path);
  } catch (error) {
    if (error instanceof ContinuoError) return undefined; // the sync tells of it
    throw error;
  }
}

/**
 * The passages as the text shelf cuts them, each under the note's title; none when the note says nothing. They may be sent
 * to somebody's endpoint: without their secrets.
 */
function embeddedTexts({ title, body }: Pick<Note, "title" | "body">): string[] {
  if (title.trim() === "" && body.trim() === "") return [];
  // No endpoint takes an empty text; a passage of mere space keeps its place all the same.
  return passagesOf(body)
    .slice(0, MOST_PASSAGES)
    .map((passage) => redact(`${title}\n${passage}`).trim() || "-");
}

function keep(
  { db }: MemoryIndex,
  embedder: Embedder,
  done: ReadonlyMap<Pending, readonly Float32Array[]>,
  result: EmbedResult,
): void {
  db.tx(() => {
    useModel(db, { model: embedder.id, dimensions: storedDimensions(embedder) });
    const fresh = new Map<number, readonly Int8Vector[]>();
    for (const [{ id, checksum }, vectors] of done) {
      // Changed, gone, or embedded by another process, while we were at it.
      const isPending = db.get(
        "SELECT 1 FROM note WHERE id = ? AND checksum = ? AND id NOT IN (SELECT note FROM vec_note)",
        [id, checksum],
      );
      if (isPending === undefined) continue;
      fresh.set(id, vectors.map(toInt8));
      result.embedded++;
      result.passages += vectors.length;
    }
    putVectors(db, fresh);
  });
}

const storedDimensions = ({ dimensions = 0 }: Embedder): number => paddedDimensions(dimensions);
