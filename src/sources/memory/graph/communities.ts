/**
 * Groups of concepts that are named together more than with others. Louvain's first phase, made deterministic: concepts
 * are visited in the order of their names, and of equally good groups the one with the smallest number wins. The same
 * notes give the same groups in every process.
 */

/** Undirected, by index of the concept; `weight` counts the notes that name both. */
export interface Edge {
  readonly a: number;
  readonly b: number;
  readonly weight: number;
}

const MOST_PASSES = 20;

/** The group of each of `count` concepts. Groups are numbered by their first member, without gaps. */
export function detectCommunities(count: number, edges: readonly Edge[], gamma = 1): number[] {
  const neighbours: [to: number, weight: number][][] = Array.from({ length: count }, () => []);
  const degree = new Array<number>(count).fill(0);
  let total = 0;
  for (const { a, b, weight } of edges) {
    if (a === b) continue;
    neighbours[a]?.push([b, weight]);
    neighbours[b]?.push([a, weight]);
    degree[a] = (degree[a] ?? 0) + weight;
    degree[b] = (degree[b] ?? 0) + weight;
    total += weight;
  }
  const group = Array.from({ length: count }, (_, i) => i);
  if (total === 0) return renumbered(group);
  const groupDegree = [...degree];
  for (let pass = 0; pass < MOST_PASSES; pass++) {
    let moved = false;
    for (let node = 0; node < count; node++) {
      const own = group[node] ?? node;
      const weight = degree[node] ?? 0;
      const links = linksTo(neighbours[node] ?? [], group);
      groupDegree[own] = (groupDegree[own] ?? 0) - weight;
      const gain = (to: number) =>
        (links.get(to) ?? 0) - (gamma * weight * (groupDegree[to] ?? 0)) / (2 * total);
      let [best, most] = [own, gain(own)];
      for (const to of [...links.keys()].sort((x, y) => x - y)) {
        const value = gain(to);
        // Rounding must not decide: two machines would then disagree.
        if (value > most + 1e-9) [best, most] = [to, value];
      }
      groupDegree[best] = (groupDegree[best] ?? 0) + weight;
      if (best !== own) {
        group[node] = best;
        moved = true;
      }
    }
    if (!moved) break;
  }
  return renumbered(group);
}

function linksTo(neighbours: readonly [number, number][], group: readonly number[]): Map<number, number> {
  const links = new Map<number, number>();
  for (const [to, weight] of neighbours) {
    const its = group[to] ?? to;
    links.set(its, (links.get(its) ?? 0) + weight);
  }
  return links;
}

function renumbered(group: readonly number[]): number[] {
  const numbers = new Map<number, number>();
  return group.map((one) => {
    const number = numbers.get(one) ?? numbers.size;
    numbers.set(one, number);
    return number;
  });
}
