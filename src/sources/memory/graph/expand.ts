import type { Database } from "../../../store/sqlite/types.ts";
import { byScore, findConcept, type Step, strongestSteps } from "./relations.ts";

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
 * further step finds counts as much as the weakest relation on the way to it, and less the further it is.
 */
export function expandedRelations(
  db: Database,
  concept: string,
  { depth, limit }: { readonly depth: number; readonly limit: number },
): Distant[] {
  const from = findConcept(db, concept);
  if (from === undefined) return [];
  const first = strongestSteps(db, from.id, limit);
  const seen = new Set([concept, ...first.map(({ name }) => name)]);
  const found: Distant[] = [];
  let frontier: readonly Reached[] = first.map((step) => ({ ...step, score: step.notes }));
  for (let hops = 2; hops <= depth && frontier.length > 0; hops++) {
    frontier = step(db, frontier.slice(0, FOLLOWED), seen, limit);
    for (const { name, score } of frontier) {
      seen.add(name);
      found.push({ name, hops, score: score / hops });
    }
  }
  return found.sort(byScore).slice(0, limit);
}

type Reached = Pick<Step, "id" | "name"> & { readonly score: number };

function step(db: Database, from: readonly Reached[], seen: ReadonlySet<string>, limit: number): Reached[] {
  const next = new Map<string, Reached>();
  for (const one of from) {
    for (const { id, name, notes } of strongestSteps(db, one.id, limit)) {
      const score = Math.min(one.score, notes);
      if (!seen.has(name) && score > (next.get(name)?.score ?? 0)) next.set(name, { id, name, score });
    }
  }
  return [...next.values()].sort(byScore).slice(0, limit);
}
