import { describeError } from "../../base/errors.ts";
import { decaySettings, noteValue } from "./decay.ts";
import { identify, readLocated } from "./files/identify.ts";
import { type Listing, listNotes } from "./files/list-notes.ts";
import type { Note } from "./files/note.ts";
import { normaliseConcept } from "./files/wikilinks.ts";
import {
  buildContext,
  type ConceptContext,
  type ContextQuery,
  emptyContext,
  mergeContexts,
} from "./graph/build-context.ts";
import { type Similar, similarConcepts } from "./graph/similar.ts";
import type { MemoryIndex } from "./note-index/memory-index.ts";
import { indexesFor, rootNamed, withoutRoot } from "./root-indexes.ts";
import { type Browsed, type BrowseQuery, browse } from "./search/browse.ts";
import { notesOf, type ProjectNote } from "./search/notes-of.ts";
import type { SeenFrom } from "./search/project-notes.ts";
import { conceptsOf, type RecentNoteWithConcepts, type RecentQuery, recent } from "./search/recent.ts";
import { mergeSearches, type SearchQuery, type SearchResult, search } from "./search/search.ts";
import type { Workspace } from "./workspace.ts";

export interface ValuedNote extends ProjectNote {
  readonly concepts: readonly string[];
  /** By use, recency and decay. */
  readonly value: number;
  /** The value at another time, if nothing else changes. */
  readonly valueAt: (at: number) => number;
}

/** Queries about notes. Only `read` writes anything: that a note was read. */
export function reading({ now, roots, reads, fresh, located, ...given }: Workspace) {
  const decay = decaySettings(given.env);

  /** Reads a found note. Undefined if it was deleted meanwhile or cannot be read: the others are still useful. */
  async function readFound(uri: string): Promise<Note | undefined> {
    try {
      return await readLocated(identify(uri, roots));
    } catch (error) {
      if (describeError(error).code !== "note-not-found") given.onUnreadable(error);
      return undefined;
    }
  }

  return {
    async search(asked: SearchQuery): Promise<SearchResult> {
      const { page = 1, pageSize = 10 } = asked;
      const from = (Math.max(1, page) - 1) * pageSize;
      const asking = indexesFor(await fresh(), asked.folder, roots);
      const semantic = asked.mode === "FullText" ? undefined : await given.loadSemantic();
      const { meaning, isHook, signal } = given;
      const ask = (index: MemoryIndex, query: SearchQuery) =>
        search(index, query, { meaning, semantic: semantic?.rankerFor(index), isHook, signal });
      const [only] = asking;
      if (only !== undefined && asking.length === 1) return ask(only, withoutRoot(asked));
      const found = await Promise.all(
        asking.map((index) => ask(index, { ...withoutRoot(asked), page: 1, pageSize: from + pageSize })),
      );
      return mergeSearches(found, from, pageSize);
    },
    async recent(asked: RecentQuery = {}): Promise<RecentNoteWithConcepts[]> {
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
    /**
     * The notes of a project and global ones, best first: of each kind the newest, the recently read ones, and those at
     * `also`.
     */
    async notesOf(seen: SeenFrom, limit: number, also: readonly string[] = []): Promise<ValuedNote[]> {
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
    /** One page of all notes, including those that no search finds. */
    async browse(asked: BrowseQuery): Promise<Browsed> {
      const asking = indexesFor(await fresh(), asked.folder, roots);
      return browse(asking, withoutRoot(asked), { now: now(), decay, lastRead: reads.lastRead });
    },
    async buildContext(asked: ContextQuery): Promise<ConceptContext> {
      const decayContext = { now: now(), decay, lastRead: reads.lastRead };
      const found = await fresh();
      if (found.length === 0) return emptyContext(asked.conceptName);
      const bodies = new Map<string, string>();
      const build = ({ db }: MemoryIndex, query: ContextQuery) =>
        buildContext(db, query, decayContext, (uri) => bodies.get(uri));
      if (asked.includeContent === true) {
        const direct = found.flatMap((index) => build(index, { ...asked, includeContent: false }).direct);
        for (const uri of new Set(direct.flatMap(({ files }) => files))) {
          const note = await readFound(uri);
          if (note !== undefined) bodies.set(uri, note.body);
        }
      }
      return mergeContexts(
        found.map((index) => build(index, asked)),
        asked.maxEntities ?? 20,
      );
    },
    async similar(concept: string, limit: number): Promise<Similar[]> {
      return (await fresh())
        .flatMap(({ db }) => similarConcepts(db, normaliseConcept(concept), limit))
        .sort((a, b) => b.similarity - a.similarity)
        .slice(0, limit);
    },
    readFound,
    /** Reads without recording it. */
    peek: (identifier: string): Promise<Note> => located(identifier, readLocated),
    /** Records the read too, which makes the note fresh again. */
    read: (identifier: string): Promise<Note> =>
      located(identifier, async (found) => {
        const note = await readLocated(found);
        // If the read cannot be recorded, the note is still returned.
        await reads.recordRead(note.uri, now()).catch((error: unknown) => given.record(error));
        return note;
      }),
    /** Lists a folder of the main root, or of another one: `@name/folder`. */
    list(folder = ""): Listing {
      const { root, below } = rootNamed(folder, roots);
      return listNotes(root, below);
    },
  };
}
