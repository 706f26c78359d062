import type { Database } from "../../../store/sqlite/types.ts";
import { type DecaySettings, decayWeight } from "../decay.ts";

/** Two concepts that occur together in notes. */
export interface Relation {
  readonly name: string;
  /** How many notes name both. */
  readonly notes: number;
  /** The newest of these notes. */
  readonly files: readonly string[];
  /** How fresh these notes are: 1 if all are fresh. */
  readonly decayWeight: number;
  /** `notes` times `decayWeight`, by which relations are ranked. */
  readonly score: number;
  readonly community?: number;
}

export interface DecayContext {
  readonly now: number;
  readonly decay: DecaySettings;
  /** When a note was last read; reading makes it fresh again. */
  readonly lastRead?: (uri: string) => number | undefined;
}

const MAX_FILES = 3;
/** A relation's freshness is computed from its newest notes: more would take longer and change little. */
const WEIGHED = 20;

/** Undefined if no note names the concept. */
export function findConcept(db: Database, name: string): { id: number; notes: number } | undefined {
  return db.get<{ id: number; notes: number }>("SELECT id, notes FROM concept WHERE name = $name", { name });
}

/** One step in the graph, without the notes that it comes from. */
interface Step {
  readonly id: number;
  readonly name: string;
  /** How many notes name the concept at its end. */
  readonly inAll: number;
  /** How many name both. */
  readonly notes: number;
}

const STRONGEST = `
  SELECT c.id, c.name, c.notes AS inAll, e.notes FROM edge AS e CROSS JOIN concept AS c ON c.id = e.b
  WHERE e.a = $id ORDER BY e.notes DESC, c.name LIMIT $limit`;

// Starts from the rarer concept, so that one that half of the notes name costs no more than others.
const SHARED = `
  SELECT n.uri, max(n.modified, coalesce(n.created, 0)) AS at
  FROM mention AS m CROSS JOIN note AS n ON n.id = m.note
  WHERE m.concept = $rare AND EXISTS (SELECT 1 FROM mention WHERE note = m.note AND concept = $other)
  ORDER BY m.note DESC LIMIT ${WEIGHED}`;

export function strongestSteps(db: Database, id: number, limit: number): Step[] {
  return db.all<Step>(STRONGEST, { id, limit });
}

/**
 * The concepts named together with a concept, best score first. Ties are sorted by name, so that the order is stable.
 */
export function directRelations(
  db: Database,
  concept: string,
  limit: number,
  decayContext: DecayContext,
): Relation[] {
  const from = findConcept(db, concept);
  if (from === undefined || limit <= 0) return [];
  return strongestSteps(db, from.id, limit)
    .map((to) => {
      const [rare, other] = to.inAll < from.notes ? [to.id, from.id] : [from.id, to.id];
      return relation(to, db.all<Shared>(SHARED, { rare, other }), decayContext);
    })
    .sort(byScore);
}

interface Shared {
  readonly uri: string;
  readonly at: number;
}

function relation(
  { name, notes }: Step,
  shared: readonly Shared[],
  { now, decay, lastRead }: DecayContext,
): Relation {
  const newest = [...shared].sort((a, b) => b.at - a.at || (a.uri < b.uri ? -1 : 1));
  const weights = newest.map(({ uri, at }) =>
    decayWeight({ uri, at: Math.max(at, lastRead?.(uri) ?? 0) }, now, decay),
  );
  const average = weights.reduce((sum, weight) => sum + weight, 0) / Math.max(weights.length, 1);
  const files = newest.slice(0, MAX_FILES).map(({ uri }) => uri);
  return { name, notes, files, decayWeight: average, score: notes * average };
}

export function byScore(
  a: { readonly score: number; readonly name: string },
  b: { readonly score: number; readonly name: string },
): number {
  return b.score - a.score || (a.name < b.name ? -1 : 1);
}

const NAMING = `
  SELECT n.uri FROM concept AS c CROSS JOIN mention AS m ON m.concept = c.id CROSS JOIN note AS n ON n.id = m.note
  WHERE c.name = $concept ORDER BY max(n.modified, coalesce(n.created, 0)) DESC, n.uri LIMIT $limit`;

/** The newest notes that name a concept, even one without relations: alone in a note, or far down in a long list. */
export function notesNaming(db: Database, concept: string, limit: number): string[] {
  return db.all<{ uri: string }>(NAMING, { concept, limit }).map(({ uri }) => uri);
}

/** How many concepts of each step are followed further, to limit the search. */
const FOLLOWED = 5;

interface DistantConcept {
  readonly name: string;
  /** Steps from the given concept: 2 or more. */
  readonly hops: number;
  readonly score: number;
}

/**
 * Concepts reached through several relations, best first. Each step follows only its strongest concepts. The score is
 * that of the weakest relation on the path, divided by the number of steps.
 */
export function expandedRelations(
  db: Database,
  concept: string,
  { depth, limit }: { readonly depth: number; readonly limit: number },
): DistantConcept[] {
  const from = findConcept(db, concept);
  if (from === undefined) return [];
  const first = strongestSteps(db, from.id, limit);
  const seen = new Set([concept, ...first.map(({ name }) => name)]);
  const found: DistantConcept[] = [];
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
