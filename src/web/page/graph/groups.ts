/**
 * How many colours communities have (`--graph-0` and so on in graph.css). The next one is grey, for concepts without a
 * community.
 */
export const COLOURS = 7;

export interface Group {
  readonly community: number;
  /** Its most frequent concept. */
  readonly name: string;
  readonly size: number;
  /** The index of its colour. */
  readonly colour: number;
}

/** The communities, largest first, each named by its most frequent concept. */
export function groupsOf(graph: {
  readonly names: readonly string[];
  readonly notes: readonly number[];
  readonly communities: readonly number[];
}): Group[] {
  const found = new Map<number, { best: number; size: number }>();
  for (const [at, community] of graph.communities.entries()) {
    const known = found.get(community);
    if (known === undefined) found.set(community, { best: at, size: 1 });
    else {
      known.size++;
      if ((graph.notes[at] ?? 0) > (graph.notes[known.best] ?? 0)) known.best = at;
    }
  }
  return [...found]
    .sort(([a, x], [b, y]) => y.size - x.size || a - b)
    .map(([community, { best, size }], at) => ({
      community,
      name: graph.names[best] ?? "",
      size,
      // A single concept is not a community. If there are many communities, some that are far apart share a colour.
      colour: size > 1 ? at % COLOURS : COLOURS,
    }));
}
