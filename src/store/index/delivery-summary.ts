import type { Database } from "../sqlite/types.ts";

export interface SessionDeliveries {
  readonly host: string;
  readonly session: string;
  readonly project: string | null;
  readonly first: string;
  readonly last: string;
  readonly snapshots: number;
  readonly additions: number;
  readonly items: number;
  /** What all deliveries cost together, framing included. */
  readonly tokens: number;
}

// The sessions first, from the (host, session, at) index alone; only the chosen ones' rows are then read.
const SUMMARY = `
  WITH recent AS (
    SELECT host, session, max(at) AS last FROM delivery GROUP BY host, session ORDER BY last DESC, session LIMIT $limit
  ), deliveries AS (
    SELECT d.host, d.session, d.at, d.kind, d.epoch, d.cost, count(*) AS items
    FROM recent CROSS JOIN delivery AS d ON d.host = recent.host AND d.session = recent.session
    GROUP BY d.file, d.offset
  )
  SELECT host, session,
    (SELECT project FROM delivery AS p WHERE p.host = deliveries.host AND p.session = deliveries.session
      ORDER BY p.at DESC, p.id DESC LIMIT 1) AS project,
    min(at) AS first, max(at) AS last, count(DISTINCT CASE kind WHEN 'snapshot' THEN epoch END) AS snapshots, sum(kind = 'addition') AS additions,
    sum(items) AS items, sum(cost) AS tokens
  FROM deliveries GROUP BY host, session ORDER BY last DESC, session`;

/** The sessions that were last given something, newest first. */
export function deliverySummary(db: Database, { limit }: { limit: number }): SessionDeliveries[] {
  return db.all<SessionDeliveries>(SUMMARY, { limit });
}
