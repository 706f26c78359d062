/**
 * The only pass over every character. It finds the positions that need a closer check. Ordinary text has few of them and
 * costs no more than this loop.
 */
export interface Scan {
  /** Positions of words that may be tokens. */
  readonly starts: readonly number[];
  /** Positions of words that may name a secret, also inside longer names. */
  readonly keywords: readonly number[];
  /** Which of the given texts may occur, by index. */
  readonly seen: readonly number[];
}

interface ScanTargets {
  /** The first characters of tokens: three, or two if the third can be any. */
  readonly starts: readonly string[];
  /** The first three letters of keywords, in lower case. */
  readonly keywords: readonly string[];
  /** For each text, its three rarest consecutive characters are searched. */
  readonly texts: readonly string[];
}

const KEYWORD = 255;
const ROOM = 1 << 16;

export function scanner({ starts, keywords, texts }: ScanTargets): (text: string) => Scan {
  // Indexed by two characters, with one bit for each third character.
  const pairs = new Int32Array(128 * 128);
  for (const start of starts) {
    const pair = start.charCodeAt(0) * 128 + start.charCodeAt(1);
    pairs[pair] = (pairs[pair] as number) | (start.length > 2 ? 1 << (start.charCodeAt(2) & 31) : -1);
  }
  // Five bits per character, so upper and lower case are equal. Other characters with the same bits are ruled out
  // later.
  const triples = new Uint8Array(1 << 15);
  const groups: number[][] = [[]];
  for (const keyword of keywords) triples[tripleOf(keyword)] = KEYWORD;
  texts.forEach((text, number) => {
    // All free triples of a text share a group: there are only 254 groups, and a text of two characters has 32 triples.
    let own = 0;
    for (const triple of triplesOf(text, triples)) {
      const group = triples[triple] as number;
      if (group > 0) groups[group]?.push(number);
      else {
        if (own === 0) own = groups.push([number]) - 1;
        triples[triple] = own;
      }
    }
  });
  if (groups.length >= KEYWORD) throw new Error("more texts to look for than there are groups");
  let room: Buffer | undefined;
  return (text) => {
    // Bytes are read three times as fast as characters. A character above 255 is represented by its lower byte.
    room ??= Buffer.allocUnsafe(ROOM);
    const bytes = text.length <= ROOM ? room : Buffer.allocUnsafe(text.length);
    bytes.write(text, 0, "latin1");
    return scan(bytes, text.length, pairs, triples, groups);
  };
}

/** From the most common letter to the rarest. */
const LETTERS = " etaoinsrhldcumfpgwybvkxjqz";

/** The rarest three consecutive characters that no keyword uses; for a text of two, with any character before them. */
function triplesOf(text: string, taken: Uint8Array): number[] {
  if (text.length < 3)
    return Array.from({ length: 32 }, (_, code) => tripleOf(String.fromCharCode(code) + text));
  let best: number | undefined;
  let most = -1;
  // Plain loops: this runs once in every hook that writes anything, before V8 optimises it.
  for (let at = 0; at + 2 < text.length; at++) {
    const triple = tripleOf(text, at);
    const rarity =
      (RARITY[triple >> 10] as number) +
      (RARITY[(triple >> 5) & 31] as number) +
      (RARITY[triple & 31] as number);
    if (rarity <= most || taken[triple] === KEYWORD) continue;
    best = triple;
    most = rarity;
  }
  if (best === undefined) throw new Error(`"${text}" has only characters of keywords`);
  return [best];
}

/** By the low five bits of a character: all characters with a letter's bits count as that letter. */
const RARITY = Array.from({ length: 32 }, (_, bits) =>
  bits > 26 ? 30 : LETTERS.indexOf(String.fromCharCode(bits === 0 ? 32 : 96 + bits)),
);

function tripleOf(text: string, at = 0): number {
  const first = (text.charCodeAt(at) & 31) << 10;
  return first | ((text.charCodeAt(at + 1) & 31) << 5) | (text.charCodeAt(at + 2) & 31);
}

const isSeen = new Uint8Array(256);

function scan(
  bytes: Buffer,
  length: number,
  pairs: Int32Array,
  triples: Uint8Array,
  groups: readonly (readonly number[])[],
): Scan {
  const starts: number[] = [];
  const keywords: number[] = [];
  const seen: number[] = [];
  let triple = 0;
  let isInside = false;
  let afterEscape = -1;
  for (let at = 0; at < length; at++) {
    const code = bytes[at] as number;
    triple = ((triple << 5) | (code & 31)) & 0x7fff;
    const group = triples[triple] as number;
    if (group !== 0) {
      if (group === KEYWORD) keywords.push(at - 2);
      else if (isSeen[group] === 0) {
        isSeen[group] = 1;
        seen.push(group);
      }
    }
    if ((code >= 97 && code <= 122) || (code >= 48 && code <= 57) || (code >= 65 && code <= 90)) {
      if (isInside && at !== afterEscape) continue;
      isInside = true;
      if (at + 2 >= length) continue;
      const mask = pairs[((code << 7) | (bytes[at + 1] as number)) & 0x3fff] as number;
      if (mask !== 0 && (mask & (1 << ((bytes[at + 2] as number) & 31))) !== 0) starts.push(at);
    } else {
      isInside = false;
      // In JSON a line break is `\n`, in a URL `=` is `%3D`: a word may begin after them.
      if (code === 92) afterEscape = at + 2;
      else if (code === 37) afterEscape = at + 3;
    }
  }
  for (const group of seen) isSeen[group] = 0;
  return { starts, keywords, seen: seen.flatMap((group) => groups[group] ?? []) };
}
