import type { Database } from "../../../store/sqlite/types.ts";
import { findConcept, strongestSteps } from "./relations.ts";

/** A concept of the same community that no note names together with the one asked for. */
export interface Sibling {
  readonly name: string;
  readonly community: number;
  readonly sharedNeighbours: number;
  /** How much of the sibling's own relations the two have in common: 0 to 1. */
  readonly overlap: number;
}

const MIN_SHARED = 3;
const MIN_OVERLAP = 0.4;
const MOST = 10;
/** Relations of each that are compared, and members of the community that are looked at. */
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

/** Nothing when the communities are not known at present: they are found by a sync, not by a question. */
export function communitySiblings(db: Database, concept: string): Sibling[] {
  const community = communityOf(db, concept);
  const from = findConcept(db, concept);
  if (community === undefined || from === undefined) return [];
  const own = new Map(strongestSteps(db, from.id, COMPARED).map(({ id, notes }) => [id, notes]));
  return db
    .all<{ id: number; name: string }>(CANDIDATES, { community, id: from.id })
    .map(({ id, name }) => ({ name, community, ...likeness(db, id, own) }))
    .filter((one) => one.sharedNeighbours >= MIN_SHARED && one.overlap >= MIN_OVERLAP)
    .sort((a, b) => b.overlap - a.overlap || (a.name < b.name ? -1 : 1))
    .slice(0, MOST);
}

function likeness(db: Database, id: number, own: ReadonlyMap<number, number>) {
  const steps = strongestSteps(db, id, COMPARED);
  const degree = steps.reduce((sum, { notes }) => sum + notes, 0);
  const shared = steps.filter((step) => own.has(step.id));
  const common = shared.reduce((sum, step) => sum + Math.min(step.notes, own.get(step.id) ?? 0), 0);
  return { sharedNeighbours: shared.length, overlap: degree === 0 ? 0 : common / degree };
}
