/** What a host shows the model of one hook output, and in how many outputs a block may be spread. */
export interface Room {
  /** The longest text of one output. */
  readonly most: number;
  /** How the host counts it: UTF-16 units, or bytes of UTF-8. */
  readonly unit: "characters" | "bytes";
  /** The most parts a block may have; any number unless it is given. What one event cannot carry waits for the next. */
  readonly parts?: number;
}

export function sizeOf(text: string, room: Room): number {
  return room.unit === "bytes" ? Buffer.byteLength(text, "utf8") : text.length;
}

/**
 * The longest beginning of a text that has at most this size, cut after a line where that leaves at least half of the
 * room, else after a space, else between two code points. Never empty unless not even one code point fits.
 */
export function headOf(text: string, most: number, room: Room): string {
  if (sizeOf(text, room) <= most) return text;
  let units = 0;
  let size = 0;
  for (const sign of text.slice(0, most + 1)) {
    size += sizeOf(sign, room);
    if (size > most) break;
    units += sign.length;
  }
  const head = text.slice(0, units);
  for (const boundary of ["\n", " "]) {
    const at = head.lastIndexOf(boundary);
    if (at + 1 >= units / 2) return text.slice(0, at + 1);
  }
  return head;
}
