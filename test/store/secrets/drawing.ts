/** Random characters from a seeded generator: the same in every run, and none of them in this repository. */
export interface Drawing {
  /** `n` characters of an alphabet. */
  of(alphabet: string, n: number): string;
  below(limit: number): number;
  one<T>(list: readonly T[]): T;
  shuffled<T>(list: readonly T[]): T[];
}

const LOWER = "abcdefghijklmnopqrstuvwxyz";
export const HEX = "0123456789abcdef";
export const DIGITS = "0123456789";
export const UPPER = LOWER.toUpperCase() + DIGITS;
export const ALNUM = LOWER + LOWER.toUpperCase() + DIGITS;
export const LOWNUM = LOWER + DIGITS;
export const WORD = `${ALNUM}_-`;
export const BASE64 = `${ALNUM}+/`;
export const BASE32 = `${LOWER.toUpperCase()}234567`;

/** Mulberry32. */
export function drawing(seed: number): Drawing {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  const self: Drawing = {
    below,
    of: (alphabet, n) => Array.from({ length: n }, () => alphabet[below(alphabet.length)]).join(""),
    one: (list) => list[below(list.length)] as (typeof list)[number],
    shuffled(list) {
      const out = [...list];
      for (let at = out.length - 1; at > 0; at--) {
        const other = below(at + 1);
        [out[at], out[other]] = [out[other] as (typeof out)[number], out[at] as (typeof out)[number]];
      }
      return out;
    },
  };
  return self;
}

/** Like one of a person or a password manager. */
export function password(draw: Drawing): string {
  const words = ["winter", "Falcon", "maple", "Copper", "river", "Quartz", "harbor", "Velvet"];
  return draw.one([
    () => draw.of(ALNUM, 16),
    () => `${draw.one(words)}${draw.of(DIGITS, 4)}${draw.one(["!", "#", "?", "%"])}${draw.of(LOWNUM, 3)}`,
    () => `${draw.of(LOWNUM, 6)}-${draw.of(LOWNUM, 6)}-${draw.of(LOWNUM, 6)}`,
    () => `${draw.one(words)}_${draw.of(ALNUM, 8)}`,
    () => `${draw.of(ALNUM, 5)}@${draw.of(ALNUM, 5)}$${draw.of(ALNUM, 5)}`,
    () => draw.of(HEX, 24),
  ])();
}
