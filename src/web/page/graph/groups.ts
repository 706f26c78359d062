/** Colours of communities (`--graph-0` and so on in graph.css). The next is grey, for concepts without a community. */
export const COLOURS = 7;

export interface Group {
  readonly community: number;
  /** Its most named concept. */
  readonly name: string;
  readonly size: number;
  /** The number of its colour. */
  readonly colour: number;
}

/** The communities, the largest first, each called by its most named concept. */
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
      // A concept alone is no community. With many communities, some far from each other have the same colour.
      colour: size > 1 ? at % COLOURS : COLOURS,
    }));
}
