import { sinceTimespan } from "../../search/timespan.ts";
import type { ConceptContext } from "./graph/build-context.ts";
import type { Memory } from "./memory.ts";
import type { SeenFrom } from "./search/project-notes.ts";
import type { RecentNoteWithConcepts } from "./search/recent.ts";
import type { SearchResult } from "./search/search.ts";

/**
 * The three queries at a session's start, in maenifold's JSON format, which other memory programs use too. Answered by
 * Continuo's index (`ownEngine`) or by the user's program (`external/external-engine.ts`, the setting `command`). A
 * failing call rejects, and the caller continues with the results of the others.
 */
export interface MemoryEngine {
  searchMemories(asked: SearchPayload, signal?: AbortSignal): Promise<SearchOutput>;
  recentActivity(asked: RecentPayload, signal?: AbortSignal): Promise<RecentOutput>;
  buildContext(asked: ContextPayload, signal?: AbortSignal): Promise<ContextOutput>;
  close?(): void;
}

interface SearchPayload {
  readonly query: string;
  readonly mode?: "Hybrid" | "Semantic" | "FullText";
  readonly pageSize?: number;
}

export interface SearchOutput {
  readonly results: readonly {
    readonly uri: string;
    readonly title: string;
    readonly score: number;
    readonly concepts: readonly string[];
  }[];
}

interface RecentPayload {
  /** `1.00:00:00` is a day; Continuo also accepts `24h`. */
  readonly timespan?: string;
  readonly limit?: number;
  readonly filter?: "thinking" | "memory" | "assumptions" | "all";
}

export interface RecentOutput {
  readonly items: readonly {
    readonly uri: string;
    readonly title: string;
    /** ISO 8601. */
    readonly modified: string;
    readonly concepts: readonly string[];
  }[];
}

interface ContextPayload {
  readonly conceptName: string;
  readonly depth?: number;
  readonly maxEntities?: number;
  readonly includeContent?: boolean;
}

export interface ContextOutput {
  readonly concept: string;
  readonly relatedConcepts: readonly {
    readonly name: string;
    readonly relationship: string;
    /** How many notes name both concepts. */
    readonly files: number;
  }[];
  readonly fileReferences: readonly string[];
}

/**
 * Continuo's notes as an engine for the start of a session in this project. Does not search for the project's name,
 * because its own notes are known and include those changed recently.
 */
export function ownEngine(memory: Memory, seen: SeenFrom): MemoryEngine {
  const notesOf = async (limit: number) =>
    (await memory.notesOf(seen, limit)).filter(({ relation }) => relation !== "global");
  return {
    async searchMemories({ pageSize = 10 }) {
      const notes = await notesOf(pageSize);
      return {
        results: notes
          .slice(0, pageSize)
          .map(({ uri, title, value, concepts }) => ({ uri, title, score: value, concepts })),
      };
    },
    async recentActivity({ timespan, limit = 10 }) {
      const since = timespan === undefined ? 0 : sinceTimespan(timespan, Date.now());
      const notes = (await notesOf(limit)).filter(({ modified }) => modified >= since);
      return recentOutput(notes.sort((a, b) => b.modified - a.modified).slice(0, limit));
    },
    buildContext: async (asked) =>
      contextOutput(await memory.buildContext({ ...asked, includeSiblings: false })),
    close: () => memory.close(),
  };
}

export function searchOutput({ hits }: SearchResult): SearchOutput {
  return { results: hits.map(({ uri, title, score, concepts }) => ({ uri, title, score, concepts })) };
}

export function recentOutput(
  notes: readonly Pick<RecentNoteWithConcepts, "uri" | "title" | "modified" | "concepts">[],
): RecentOutput {
  return {
    items: notes.map(({ uri, title, modified, concepts }) => ({
      uri,
      title,
      modified: new Date(modified).toISOString(),
      concepts,
    })),
  };
}

/** There is only one kind of relation: two concepts occur in the same notes. */
export function contextOutput({ concept, notes, direct }: ConceptContext): ContextOutput {
  return {
    concept,
    relatedConcepts: direct.map(({ name, notes }) => ({
      name,
      relationship: "co-occurs-with",
      files: notes,
    })),
    // A concept without relations still leads to its notes.
    fileReferences: [...new Set(direct.length === 0 ? notes : direct.flatMap(({ files }) => files))],
  };
}
