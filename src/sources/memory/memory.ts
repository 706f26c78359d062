import { type Problem, typed, type Values } from "../../base/settings.ts";
import type { Home } from "../../store/home.ts";
import { accessDays } from "./access.ts";
import { mergeContexts, mergeSearches } from "./across-roots.ts";
import type { ByMeaning } from "./by-meaning.ts";
import { indexesFor, rootNamed, withoutRoot } from "./choose-root.ts";
import { buildContext, type ConceptContext, type ContextQuery } from "./graph/build-context.ts";
import { keepCommunities } from "./graph/community-store.ts";
import { decaySettings } from "./graph/decay.ts";
import { type Similar, similarConcepts } from "./graph/similar.ts";
import { refreshNotes } from "./index/apply.ts";
import type { MemoryIndex } from "./index/memory-index.ts";
import type { SyncOptions, SyncResult } from "./index/sync.ts";
import { normaliseConcept } from "./notes/concept.ts";
import { deleteNote } from "./notes/delete-note.ts";
import { type EditOptions, editNote } from "./notes/edit-note.ts";
import type { Edit } from "./notes/edit-text.ts";
import { noteFailure } from "./notes/failures.ts";
import { identify, type Located } from "./notes/identify.ts";
import { type Listing, listNotes } from "./notes/list-notes.ts";
import { moveNote } from "./notes/move-note.ts";
import type { Note } from "./notes/note.ts";
import { readNote } from "./notes/read-note.ts";
import type { MemoryRoot } from "./notes/root.ts";
import { findRoots } from "./notes/roots.ts";
import { type NewNote, type Written, writeNote } from "./notes/write-note.ts";
import { rootIndexes } from "./root-indexes.ts";
import { type RecentNote, type RecentQuery, recent } from "./search/recent.ts";
import { type SearchQuery, type SearchResult, search } from "./search/search.ts";
import { MEMORY_SETTINGS, rootSettings } from "./settings.ts";
import type { EmbedOptions, EmbedResult } from "./vectors/embed-pending.ts";

export interface MemoryOptions {
  readonly home: Home;
  readonly env: NodeJS.ProcessEnv;
  readonly settings: Values;
  readonly now?: () => number;
  /**
   * How long a question may first look at what changed on disk, so that a note edited a second ago is found. A hook has
   * much less than a command; 0 looks at nothing.
   */
  readonly syncMs?: number;
  /** How long to wait for another process that writes the index. */
  readonly busyTimeoutMs?: number;
  /** A question may load the model that the settings name: for commands and tools. A hook has no time for it. */
  readonly maySearchByMeaning?: boolean;
  readonly signal?: AbortSignal;
  /** Somebody only looks: an index that is not there is not made. */
  readonly readOnly?: boolean;
}

export type RecentNoteWithConcepts = RecentNote & { readonly concepts: readonly string[] };

/** All that can be done with notes. The one door for tools, hooks and the command line. */
export interface Memory {
  /** The main root first. */
  readonly roots: readonly MemoryRoot[];
  /** What is wrong with the settings about roots. */
  readonly problems: readonly Problem[];
  search(asked: SearchQuery): Promise<SearchResult>;
  recent(asked?: RecentQuery): Promise<RecentNoteWithConcepts[]>;
  buildContext(asked: ContextQuery): Promise<ConceptContext>;
  similar(concept: string, limit: number): Promise<Similar[]>;
  /** Resets the note's decay: what is read is in use. */
  read(identifier: string): Promise<Note>;
  /** The same for a machine's own purposes: nothing is reset. */
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
  /** A folder of the main root, or of another: `@name/folder`. */
  list(folder?: string): Listing;
  /**
   * Looks at every file and finds the communities anew where they are unknown; with `sliceMs` only as far as that goes,
   * and no communities.
   */
  sync(options?: SyncOptions): Promise<SyncResult>;
  /** Gives notes the vectors by which they are found by meaning; undefined where that is not turned on. */
  embed(options?: EmbedOptions): Promise<EmbedResult | undefined>;
  /** The indexes of the roots that exist, opened; for reports and measurements. */
  indexes(): readonly MemoryIndex[];
  close(): void;
}

/** Measured at 10,000 notes in 100 folders: looking at every one of them takes about this long (docs/session-start.md). */
const QUESTION_SYNC_MS = 150;

/** Opens nothing yet: an index is opened by the first question, and only where there is a folder of notes. */
export function openMemory(options: MemoryOptions): Memory {
  const { home, env, now = Date.now, syncMs = QUESTION_SYNC_MS } = options;
  const { roots, problems } = findRoots(rootSettings(options.settings), home, env);
  const desk = { locks: home.locks, now };
  const access = accessDays(home);
  const decay = decaySettings(env);
  const indexes = rootIndexes(roots, options);

  /** The indexes, after a short look at the files. */
  async function fresh(): Promise<MemoryIndex[]> {
    if (syncMs > 0) await indexes.sync({ sliceMs: syncMs, ...signalled(options) });
    return indexes.all();
  }

  const isByMeaning =
    options.maySearchByMeaning === true && typed(MEMORY_SETTINGS, options.settings).semantic !== "off";

  /** Undefined where nothing is found by meaning; few turn it on, so nobody else loads what it needs. */
  async function meaning(): Promise<ByMeaning | undefined> {
    if (!isByMeaning) return undefined;
    const { byMeaning } = await import("./by-meaning.ts");
    return byMeaning(options.settings, home, env);
  }

  /** What we changed ourselves is known at once. */
  async function refresh(root: MemoryRoot, paths: readonly string[]): Promise<void> {
    const index = indexes.of(root);
    if (index !== undefined) await refreshNotes(index, paths);
  }

  async function located<T>(identifier: string, work: (found: Located) => Promise<T>): Promise<T> {
    return work(identify(identifier, roots));
  }

  return {
    roots,
    problems,
    indexes: indexes.all,
    async search(asked) {
      const { page = 1, pageSize = 10 } = asked;
      const from = (Math.max(1, page) - 1) * pageSize;
      const asking = indexesFor(await fresh(), asked.folder, roots);
      const meant = asked.mode === "FullText" ? undefined : await meaning();
      const ask = (index: MemoryIndex, query: SearchQuery) =>
        search(index, query, { semantic: meant?.armOf(index), ...signalled(options) });
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
    async buildContext(asked) {
      const look = { now: now(), decay, lastRead: access.lastRead };
      const bodies = new Map<string, string>();
      const found = await fresh();
      if (found.length === 0) return { ...NO_CONTEXT, concept: normaliseConcept(asked.conceptName) };
      if (asked.includeContent === true) {
        for (const index of found) {
          const { direct } = buildContext(
            index.db,
            { ...asked, includeContent: false },
            look,
            () => undefined,
          );
          for (const uri of new Set(direct.flatMap(({ files }) => files))) {
            const note = await readLocated(identify(uri, roots)).catch(() => undefined);
            if (note !== undefined) bodies.set(uri, note.body);
          }
        }
      }
      const contexts = found.map(({ db }) => buildContext(db, asked, look, (uri) => bodies.get(uri)));
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
        // A clock that cannot be reset is no reason to refuse the note.
        await access.wasRead(note.uri, now()).catch(() => undefined);
        return note;
      }),
    async write(note) {
      const [main] = roots;
      if (main === undefined) throw noteFailure("note-path", "there is no memory folder", "set memory.root");
      const written = await writeNote(desk, main, note);
      await refresh(main, [written.path]);
      return written;
    },
    edit: (identifier, edit, edits) =>
      located(identifier, async (found) => {
        const edited = await editNote(desk, found, edit, edits);
        await refresh(found.root, [found.path]);
        return edited;
      }),
    move: (identifier, destination) =>
      located(identifier, async (found) => {
        const moved = await moveNote(desk, found, destination);
        await refresh(found.root, [found.path, moved.path]);
        await access.wasMoved(moved.from, moved.uri).catch(() => undefined);
        return moved;
      }),
    delete: (identifier, confirm) =>
      located(identifier, async (found) => {
        await deleteNote(desk, found, confirm);
        await refresh(found.root, [found.path]);
        return { uri: found.uri };
      }),
    list(folder = "") {
      const { root, below } = rootNamed(folder, roots);
      return listNotes(root, below);
    },
    async embed(given = {}) {
      const all: EmbedResult = { embedded: 0, passages: 0, pending: 0 };
      const meant = await meaning();
      if (meant === undefined) return undefined;
      for (const index of indexes.all()) {
        const one = await meant.embed(index, given);
        all.embedded += one.embedded;
        all.passages += one.passages;
        all.pending += one.pending;
      }
      return all;
    },
    async sync(given = {}) {
      const result = await indexes.sync(given);
      if (result.isComplete && given.sliceMs === undefined)
        for (const { db } of indexes.all()) keepCommunities(db);
      return result;
    },
    close: indexes.close,
  };
}

function signalled({ signal }: MemoryOptions): { readonly signal?: AbortSignal } {
  return signal === undefined ? {} : { signal };
}

const NO_CONTEXT: Omit<ConceptContext, "concept"> = {
  depth: 0,
  direct: [],
  expanded: [],
  community: undefined,
  siblings: [],
};

async function readLocated(found: Located): Promise<Note> {
  const note = await readNote(found.root, found.path);
  if (note === undefined) throw noteFailure("note-not-found", `${found.uri} is gone`, "search for it again");
  return note;
}

function conceptsOf({ db }: MemoryIndex, uri: string): string[] {
  return db
    .all<{ name: string }>(
      `SELECT c.name FROM note AS n JOIN mention AS m ON m.note = n.id JOIN concept AS c ON c.id = m.concept
       WHERE n.uri = ? ORDER BY m.place`,
      [uri],
    )
    .map(({ name }) => name);
}
