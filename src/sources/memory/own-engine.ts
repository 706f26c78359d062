import type { ContextOutput, MemoryEngine, RecentOutput, SearchOutput } from "./engine-port.ts";
import type { ConceptContext } from "./graph/build-context.ts";
import type { Memory, RecentNoteWithConcepts } from "./memory.ts";
import type { SearchResult } from "./search/search.ts";

/** Our notes behind the port. The shapes are also what the command line prints. */
export function ownEngine(memory: Memory): MemoryEngine {
  return {
    searchMemories: async (asked) => searchOutput(await memory.search(asked)),
    recentActivity: async ({ filter, ...asked }) =>
      recentOutput(await memory.recent({ ...asked, ...(filter === undefined ? {} : { kind: filter }) })),
    buildContext: async (asked) =>
      contextOutput(await memory.buildContext({ ...asked, includeSiblings: false })),
    close: () => memory.close(),
  };
}

export function searchOutput({ hits }: SearchResult): SearchOutput {
  return { results: hits.map(({ uri, title, score, concepts }) => ({ uri, title, score, concepts })) };
}

export function recentOutput(notes: readonly RecentNoteWithConcepts[]): RecentOutput {
  return {
    items: notes.map(({ uri, title, modified, concepts }) => ({
      uri,
      title,
      modified: new Date(modified).toISOString(),
      concepts,
    })),
  };
}

/** Relations have no kinds: that two concepts stand in the same notes is all that is known. */
export function contextOutput({ concept, direct }: ConceptContext): ContextOutput {
  return {
    concept,
    relatedConcepts: direct.map(({ name, notes }) => ({
      name,
      relationship: "co-occurs-with",
      files: notes,
    })),
    fileReferences: [...new Set(direct.flatMap(({ files }) => files))],
  };
}
