import { toEnd } from "../../../base/slices.ts";
import type { Database } from "../../../store/sqlite/types.ts";
import type { IndexPlugin } from "../note-index/index-plugin.ts";
import { findConcept, strongestSteps } from "./relations.ts";

/**
 * Communities: concepts that occur together more often than with others. Uses the first phase of the Louvain method,
 * made deterministic: concepts are visited in the order of their names, and among equally good communities the smallest
 * number wins. The same notes give the same communities in every process.
 */

/** Undirected, between indexes of concepts; `weight` is the number of notes that name both. */
export interface Edge {
  readonly a: number;
  readonly b: number;
  readonly weight: number;
}

const MAX_PASSES = 20;

/** Concepts visited per step, which takes a few milliseconds. */
const STEP = 500;

/**
 * The community of each of `count` concepts. Communities are numbered in the order of their first members, without
 * gaps.
 */
export function detectCommunities(count: number, edges: readonly Edge[], gamma = 1): number[] {
  return toEnd(communitySteps(count, edges, gamma));
}

/** The same in steps, for a process that must stay responsive. */
export function* communitySteps(
  count: number,
  edges: readonly Edge[],
  gamma = 1,
): Generator<undefined, number[]> {
  const neighbours: [to: number, weight: number][][] = Array.from({ length: count }, () => []);
  const degree = new Array<number>(count).fill(0);
  let total = 0;
  for (const { a, b, weight } of edges) {
    if (a === b) continue;
    neighbours[a]?.push([b, weight]);
    neighbours[b]?.push([a, weight]);
    degree[a] = (degree[a] ?? 0) + weight;
    degree[b] = (degree[b] ?? 0) + weight;
    total += weight;
  }
  yield;
  const group = Array.from({ length: count }, (_, i) => i);
  if (total === 0) return renumbered(group);
  const groupDegree = [...degree];
  for (let pass = 0; pass < MAX_PASSES; pass++) {
    let moved = false;
    for (let node = 0; node < count; node++) {
      if (node % STEP === STEP - 1) yield;
      const own = group[node] ?? node;
      const weight = degree[node] ?? 0;
      const links = linksTo(neighbours[node] ?? [], group);
      groupDegree[own] = (groupDegree[own] ?? 0) - weight;
      const gain = (to: number) =>
        (links.get(to) ?? 0) - (gamma * weight * (groupDegree[to] ?? 0)) / (2 * total);
      let [best, most] = [own, gain(own)];
      for (const to of [...links.keys()].sort((x, y) => x - y)) {
        const value = gain(to);
        // Rounding must not decide, or two machines could get different results.
        if (value > most + 1e-9) [best, most] = [to, value];
      }
      groupDegree[best] = (groupDegree[best] ?? 0) + weight;
      if (best !== own) {
        group[node] = best;
        moved = true;
      }
    }
    if (!moved) break;
  }
  return renumbered(group);
}

function linksTo(neighbours: readonly [number, number][], group: readonly number[]): Map<number, number> {
  const links = new Map<number, number>();
  for (const [to, weight] of neighbours) {
    const its = group[to] ?? to;
    links.set(its, (links.get(its) ?? 0) + weight);
  }
  return links;
}

function renumbered(group: readonly number[]): number[] {
  const numbers = new Map<number, number>();
  return group.map((one) => {
    const number = numbers.get(one) ?? numbers.size;
    numbers.set(one, number);
    return number;
  });
}

/**
 * Communities are computed for the whole graph at once and stored until it changes. Any change of a note deletes them,
 * so that outdated ones are never shown; a full sync recomputes them.
 */
export const communityPlugin: IndexPlugin = {
  name: "communities",
  schema: `
    CREATE TABLE community (
      concept INTEGER PRIMARY KEY,
      community INTEGER NOT NULL
    );
    CREATE INDEX community_members ON community (community, concept);
  `,
  put: (db) => {
    clear(db);
    return undefined;
  },
  remove: clear,
};

function clear(db: Database): void {
  // Without a condition SQLite deletes all rows at once, and emptying an empty table costs nothing.
  db.run("DELETE FROM community");
}

/** Computes the communities unless they are stored. Returns their number. */
export function updateCommunities(db: Database): number {
  return toEnd(updateSteps(db));
}

/** The same in steps. */
export function* updateSteps(db: Database): Generator<undefined, number> {
  const known = db.get<{ n: number | null }>("SELECT max(community) + 1 AS n FROM community")?.n;
  if (known) return known;
  const concepts = db.all<{ id: number }>("SELECT id FROM concept ORDER BY name");
  const positions = new Map(concepts.map(({ id }, position) => [id, position]));
  const groups = yield* communitySteps(concepts.length, edgesOf(db, positions));
  db.tx(() => {
    db.run("DELETE FROM community");
    concepts.forEach(({ id }, position) => {
      db.run("INSERT INTO community (concept, community) VALUES ($id, $group)", {
        id,
        group: groups[position] ?? 0,
      });
    });
  });
  return new Set(groups).size;
}

function edgesOf(db: Database, positions: ReadonlyMap<number, number>): Edge[] {
  return db
    .all<{ a: number; b: number; notes: number }>("SELECT a, b, notes FROM edge WHERE a < b")
    .map(({ a, b, notes }) => ({ a: positions.get(a) ?? 0, b: positions.get(b) ?? 0, weight: notes }))
    .sort((x, y) => x.a - y.a || x.b - y.b);
}

/** A concept in the same community that no note names together with the given concept. */
export interface Sibling {
  readonly name: string;
  readonly community: number;
  readonly sharedNeighbours: number;
  /** The share of the sibling's relations that both have, from 0 to 1. */
  readonly overlap: number;
}

const MIN_SHARED = 3;
const MIN_OVERLAP = 0.4;
const MAX_SIBLINGS = 10;
/** How many relations are compared for each concept, and how many members of the community are considered. */
const COMPARED = 50;
const MEMBERS = 50;

export function communityOf(db: Database, concept: string): number | undefined {
  return db.get<{ community: number }>(
    "SELECT community FROM community JOIN concept ON concept.id = community.concept WHERE name = $concept",
    { concept },
  )?.community;
}

const CANDIDATES = `
  SELECT c.id, c.name FROM community AS m CROSS JOIN concept AS c ON c.id = m.concept
  WHERE m.community = $community AND c.id <> $id
    AND NOT EXISTS (SELECT 1 FROM edge WHERE a = $id AND b = c.id)
  ORDER BY c.notes DESC, c.name LIMIT ${MEMBERS}`;

/** Empty if the communities are not stored: a sync computes them, not a query. */
export function communitySiblings(db: Database, concept: string): Sibling[] {
  const community = communityOf(db, concept);
  const from = findConcept(db, concept);
  if (community === undefined || from === undefined) return [];
  const own = new Map(strongestSteps(db, from.id, COMPARED).map(({ id, notes }) => [id, notes]));
  return db
    .all<{ id: number; name: string }>(CANDIDATES, { community, id: from.id })
    .map(({ id, name }) => ({ name, community, ...overlapWith(db, id, own) }))
    .filter((one) => one.sharedNeighbours >= MIN_SHARED && one.overlap >= MIN_OVERLAP)
    .sort((a, b) => b.overlap - a.overlap || (a.name < b.name ? -1 : 1))
    .slice(0, MAX_SIBLINGS);
}

function overlapWith(db: Database, id: number, own: ReadonlyMap<number, number>) {
  const steps = strongestSteps(db, id, COMPARED);
  const degree = steps.reduce((sum, { notes }) => sum + notes, 0);
  const shared = steps.filter((step) => own.has(step.id));
  const common = shared.reduce((sum, step) => sum + Math.min(step.notes, own.get(step.id) ?? 0), 0);
  return { sharedNeighbours: shared.length, overlap: degree === 0 ? 0 : common / degree };
}
