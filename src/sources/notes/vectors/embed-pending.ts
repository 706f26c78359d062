import { ContinuoError, describeError } from "../../../base/errors.ts";
import type { Embedder } from "../../../models/embedder.ts";
import { passagesOf } from "../../../search/passages.ts";
import { redact } from "../../../store/redact.ts";
import type { Note } from "../files/note.ts";
import { pathOf } from "../note-index/apply.ts";
import type { MemoryIndex } from "../note-index/memory-index.ts";
import { type Int8Vector, paddedDimensions, toInt8 } from "./chunk.ts";
import { hasVectors, pendingCount, putVectors, useModel, vectorModel } from "./vector-store.ts";

/** Notes in one transaction. */
const BATCH = 16;
/**
 * Only the first passages of a note are embedded: a book would delay all other notes, and a slice ends between notes.
 */
const MAX_PASSAGES = 64;
/** How many notes the model may refuse; more means that it accepts none. */
const MAX_REFUSED = 10;

export interface EmbedOptions {
  readonly signal?: AbortSignal;
  /** Stop soon after this time; the next call continues. */
  readonly sliceMs?: number;
  onProgress?(result: Readonly<EmbedResult>): void;
}

export interface EmbedResult {
  /** Notes that got vectors. */
  embedded: number;
  passages: number;
  /** Notes that still have no vectors. */
  pending: number;
}

/**
 * Computes vectors for notes that have none, most recently changed first. May be stopped at any point and run in
 * several processes: stored vectors stay, and a note that changes while it is embedded stays pending.
 */
export async function embedPending(
  index: MemoryIndex,
  embedder: Embedder,
  options: EmbedOptions = {},
): Promise<EmbedResult> {
  const { db } = index;
  if (!hasVectors(db))
    throw new ContinuoError("vectors-missing", "this index has no tables for vectors", {
      hint: "open it with the vector plug-in",
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
          // Skip it: it would block every older note, now and at each later attempt.
          if (describeError(error).code === "embedding-refused" && ++refused <= MAX_REFUSED) return undefined;
          throw error;
        });
        if (vectors !== undefined) done.set(one, vectors);
        if (isOver()) break;
      }
    } catch (error) {
      if (options.signal?.aborted !== true) throw error;
    } finally {
      // Even if the model failed in between, because the vectors before that are valid.
      if (done.size > 0) store(index, embedder, done, result);
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

/** undefined if the note has changed since it was indexed. */
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
    if (error instanceof ContinuoError) return undefined; // the sync reports it
    throw error;
  }
}

/**
 * The same passages as in the text plug-in, each with the note's title; none if the note is empty. Without secrets,
 * because they may be sent to an endpoint.
 */
function embeddedTexts({ title, body }: Pick<Note, "title" | "body">): string[] {
  if (title.trim() === "" && body.trim() === "") return [];
  // Endpoints reject an empty text, but a passage of white space must keep its number.
  return passagesOf(body)
    .slice(0, MAX_PASSAGES)
    .map((passage) => redact(`${title}\n${passage}`).trim() || "-");
}

function store(
  { db }: MemoryIndex,
  embedder: Embedder,
  done: ReadonlyMap<Pending, readonly Float32Array[]>,
  result: EmbedResult,
): void {
  db.tx(() => {
    useModel(db, { model: embedder.id, dimensions: storedDimensions(embedder) });
    const fresh = new Map<number, readonly Int8Vector[]>();
    for (const [{ id, checksum }, vectors] of done) {
      // Meanwhile it may have been changed, deleted, or embedded by another process.
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
