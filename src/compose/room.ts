/** How much of one hook output a host shows the model, and over how many outputs a block may be distributed. */
export interface Room {
  /** The maximum size of one output. */
  readonly most: number;
  /** The unit in which the host counts: UTF-16 units, or bytes of UTF-8. */
  readonly unit: "characters" | "bytes";
  /** The maximum number of parts (default: no limit). Parts that do not fit into one event wait for the next. */
  readonly parts?: number;
}

export function sizeOf(text: string, room: Room): number {
  return room.unit === "bytes" ? Buffer.byteLength(text, "utf8") : text.length;
}

/**
 * The longest prefix of a text within this size: cut after a line if that keeps at least half of it, else after a
 * space, else between two code points. Empty only if not even one code point fits.
 */
export function headOf(text: string, most: number, room: Room): string {
  if (sizeOf(text, room) <= most) return text;
  let units = 0;
  let size = 0;
  for (const character of text.slice(0, most + 1)) {
    size += sizeOf(character, room);
    if (size > most) break;
    units += character.length;
  }
  const head = text.slice(0, units);
  for (const boundary of ["\n", " "]) {
    const at = head.lastIndexOf(boundary);
    if (at + 1 >= units / 2) return text.slice(0, at + 1);
  }
  return head;
}
