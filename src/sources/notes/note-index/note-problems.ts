import type { MemoryIndex } from "./memory-index.ts";

/** A note that could not be read completely: too large, binary, or with frontmatter that is not YAML. */
export interface NoteProblem {
  readonly uri: string;
  readonly problem: string;
}

export function noteProblems(indexes: readonly MemoryIndex[]): NoteProblem[] {
  return indexes.flatMap(({ db }) =>
    db.all<NoteProblem>("SELECT uri, problem FROM note WHERE problem IS NOT NULL ORDER BY uri"),
  );
}

export interface Counts {
  readonly notes: number;
  readonly concepts: number;
  readonly relations: number;
  readonly communities: number;
}

/** Totals of all indexes. */
export function countsOf(indexes: readonly MemoryIndex[]): Counts {
  const sum = (sql: string): number =>
    indexes.reduce((all, { db }) => all + (db.get<{ n: number }>(sql)?.n ?? 0), 0);
  return {
    notes: sum("SELECT count(*) AS n FROM note"),
    concepts: sum("SELECT count(*) AS n FROM concept WHERE notes > 0"),
    relations: sum("SELECT count(*) AS n FROM edge WHERE a < b"),
    communities: sum("SELECT count(DISTINCT community) AS n FROM community"),
  };
}
