import type { Database } from "../../../store/sqlite/types.ts";
import { findConcept, strongestSteps } from "./relations.ts";

export interface Similar {
  readonly name: string;
  /** 0 to 1. */
  readonly similarity: number;
}

const COMPARED = 30;
/** The spelling says that two names may be one concept; the company they keep says that they mean the same. */
const SPELLING_SHARE = 0.6;
const MIN_SPELLING = 0.2;

/** Concepts that may be the same under another name: written alike, or named together with the same others. */
export function similarConcepts(db: Database, concept: string, limit: number): Similar[] {
  const own = companyOf(db, findConcept(db, concept)?.id);
  const grams = gramsOf(concept);
  const alike = db
    .all<{ id: number; name: string }>("SELECT id, name FROM concept WHERE name <> $concept", { concept })
    .map((one) => ({ ...one, spelling: dice(grams, gramsOf(one.name)) }))
    .filter(({ spelling }) => spelling > MIN_SPELLING)
    .sort((a, b) => b.spelling - a.spelling || (a.name < b.name ? -1 : 1))
    .slice(0, COMPARED);
  const candidates = new Map(alike.map(({ id, name }) => [id, name]));
  for (const companion of [...own.keys()].slice(0, 5))
    for (const { id, name } of strongestSteps(db, companion, COMPARED)) candidates.set(id, name);
  return [...candidates]
    .filter(([, name]) => name !== concept)
    .map(([id, name]) => {
      const company = cosine(own, companyOf(db, id));
      const spelling = dice(grams, gramsOf(name));
      return { name, similarity: SPELLING_SHARE * spelling + (1 - SPELLING_SHARE) * company };
    })
    .sort((a, b) => b.similarity - a.similarity || (a.name < b.name ? -1 : 1))
    .slice(0, limit);
}

function companyOf(db: Database, id: number | undefined): Map<number, number> {
  const steps = id === undefined ? [] : strongestSteps(db, id, COMPARED);
  return new Map(steps.map((step) => [step.id, step.notes]));
}

function cosine(a: ReadonlyMap<number, number>, b: ReadonlyMap<number, number>): number {
  const length = (of: ReadonlyMap<number, number>) =>
    Math.sqrt([...of.values()].reduce((sum, value) => sum + value * value, 0));
  const product = [...a].reduce((sum, [id, value]) => sum + value * (b.get(id) ?? 0), 0);
  return product === 0 ? 0 : product / (length(a) * length(b));
}

/** Pairs of neighbouring characters, ends included. */
function gramsOf(name: string): Set<string> {
  const padded = ` ${name} `;
  return new Set(Array.from({ length: padded.length - 1 }, (_, i) => padded.slice(i, i + 2)));
}

function dice(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let shared = 0;
  for (const gram of a) if (b.has(gram)) shared += 1;
  return (2 * shared) / (a.size + b.size);
}
