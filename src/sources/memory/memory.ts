import { describeError } from "../../base/errors.ts";
import { type Problem, typed, type Values } from "../../base/settings.ts";
import { isModel } from "../../models/semantic-settings.ts";
import { sharedMeaning } from "../../search/meaning/shared.ts";
import type { MeaningSource } from "../../search/vectors/embed-texts.ts";
import { failure, recordHealth } from "../../store/health.ts";
import type { Home } from "../../store/home.ts";
import { removePrepared } from "../../store/prepared.ts";
import type { Trashed } from "../../store/trash.ts";
import {
  buildContext,
  type ConceptContext,
  type ContextQuery,
  emptyContext,
  mergeContexts,
} from "./graph/build-context.ts";
import { updateCommunities } from "./graph/communities.ts";
import { decaySettings, lastReads, noteValue } from "./graph/decay.ts";
import { type Similar, similarConcepts } from "./graph/similar.ts";
import { notesTitled, refreshNotes } from "./note-index/apply.ts";
import type { MemoryIndex } from "./note-index/memory-index.ts";
import { indexesFor, rootIndexes, rootNamed, withoutRoot } from "./note-index/root-indexes.ts";
import { refreshPending, type SyncOptions, type SyncResult } from "./note-index/sync.ts";
import { type Edit, type EditOptions, editNote } from "./notes/edit-note.ts";
import { noteFailure } from "./notes/failures.ts";
import { identify, type Located, readLocated } from "./notes/identify.ts";
import { type Listing, listNotes } from "./notes/list-notes.ts";
import { deleteNote, moveNote } from "./notes/move-delete.ts";
import type { Note } from "./notes/note.ts";
import { findRoots, type MemoryRoot } from "./notes/roots.ts";
import { SCHEME } from "./notes/uri.ts";
import { normaliseConcept } from "./notes/wikilinks.ts";
import { type NewNote, type Written, writeNote } from "./notes/write-note.ts";
import { type Browsed, type BrowseQuery, browse } from "./search/browse.ts";
import { notesOf, type ProjectNote } from "./search/notes-of.ts";
import type { SeenFrom } from "./search/project-notes.ts";
import { conceptsOf, type RecentNoteWithConcepts, type RecentQuery, recent } from "./search/recent.ts";
import { mergeSearches, type SearchQuery, type SearchResult, search } from "./search/search.ts";
import { MEMORY_SETTINGS, memorySettings, rootSettings } from "./settings.ts";
import type { EmbedOptions, EmbedResult } from "./vectors/embed-pending.ts";
import type { SemanticSearch } from "./vectors/semantic-search.ts";

export interface MemoryOptions {
  readonly home: Home;
  readonly env: NodeJS.ProcessEnv;
  readonly settings: Values;
  readonly now?: () => number;
  /**
   * How long a query may first sync changed files, so that a note edited a second ago is found. Hooks have much less time
   * than commands; 0 syncs nothing.
   */
  readonly syncMs?: number;
  /** How long to wait for another process that writes the index. */
  readonly busyTimeoutMs?: number;
  /** Hooks have no time to load a larger model or to look for typing errors. */
  readonly isHook?: boolean;
  readonly signal?: AbortSignal;
  /** Do not create an index that does not exist. */
  readonly readOnly?: boolean;
  /** The table of meaning; that of the package by default. */
  readonly meaning?: MeaningSource;
  /** The process lives on: indexes stay open for the next call when they are closed (`openKeptIndex`). */
  readonly keepsOpen?: boolean;
}

export interface ValuedNote extends ProjectNote {
  readonly concepts: readonly string[];
  /** By use, recency and decay. */
  readonly value: number;
  /** The same at another time, if nothing else changes. */
  readonly valueAt: (at: number) => number;
}

/** All operations on notes: the one interface for tools, hooks and the command line. */
export interface Memory {
  /** The main root first. */
  readonly roots: readonly MemoryRoot[];
  /** Problems with the settings of roots. */
  readonly problems: readonly Problem[];
  search(asked: SearchQuery): Promise<SearchResult>;
  recent(asked?: RecentQuery): Promise<RecentNoteWithConcepts[]>;
  /** The notes of a project and global ones, the best first: of each kind the newest, those read lately, and those at `also`. */
  notesOf(seen: SeenFrom, limit: number, also?: readonly string[]): Promise<ValuedNote[]>;
  /** One page of all notes, also those that no search finds. */
  browse(asked: BrowseQuery): Promise<Browsed>;
  buildContext(asked: ContextQuery): Promise<ConceptContext>;
  similar(concept: string, limit: number): Promise<Similar[]>;
  /** Where a note is. */
  locate(identifier: string): Located;
  /** Also records the read, which makes the note fresh again. */
  read(identifier: string): Promise<Note>;
  /** Reads without recording it. */
  peek(identifier: string): Promise<Note>;
  write(note: NewNote): Promise<Written>;
  edit(
    identifier: string,
    edit: Edit,
    options?: EditOptions,
  ): Promise<{ readonly uri: string; readonly path: string; readonly checksum: string }>;
  move(
    identifier: string,
    destination: string,
  ): Promise<{ readonly uri: string; readonly path: string; readonly from: string }>;
  delete(identifier: string, confirm: boolean): Promise<{ readonly uri: string }>;
  /** Moves a note to the trash. */
  discard(identifier: string): Promise<{ readonly uri: string; readonly trashed: Trashed }>;
  /** Brings it back from there. */
  bringBack(trashed: Trashed): Promise<{ readonly uri: string; readonly path: string }>;
  /** A folder of the main root, or of another one: `@name/folder`. */
  list(folder?: string): Listing;
  /** Checks every file and computes missing communities. With `sliceMs` it stops after that time, without communities. */
  sync(options?: SyncOptions): Promise<SyncResult>;
  /** Makes vectors of the table of meaning that are pending, for at most this time. */
  refreshVectors(options: Pick<SyncOptions, "signal"> & { readonly sliceMs: number }): Promise<void>;
  /** Computes the vectors of a larger model; undefined if none is set. */
  embed(options?: EmbedOptions): Promise<EmbedResult | undefined>;
  /** The opened indexes of existing roots, for reports and benchmarks. */
  indexes(): readonly MemoryIndex[];
  close(): void;
}

/** Checking 10,000 notes in 100 folders takes about this long (docs/design/notes.md). */
const QUESTION_SYNC_MS = 150;

/** Opens no file yet: an index is opened by the first query, and only if the root's folder exists. */
export function openMemory(options: MemoryOptions): Memory {
  const { home, env, now = Date.now, syncMs = QUESTION_SYNC_MS } = options;
  const { roots, problems } = findRoots(rootSettings(options.settings), home, env);
  const writeContext = { locks: home.locks, now };
  const reads = lastReads(home);
  const decay = decaySettings(env);
  const { semantic: wanted } = typed(MEMORY_SETTINGS, options.settings);
  const meaning: MeaningSource =
    wanted === "off" ? () => undefined : (options.meaning ?? sharedMeaning(home));
  const indexes = rootIndexes(roots, { ...options, meaning });

  /** The indexes, after a short sync. */
  async function fresh(): Promise<MemoryIndex[]> {
    if (syncMs > 0) await indexes.sync({ sliceMs: syncMs, signal: options.signal });
    return indexes.all();
  }

  /** Undefined unless a larger model is set. Few set one, so its code is loaded only then. */
  async function loadSemantic(): Promise<SemanticSearch | undefined> {
    if (options.isHook === true || !isModel(wanted)) return undefined;
    const { semanticSearch } = await import("./vectors/semantic-search.ts");
    return semanticSearch(options.settings, home, env);
  }

  /** Puts Continuo's own changes into the index at once. The files have them: if this fails, a later sync does it. */
  async function refresh(root: MemoryRoot, paths: readonly string[]): Promise<void> {
    try {
      const index = indexes.of(root);
      if (index !== undefined) await refreshNotes(index, paths);
    } catch (error) {
      recordHealth(home.logs, failure("notes index", error, now()));
    }
  }

  function titled(title: string): Located[] {
    return roots.flatMap((root) => {
      const index = indexes.of(root);
      return index === undefined ? [] : notesTitled(index, title).map((one) => ({ root, ...one }));
    });
  }

  const locate = (identifier: string): Located => identify(identifier, roots, titled);
  /** A title may be that of a note which is not indexed yet: before giving up, the index is synced. */
  const located = async <T>(identifier: string, work: (found: Located) => Promise<T>): Promise<T> => {
    let found: Located;
    try {
      found = locate(identifier);
    } catch (error) {
      if (describeError(error).code !== "note-not-found" || identifier.startsWith(SCHEME)) throw error;
      await indexes.sync({ sliceMs: QUESTION_SYNC_MS, signal: options.signal });
      found = locate(identifier);
    }
    return work(found);
  };

  return {
    roots,
    problems,
    locate,
    indexes: indexes.all,
    async search(asked) {
      const { page = 1, pageSize = 10 } = asked;
      const from = (Math.max(1, page) - 1) * pageSize;
      const asking = indexesFor(await fresh(), asked.folder, roots);
      const semantic = asked.mode === "FullText" ? undefined : await loadSemantic();
      const ask = (index: MemoryIndex, query: SearchQuery) =>
        search(index, query, {
          meaning: wanted === "off" ? undefined : meaning,
          semantic: semantic?.rankerFor(index),
          isHook: options.isHook === true,
          signal: options.signal,
        });
      const [only] = asking;
      if (only !== undefined && asking.length === 1) return ask(only, withoutRoot(asked));
      const found = await Promise.all(
        asking.map((index) => ask(index, { ...withoutRoot(asked), page: 1, pageSize: from + pageSize })),
      );
      return mergeSearches(found, from, pageSize);
    },
    async recent(asked = {}) {
      const { limit = 10 } = asked;
      return indexesFor(await fresh(), asked.folder, roots)
        .flatMap((index) =>
          recent(index, { now: now(), ...withoutRoot(asked) }).map((note) => ({
            ...note,
            concepts: conceptsOf(index, note.uri),
          })),
        )
        .sort((a, b) => b.modified - a.modified)
        .slice(0, limit);
    },
    async notesOf(seen, limit, also = []) {
      const at = now();
      const wanted = [...also, ...reads.latest(limit)];
      return (await fresh())
        .flatMap((index) =>
          notesOf(index, seen, limit, wanted).map((note) => {
            const valueAt = (time: number) => noteValue(note, reads.lastRead(note.uri), time, decay);
            return { ...note, concepts: conceptsOf(index, note.uri), value: valueAt(at), valueAt };
          }),
        )
        .sort((a, b) => b.value - a.value);
    },
    async browse(asked) {
      const asking = indexesFor(await fresh(), asked.folder, roots);
      return browse(asking, withoutRoot(asked), { now: now(), decay, lastRead: reads.lastRead });
    },
    async buildContext(asked) {
      const decayContext = { now: now(), decay, lastRead: reads.lastRead };
      const bodies = new Map<string, string>();
      const found = await fresh();
      if (found.length === 0) return emptyContext(asked.conceptName);
      if (asked.includeContent === true) {
        for (const index of found) {
          const { direct } = buildContext(
            index.db,
            { ...asked, includeContent: false },
            decayContext,
            () => undefined,
          );
          for (const uri of new Set(direct.flatMap(({ files }) => files))) {
            const note = await readLocated(identify(uri, roots)).catch(() => undefined);
            if (note !== undefined) bodies.set(uri, note.body);
          }
        }
      }
      const contexts = found.map(({ db }) => buildContext(db, asked, decayContext, (uri) => bodies.get(uri)));
      return mergeContexts(contexts, asked.maxEntities ?? 20);
    },
    async similar(concept, limit) {
      return (await fresh())
        .flatMap(({ db }) => similarConcepts(db, normaliseConcept(concept), limit))
        .sort((a, b) => b.similarity - a.similarity)
        .slice(0, limit);
    },
    peek: (identifier) => located(identifier, readLocated),
    read: (identifier) =>
      located(identifier, async (found) => {
        const note = await readLocated(found);
        // If the read cannot be recorded, the note is still returned.
        await reads.recordRead(note.uri, now()).catch(() => undefined);
        return note;
      }),
    async write(note) {
      const [main] = roots;
      if (main === undefined) throw noteFailure("note-path", "there is no notes folder", "set memory.root");
      const written = await writeNote(writeContext, main, note);
      await refresh(main, [written.path]);
      return written;
    },
    edit: (identifier, edit, edits) =>
      located(identifier, async (found) => {
        const edited = await editNote(writeContext, found, edit, edits);
        await refresh(found.root, [found.path]);
        return edited;
      }),
    move: (identifier, destination) =>
      located(identifier, async (found) => {
        const moved = await moveNote(writeContext, found, destination);
        await refresh(found.root, [found.path, moved.path]);
        await reads.recordMove(moved.from, moved.uri).catch(() => undefined);
        return moved;
      }),
    delete: (identifier, confirm) =>
      located(identifier, async (found) => {
        await deleteNote(writeContext, found, confirm);
        removePrepared(home.root, "memory");
        await refresh(found.root, [found.path]);
        return { uri: found.uri };
      }),
    discard: (identifier) =>
      located(identifier, async (found) => {
        const { discardNote } = await import("./notes/trash-note.ts");
        const trashed = await discardNote(writeContext, home, found);
        removePrepared(home.root, "memory");
        await refresh(found.root, [found.path]);
        return { uri: found.uri, trashed };
      }),
    async bringBack(trashed) {
      const { bringBackNote } = await import("./notes/trash-note.ts");
      const { root, path, uri } = await bringBackNote(writeContext, home, roots, trashed);
      await refresh(root, [path]);
      return { uri, path };
    },
    list(folder = "") {
      const { root, below } = rootNamed(folder, roots);
      return listNotes(root, below);
    },
    async embed(given = {}) {
      const all: EmbedResult = { embedded: 0, passages: 0, pending: 0 };
      const semantic = await loadSemantic();
      if (semantic === undefined) return undefined;
      for (const index of indexes.all()) {
        const one = await semantic.embed(index, given);
        all.embedded += one.embedded;
        all.passages += one.passages;
        all.pending += one.pending;
      }
      return all;
    },
    async sync(given = {}) {
      const result = await indexes.sync(given);
      if (result.isComplete && given.sliceMs === undefined)
        for (const { db } of indexes.all()) updateCommunities(db);
      return result;
    },
    async refreshVectors({ sliceMs, signal }) {
      const deadline = Date.now() + sliceMs;
      for (const index of indexes.all()) await refreshPending(index, deadline, signal);
    },
    close: indexes.close,
  };
}

/** Where notes are opened, for one call. */
export interface CallPlace extends Pick<MemoryOptions, "home" | "env" | "syncMs" | "signal"> {
  readonly now: number | (() => number);
  readonly tell?: (line: string) => void;
}

/** Opens the notes for one call of an action, a tool or a resource, and always closes them. Says what is wrong with the settings. */
export async function withMemory<T>(place: CallPlace, work: (memory: Memory) => T | Promise<T>): Promise<T> {
  const { home, env, syncMs, signal, tell } = place;
  const now = typeof place.now === "function" ? place.now : () => Number(place.now);
  const memory = openMemory({ home, env, settings: memorySettings(home, env), now, syncMs, signal });
  for (const { message, hint } of memory.problems) tell?.(`continuo: ${message} (${hint})`);
  try {
    return await work(memory);
  } finally {
    memory.close();
  }
}
