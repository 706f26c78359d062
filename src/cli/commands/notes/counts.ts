import type { Memory } from "../../../sources/memory/memory.ts";

export interface Counts {
  readonly notes: number;
  readonly concepts: number;
  readonly relations: number;
  readonly communities: number;
}

/** How much the indexes hold together. */
export function countsOf(memory: Memory): Counts {
  const sum = (sql: string): number =>
    memory.indexes().reduce((all, { db }) => all + (db.get<{ n: number }>(sql)?.n ?? 0), 0);
  return {
    notes: sum("SELECT count(*) AS n FROM note"),
    concepts: sum("SELECT count(*) AS n FROM concept WHERE notes > 0"),
    relations: sum("SELECT count(*) AS n FROM edge WHERE a < b"),
    communities: sum("SELECT count(DISTINCT community) AS n FROM community"),
  };
}
