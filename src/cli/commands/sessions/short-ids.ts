const LEAST = 8;

/**
 * For each id, as much of its beginning as no other one has: it can be typed wherever an id can, and a row of a list stays
 * on its line. Time makes the beginnings of some hosts' ids alike, so that no one length would do.
 */
export function shortIds(ids: readonly string[]): ReadonlyMap<string, string> {
  const sorted = [...new Set(ids)]
    .map((id) => ({ id, compared: id.toLowerCase() }))
    .sort((a, b) => (a.compared < b.compared ? -1 : 1));
  return new Map(
    sorted.map(({ id, compared }, at) => {
      const shared = [sorted[at - 1], sorted[at + 1]].map((one) => sharedBy(compared, one?.compared ?? ""));
      return [id, id.slice(0, Math.max(LEAST, ...shared.map((length) => length + 1)))];
    }),
  );
}

function sharedBy(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length++;
  return length;
}
