import type { MemoryIndex } from "../note-index/memory-index.ts";
import { idsOf, type NoteFilter } from "../search/filter.ts";
import { communitySteps, type Edge } from "./communities.ts";

/** The graph of concepts for drawing. Concepts are numbered by name. */
export interface GraphView {
  readonly names: readonly string[];
  /** How many notes name each concept. */
  readonly notes: readonly number[];
  readonly communities: readonly number[];
  readonly edges: readonly Edge[];
  /** How many there are, including those not shown. */
  readonly totalConcepts: number;
  readonly totalEdges: number;
}

interface GraphQuery {
  /** Only concepts and relations of matching notes. */
  readonly filter: NoteFilter;
  /** Shows the concepts that the most notes name, and their strongest relations. */
  readonly maxConcepts: number;
  readonly maxEdges: number;
}

/** Read at a time, which takes a few milliseconds. */
const CHUNK = 200;

/** In steps, because a graph of thousands of concepts would block a server for too long. */
export function* graphSteps(
  indexes: readonly MemoryIndex[],
  query: GraphQuery,
): Generator<undefined, GraphView> {
  const parts: Part[] = [];
  for (const index of indexes) parts.push(yield* partOf(index, query));
  const counts = new Map<string, number>();
  for (const { concepts } of parts)
    for (const { name, notes } of concepts.values()) counts.set(name, (counts.get(name) ?? 0) + notes);
  yield;
  const chosen = [...counts]
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .slice(0, query.maxConcepts)
    .sort((a, b) => (a[0] < b[0] ? -1 : 1));
  yield;
  const places = new Map(chosen.map(([name], place) => [name, place]));
  const weights = new Map<number, number>();
  for (const part of parts) yield* addEdges(part, places, weights);
  const edges = yield* strongest(weights, chosen.length, query.maxEdges);
  yield;
  return {
    names: chosen.map(([name]) => name),
    notes: chosen.map(([, notes]) => notes),
    communities: yield* communitySteps(chosen.length, edges),
    edges,
    totalConcepts: parts.length === 1 ? (parts[0]?.total ?? 0) : counts.size,
    totalEdges: weights.size,
  };
}

interface Concept {
  readonly id: number;
  readonly name: string;
  readonly notes: number;
}

interface Part {
  readonly index: MemoryIndex;
  /** By id. */
  readonly concepts: ReadonlyMap<number, Concept>;
  /** The notes that count (default: all). */
  readonly among: readonly number[] | undefined;
  readonly total: number;
}

function* partOf(index: MemoryIndex, { filter, maxConcepts }: GraphQuery): Generator<undefined, Part> {
  const among = idsOf(index, filter);
  if (among === undefined) {
    const rows = index.db.all<Concept>(
      "SELECT id, name, notes FROM concept ORDER BY notes DESC, name LIMIT ?",
      [maxConcepts],
    );
    const total = index.db.get<{ n: number }>("SELECT count(*) AS n FROM concept")?.n ?? 0;
    yield;
    return { index, concepts: new Map(rows.map((row) => [row.id, row])), among: undefined, total };
  }
  const counted = new Map<number, { readonly id: number; readonly name: string; notes: number }>();
  const notes = [...among];
  for (const chunk of chunks(notes)) {
    const rows = index.db.all<Concept>(
      `SELECT c.id, c.name, count(*) AS notes FROM mention AS m JOIN concept AS c ON c.id = m.concept
       WHERE m.note IN (SELECT value FROM json_each(?)) GROUP BY c.id`,
      [JSON.stringify(chunk)],
    );
    for (const row of rows) {
      const known = counted.get(row.id);
      if (known === undefined) counted.set(row.id, { ...row });
      else known.notes += row.notes;
    }
    yield;
  }
  return { index, concepts: counted, among: notes, total: counted.size };
}

interface Pair {
  readonly a: number;
  readonly b: number;
  readonly notes: number;
}

/** The same limit as in `graph-plugin.ts`. */
const PAIRED = 64;

const OF_CONCEPTS = "SELECT a, b, notes FROM edge WHERE a IN (SELECT value FROM json_each(?)) AND a < b";
const OF_NOTES = `
  SELECT x.concept AS a, y.concept AS b, count(*) AS notes FROM mention AS x
  JOIN mention AS y ON y.note = x.note AND y.concept > x.concept
  WHERE x.note IN (SELECT value FROM json_each(?)) AND x.place < ${PAIRED} AND y.place < ${PAIRED} GROUP BY 1, 2`;

/** Further pairs are not counted: notes with long lists of links say little about relations. */
const MOST_PAIRS = 1_000_000;

/** A pair is stored as a single number. */
const KEY = 2 ** 20;

function* addEdges(
  { index, concepts, among }: Part,
  places: ReadonlyMap<string, number>,
  weights: Map<number, number>,
): Generator<undefined, void> {
  const placeOf = (id: number): number | undefined => {
    const concept = concepts.get(id);
    return concept && places.get(concept.name);
  };
  const shown = [...concepts.keys()].filter((id) => placeOf(id) !== undefined);
  for (const chunk of chunks(among ?? shown)) {
    for (const { a, b, notes } of index.db.all<Pair>(among === undefined ? OF_CONCEPTS : OF_NOTES, [
      JSON.stringify(chunk),
    ])) {
      const [x, y] = [placeOf(a), placeOf(b)];
      if (x === undefined || y === undefined) continue;
      const key = Math.min(x, y) * KEY + Math.max(x, y);
      weights.set(key, (weights.get(key) ?? 0) + notes);
    }
    yield;
    if (weights.size > MOST_PAIRS) return;
  }
}

/**
 * If there are too many edges, first one for each concept, so that as few as possible are isolated, then the strongest.
 * Weights are small integers, so counting them is faster than sorting.
 */
function* strongest(
  weights: ReadonlyMap<number, number>,
  count: number,
  most: number,
): Generator<undefined, Edge[]> {
  const edges: Edge[] = [];
  for (const [key, weight] of weights) {
    edges.push({ a: Math.floor(key / KEY), b: key % KEY, weight });
    if (edges.length % 10_000 === 0) yield;
  }
  if (edges.length <= most) return sorted(edges);
  yield;
  const best = new Array<Edge | undefined>(count);
  for (const edge of edges)
    for (const end of [edge.a, edge.b]) if (edge.weight > (best[end]?.weight ?? 0)) best[end] = edge;
  yield;
  const kept = new Set(best.filter((edge) => edge !== undefined));
  const byWeight = Map.groupBy(edges, ({ weight }) => weight);
  yield;
  const room = most - kept.size;
  const others = [...byWeight.keys()].sort((a, b) => b - a).flatMap((weight) => byWeight.get(weight) ?? []);
  yield;
  for (const edge of others.filter((one) => !kept.has(one)).slice(0, Math.max(0, room))) kept.add(edge);
  yield;
  return sorted([...kept].slice(0, most));
}

/** In the same order as for the whole index, so that the same graph gives the same communities. */
function sorted(edges: Edge[]): Edge[] {
  return edges.sort((x, y) => x.a - y.a || x.b - y.b);
}

function* chunks(ids: readonly number[]): Generator<readonly number[]> {
  for (let at = 0; at < ids.length; at += CHUNK) yield ids.slice(at, at + CHUNK);
}

/** Changes whenever a note in these indexes changes. */
export function versionOf(indexes: readonly MemoryIndex[]): string {
  return indexes
    .map(({ db, files }) => {
      const { n, modified, size } = db.get<{ n: number; modified: number; size: number }>(
        "SELECT count(*) AS n, total(modified) AS modified, total(size) AS size FROM note",
      ) ?? { n: 0, modified: 0, size: 0 };
      return `${files.root}:${n}:${modified}:${size}`;
    })
    .join("\n");
}
