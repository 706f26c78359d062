/** The concepts at most `depth` relations away from one, including itself. */
export function near(edges: readonly number[], from: number, depth: number): Set<number> {
  const neighbours = new Map<number, number[]>();
  const add = (a: number, b: number): void => {
    const known = neighbours.get(a);
    if (known === undefined) neighbours.set(a, [b]);
    else known.push(b);
  };
  for (let at = 0; at < edges.length; at += 3) {
    const [a = 0, b = 0] = edges.slice(at, at + 2);
    add(a, b);
    add(b, a);
  }
  const found = new Set([from]);
  let last = [from];
  for (let step = 0; step < depth && last.length > 0; step++) {
    const next: number[] = [];
    for (const one of last)
      for (const to of neighbours.get(one) ?? []) {
        if (found.has(to)) continue;
        found.add(to);
        next.push(to);
      }
    last = next;
  }
  return found;
}
