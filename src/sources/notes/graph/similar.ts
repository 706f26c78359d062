import type { Database } from "../../../store/sqlite/types.ts";
import { findConcept, strongestSteps } from "./relations.ts";

export interface Similar {
  readonly name: string;
  /** 0 to 1. */
  readonly similarity: number;
}

const COMPARED = 30;
/** The weight of the spelling; the rest is the similarity of their neighbours in the graph. */
const SPELLING_SHARE = 0.6;
const MIN_SPELLING = 0.2;

/** Concepts that may be the same under another name: spelt alike, or named together with the same concepts. */
export function similarConcepts(db: Database, concept: string, limit: number): Similar[] {
  const own = neighboursOf(db, findConcept(db, concept)?.id);
  const bigrams = bigramsOf(concept);
  const alike = db
    .all<{ id: number; name: string }>("SELECT id, name FROM concept WHERE name <> $concept", { concept })
    .map((one) => ({ ...one, spelling: dice(bigrams, bigramsOf(one.name)) }))
    .filter(({ spelling }) => spelling > MIN_SPELLING)
    .sort((a, b) => b.spelling - a.spelling || (a.name < b.name ? -1 : 1))
    .slice(0, COMPARED);
  const candidates = new Map(alike.map(({ id, name }) => [id, name]));
  for (const neighbour of [...own.keys()].slice(0, 5))
    for (const { id, name } of strongestSteps(db, neighbour, COMPARED)) candidates.set(id, name);
  return [...candidates]
    .filter(([, name]) => name !== concept)
    .map(([id, name]) => {
      const neighbours = cosine(own, neighboursOf(db, id));
      const spelling = dice(bigrams, bigramsOf(name));
      return { name, similarity: SPELLING_SHARE * spelling + (1 - SPELLING_SHARE) * neighbours };
    })
    .sort((a, b) => b.similarity - a.similarity || (a.name < b.name ? -1 : 1))
    .slice(0, limit);
}

function neighboursOf(db: Database, id: number | undefined): Map<number, number> {
  const steps = id === undefined ? [] : strongestSteps(db, id, COMPARED);
  return new Map(steps.map((step) => [step.id, step.notes]));
}

function cosine(a: ReadonlyMap<number, number>, b: ReadonlyMap<number, number>): number {
  const length = (of: ReadonlyMap<number, number>) =>
    Math.sqrt([...of.values()].reduce((sum, value) => sum + value * value, 0));
  const product = [...a].reduce((sum, [id, value]) => sum + value * (b.get(id) ?? 0), 0);
  return product === 0 ? 0 : product / (length(a) * length(b));
}

/** Pairs of neighbouring characters, with a space at both ends. */
function bigramsOf(name: string): Set<string> {
  const padded = ` ${name} `;
  return new Set(Array.from({ length: padded.length - 1 }, (_, i) => padded.slice(i, i + 2)));
}

function dice(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let shared = 0;
  for (const bigram of a) if (b.has(bigram)) shared += 1;
  return (2 * shared) / (a.size + b.size);
}
