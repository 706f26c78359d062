import type { Database } from "../../../store/sqlite/types.ts";
import { type DecaySettings, decayWeight } from "./decay.ts";

/** Two concepts that notes name together. */
export interface Relation {
  readonly name: string;
  /** How many notes name both. */
  readonly notes: number;
  /** The newest of them. */
  readonly files: readonly string[];
  /** How fresh the notes are that name both: 1 when all are. */
  readonly decayWeight: number;
  /** `notes` times `decayWeight`: what relations are ranked by. */
  readonly score: number;
  readonly community?: number;
}

export interface Look {
  readonly now: number;
  readonly decay: DecaySettings;
}

const MAX_FILES = 3;
/** A concept that more notes name is looked at through its newest ones: the answer must not grow with the store. */
const MOST_NOTES = 2_000;

/** How many notes name the concept; undefined when none does. */
export function findConcept(db: Database, name: string): { id: number; notes: number } | undefined {
  return db.get<{ id: number; notes: number }>("SELECT id, notes FROM concept WHERE name = $name", { name });
}

interface Row {
  readonly name: string;
  readonly uri: string;
  readonly at: number;
}

const TOGETHER = `
  WITH named AS MATERIALIZED (
    SELECT note FROM mention WHERE concept = $id ORDER BY note DESC LIMIT ${MOST_NOTES}
  ), top AS MATERIALIZED (
    SELECT m.concept FROM named CROSS JOIN mention AS m ON m.note = named.note
    WHERE m.concept <> $id GROUP BY m.concept ORDER BY count(*) DESC, m.concept LIMIT $limit
  )
  SELECT c.name, n.uri, max(n.modified, coalesce(n.created, 0)) AS at
  FROM named CROSS JOIN mention AS m ON m.note = named.note
  CROSS JOIN note AS n ON n.id = m.note
  CROSS JOIN concept AS c ON c.id = m.concept
  WHERE m.concept IN (SELECT concept FROM top)
  ORDER BY at DESC, n.uri`;

/** What is named together with a concept, the most and freshest first. Ties go by name: the order is always the same. */
export function directRelations(db: Database, concept: string, limit: number, look: Look): Relation[] {
  const found = findConcept(db, concept);
  if (found === undefined || limit <= 0) return [];
  const together = new Map<string, Row[]>();
  for (const row of db.all<Row>(TOGETHER, { id: found.id, limit })) {
    const rows = together.get(row.name);
    if (rows === undefined) together.set(row.name, [row]);
    else rows.push(row);
  }
  return [...together].map(([name, rows]) => relation(name, rows, look)).sort(byScore);
}

function relation(name: string, rows: readonly Row[], { now, decay }: Look): Relation {
  const weights = rows.map((row) => decayWeight(row, now, decay));
  const average = weights.reduce((sum, weight) => sum + weight, 0) / weights.length;
  const files = rows.slice(0, MAX_FILES).map((row) => row.uri);
  return { name, notes: rows.length, files, decayWeight: average, score: rows.length * average };
}

export function byScore(
  a: { readonly score: number; readonly name: string },
  b: { readonly score: number; readonly name: string },
): number {
  return b.score - a.score || (a.name < b.name ? -1 : 1);
}
