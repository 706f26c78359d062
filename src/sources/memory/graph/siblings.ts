import type { Database } from "../../../store/sqlite/types.ts";
import { directRelations, findConcept, type Look } from "./relations.ts";

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
const MEMBERS = 200;

export function communityOf(db: Database, concept: string): number | undefined {
  return db.get<{ community: number }>(
    "SELECT community FROM community JOIN concept ON concept.id = community.concept WHERE name = $concept",
    { concept },
  )?.community;
}

/** Nothing when the communities are not known at present: they are found by a sync, not by a question. */
export function communitySiblings(db: Database, concept: string, look: Look): Sibling[] {
  const community = communityOf(db, concept);
  const found = findConcept(db, concept);
  if (community === undefined || found === undefined) return [];
  const own = new Map(directRelations(db, concept, COMPARED, look).map(({ name, notes }) => [name, notes]));
  const members = db.all<{ name: string }>(
    `SELECT c.name FROM community AS m JOIN concept AS c ON c.id = m.concept
     WHERE m.community = $community AND c.id <> $id ORDER BY c.notes DESC, c.name LIMIT ${MEMBERS}`,
    { community, id: found.id },
  );
  return members
    .filter(({ name }) => !own.has(name))
    .map(({ name }) => sibling(db, name, community, own, look))
    .filter((one) => one.sharedNeighbours >= MIN_SHARED && one.overlap >= MIN_OVERLAP)
    .sort((a, b) => b.overlap - a.overlap || (a.name < b.name ? -1 : 1))
    .slice(0, MOST);
}

function sibling(
  db: Database,
  name: string,
  community: number,
  own: ReadonlyMap<string, number>,
  look: Look,
): Sibling {
  const relations = directRelations(db, name, COMPARED, look);
  const degree = relations.reduce((sum, { notes }) => sum + notes, 0);
  const shared = relations.filter((relation) => own.has(relation.name));
  const common = shared.reduce((sum, { name: to, notes }) => sum + Math.min(notes, own.get(to) ?? 0), 0);
  return {
    name,
    community,
    sharedNeighbours: shared.length,
    overlap: degree === 0 ? 0 : common / degree,
  };
}
