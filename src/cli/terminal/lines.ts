/** A line, several, or nothing: false and undefined are left out. */
type Said = string | false | undefined | readonly Said[];

/** The existing lines. Empty lines stay, because they separate. */
export function linesOf(...said: readonly Said[]): string[] {
  return said.flatMap((one) => (typeof one === "string" ? one : linesOf(...(one || []))));
}
