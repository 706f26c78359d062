import type { Database } from "../../../store/sqlite/types.ts";
import { directRelations, findConcept, type Look } from "./relations.ts";

export interface Similar {
  readonly name: string;
  /** 0 to 1. */
  readonly similarity: number;
}

const COMPARED = 30;
/** The spelling says that two names may be one concept; the company they keep says that they mean the same. */
const SPELLING_SHARE = 0.6;

/** Concepts that may be the same under another name: written alike, or named together with the same others. */
export function similarConcepts(db: Database, concept: string, limit: number, look: Look): Similar[] {
  const own = companyOf(db, concept, look);
  const grams = gramsOf(concept);
  const spelt = db
    .all<{ name: string }>("SELECT name FROM concept WHERE name <> $concept", { concept })
    .map(({ name }) => ({ name, spelling: dice(grams, gramsOf(name)) }))
    .filter(({ spelling }) => spelling > 0.2)
    .sort((a, b) => b.spelling - a.spelling || (a.name < b.name ? -1 : 1))
    .slice(0, COMPARED);
  const companions = [...own.keys()]
    .slice(0, 5)
    .flatMap((name) => directRelations(db, name, COMPARED, look).map((one) => one.name));
  const candidates = new Map(spelt.map(({ name, spelling }) => [name, spelling]));
  for (const name of companions)
    if (name !== concept && !candidates.has(name)) candidates.set(name, dice(grams, gramsOf(name)));
  return [...candidates]
    .map(([name, spelling]) => {
      const company = cosine(own, companyOf(db, name, look));
      return { name, similarity: SPELLING_SHARE * spelling + (1 - SPELLING_SHARE) * company };
    })
    .filter(({ similarity }) => similarity > 0)
    .sort((a, b) => b.similarity - a.similarity || (a.name < b.name ? -1 : 1))
    .slice(0, limit);
}

function companyOf(db: Database, concept: string, look: Look): Map<string, number> {
  if (findConcept(db, concept) === undefined) return new Map();
  return new Map(directRelations(db, concept, COMPARED, look).map(({ name, notes }) => [name, notes]));
}

function cosine(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): number {
  const length = (of: ReadonlyMap<string, number>) =>
    Math.sqrt([...of.values()].reduce((sum, value) => sum + value * value, 0));
  const product = [...a].reduce((sum, [name, value]) => sum + value * (b.get(name) ?? 0), 0);
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
