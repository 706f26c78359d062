/** A line, several, or nothing: false and undefined are left out. */
type Said = string | false | undefined | readonly Said[];

/** The lines that there are. An empty one stays, because it separates. */
export function linesOf(...said: readonly Said[]): string[] {
  return said.flatMap((one) => (typeof one === "string" ? one : linesOf(...(one || []))));
}
