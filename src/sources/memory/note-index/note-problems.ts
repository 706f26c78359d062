import type { MemoryIndex } from "./memory-index.ts";

/** A note that could not be read completely: too large, binary, or with frontmatter that is not YAML. */
interface NoteProblem {
  readonly uri: string;
  readonly problem: string;
}

export function noteProblems(indexes: readonly MemoryIndex[]): NoteProblem[] {
  return indexes.flatMap(({ db }) =>
    db.all<NoteProblem>("SELECT uri, problem FROM note WHERE problem IS NOT NULL ORDER BY uri"),
  );
}
