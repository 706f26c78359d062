/** A set of small whole numbers, one bit each: a thousand rules and ten thousand sessions take a megabyte. */
export interface Numbers {
  add(number: number): void;
  size(): number;
}

export function createNumbers(): Numbers {
  let bits = new Uint8Array(8);
  let size = 0;
  return {
    add(number) {
      const at = number >> 3;
      if (at >= bits.length) {
        const larger = new Uint8Array(Math.max(bits.length * 2, at + 1));
        larger.set(bits);
        bits = larger;
      }
      const before = bits[at] ?? 0;
      const after = before | (1 << (number & 7));
      if (after === before) return;
      bits[at] = after;
      size++;
    },
    size: () => size,
  };
}
