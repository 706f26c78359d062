import type { ConceptContext } from "./graph/build-context.ts";
import { byScore } from "./graph/relations.ts";
import type { SearchResult } from "./search/search.ts";

type Direct = ConceptContext["direct"][number];

/**
 * One concept as all roots know it together. Each root has a graph of its own, so that a folder that is only read can be
 * taken away again without a trace. The numbers of communities are the first root's that has any.
 */
export function mergeContexts(contexts: readonly ConceptContext[], limit: number): ConceptContext {
  const [first, ...rest] = contexts;
  if (first === undefined) throw new Error("no context to merge");
  if (rest.length === 0) return first;
  const direct = new Map<string, Direct>();
  for (const relation of contexts.flatMap((one) => one.direct)) {
    const known = direct.get(relation.name);
    direct.set(relation.name, known === undefined ? relation : together(known, relation));
  }
  const grouped = contexts.find(({ community }) => community !== undefined) ?? first;
  const expanded = new Set(contexts.flatMap((one) => one.expanded));
  return {
    ...first,
    direct: [...direct.values()].sort(byScore).slice(0, limit),
    expanded: [...expanded].filter((name) => !direct.has(name)).slice(0, limit),
    community: grouped.community,
    siblings: grouped.siblings,
  };
}

function together(a: Direct, b: Direct): Direct {
  const notes = a.notes + b.notes;
  const score = a.score + b.score;
  return {
    ...a,
    notes,
    score,
    decayWeight: score / notes,
    files: [...a.files, ...b.files].slice(0, 3),
    ...(a.preview || b.preview ? { preview: { ...a.preview, ...b.preview } } : {}),
  };
}

export function mergeSearches(found: readonly SearchResult[], from: number, pageSize: number): SearchResult {
  return {
    hits: found
      .flatMap(({ hits }) => hits)
      .sort((a, b) => b.score - a.score)
      .slice(from, from + pageSize),
    total: found.reduce((sum, { total }) => sum + total, 0),
    notices: [...new Set(found.flatMap(({ notices }) => notices))],
  };
}
