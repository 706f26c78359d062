/**
 * Colours for communities, after Okabe and Ito: people with any kind of colour blindness can tell them apart. Each has a
 * darker form for light surfaces and a lighter one for dark surfaces, with a contrast of 3 to 1 or more.
 */
const LIGHT = ["#0072b2", "#c2410c", "#007a5c", "#a8437f", "#8a6d00", "#2b6fd6", "#6b3fa0", "#4d4d57"];
const DARK = ["#56b4e9", "#f4905a", "#3fc79a", "#e58fc0", "#e8c33c", "#86a8ff", "#b796e8", "#b9b9c6"];

/** How many communities have a colour of their own; the others are grey. */
export const COLOURED = LIGHT.length - 1;

export function coloursFor(isDark: boolean): readonly string[] {
  return isDark ? DARK : LIGHT;
}

export interface Group {
  readonly community: number;
  /** Its most named concept. */
  readonly name: string;
  readonly size: number;
  /** Position among the colours. */
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
      // A concept alone is no community.
      colour: at < COLOURED && size > 1 ? at : COLOURED,
    }));
}

export function isDark(): boolean {
  return getComputedStyle(document.documentElement).colorScheme.includes("dark");
}
