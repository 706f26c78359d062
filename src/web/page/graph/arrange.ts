const GOLDEN = Math.PI * (3 - Math.sqrt(5));

interface Concepts {
  readonly communities: readonly number[];
  readonly notes: readonly number[];
}

/**
 * Initial positions: communities around the centre, the largest innermost, each as a disc with its most frequent
 * concepts in the middle. The same graph always gives the same picture.
 */
export function arranged({ communities, notes }: Concepts): Float32Array {
  const members = new Map<number, number[]>();
  for (const [at, community] of communities.entries()) {
    const known = members.get(community);
    if (known === undefined) members.set(community, [at]);
    else known.push(at);
  }
  const places = new Float32Array(communities.length * 2);
  const groups = [...members.values()].sort((a, b) => b.length - a.length || (a[0] ?? 0) - (b[0] ?? 0));
  let area = 0;
  for (const [i, group] of groups.entries()) {
    const radius = Math.sqrt(group.length);
    // Each group gets as much of the spiral as it needs.
    const distance = i === 0 ? 0 : Math.sqrt(area) * 1.6 + radius;
    area += group.length * 2;
    const [x, y] = [Math.cos(i * GOLDEN) * distance, Math.sin(i * GOLDEN) * distance];
    group.sort((a, b) => (notes[b] ?? 0) - (notes[a] ?? 0) || a - b);
    for (const [j, at] of group.entries()) {
      const step = Math.sqrt(j + 0.5);
      places[at * 2] = (x + Math.cos(j * GOLDEN) * step) * 10;
      places[at * 2 + 1] = (y + Math.sin(j * GOLDEN) * step) * 10;
    }
  }
  return places;
}
