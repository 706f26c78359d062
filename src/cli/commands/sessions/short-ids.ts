const LEAST = 8;

/**
 * The shortest unique prefix of each id. It is accepted wherever an id is, and keeps the rows of a list short. One fixed
 * length would not do: ids of some hosts begin with the time, so that many share a long prefix.
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
