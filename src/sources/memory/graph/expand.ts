import type { Database } from "../../../store/sqlite/types.ts";
import { byScore, directRelations, type Look } from "./relations.ts";

/** How many concepts of one step are followed further: a walk must not become the whole graph. */
const FOLLOWED = 5;

export interface Distant {
  readonly name: string;
  /** Steps from the concept that was asked for: 2 or more. */
  readonly hops: number;
  readonly score: number;
}

/**
 * What is reached through relations of relations, best first. Each step follows only its strongest concepts, and what a
 * further step finds counts as much as the weakest relation on the way to it.
 */
export function expandedRelations(
  db: Database,
  concept: string,
  options: { readonly depth: number; readonly limit: number },
  look: Look,
): Distant[] {
  const seen = new Set([concept]);
  const found: Distant[] = [];
  let frontier = directRelations(db, concept, options.limit, look);
  for (const { name } of frontier) seen.add(name);
  for (let hops = 2; hops <= options.depth && frontier.length > 0; hops++) {
    const next = new Map<string, Distant & { notes: number }>();
    for (const from of frontier.slice(0, FOLLOWED)) {
      for (const to of directRelations(db, from.name, options.limit, look)) {
        if (seen.has(to.name)) continue;
        const score = Math.min(from.score, to.score) / hops;
        const known = next.get(to.name);
        if (known === undefined || known.score < score)
          next.set(to.name, { name: to.name, hops, score, notes: to.notes });
      }
    }
    const reached = [...next.values()].sort(byScore).slice(0, options.limit);
    for (const { name } of reached) seen.add(name);
    found.push(...reached.map(({ name, score }) => ({ name, hops, score })));
    frontier = reached.map((one) => ({ ...one, files: [], decayWeight: 1 }));
  }
  return found.sort(byScore).slice(0, options.limit);
}
