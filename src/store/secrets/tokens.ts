import { isSpent, type Work } from "./extent.ts";
import { FORMATS } from "./patterns.ts";
import type { Span } from "./spans.ts";
import { isRandom } from "./values.ts";

interface Format {
  readonly kind: string;
  readonly prefix: string;
  readonly alphabet: number;
  readonly least: number;
  readonly most: number;
}

/** One bit per alphabet that a character is in. */
const BITS: Record<string, number> = { a: 1, w: 2, d: 4, b: 8, x: 16, u: 32 };
const LETTERS = "abcdefghijklmnopqrstuvwxyz";
const DIGITS = "0123456789";
const ALNUM = LETTERS + LETTERS.toUpperCase() + DIGITS;
const MEMBERS: Record<string, string> = {
  a: ALNUM,
  w: `${ALNUM}_-`,
  d: `${ALNUM}_-.`,
  b: `${ALNUM}_-+/=`,
  x: `${DIGITS}abcdefABCDEF-`,
  u: LETTERS.toUpperCase() + DIGITS,
};

/**
 * Tokens with several parts. Each is tried only at the beginning of a word, so that no range is read more than five
 * times.
 */
const PARTS: readonly (readonly [kind: string, prefix: string, pattern: RegExp])[] = [
  ["jwt", "eyJ", /eyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*){0,3}={0,2}/y],
  ["airtable-token", "pat", /pat[A-Za-z0-9]{14}\.[a-f0-9]{64}/y],
  ["vault-token", "s.", /s\.(?=[A-Za-z]{0,23}\d)[A-Za-z0-9]{24}(?![\w.-])/y],
];

/** A wallet's private key in base58. Its version byte determines how it begins. */
const WALLET = /(?:5[HJK][1-9A-HJ-NP-Za-km-z]{49}|[KL][1-9A-HJ-NP-Za-km-z]{51})(?![\w+/=-])/y;
const WALLET_PARTS = [["wallet-key", "", WALLET]] as const;
const WALLET_STARTS = ["5H", "5J", "5K", "Kw", "Kx", "Ky", "Kz", "L1", "L2", "L3", "L4", "L5"];

/** Discord: a user's id in base64, which can only begin with these two characters. */
const DISCORD = /[\w-]{23,28}\.[\w-]{6}\.[\w-]{25,40}/y;
const DISCORD_PARTS = [["discord-token", "", DISCORD]] as const;
const DISCORD_STARTS = ["MD", "MT", "Mj", "Mz", "ND", "NT", "Nj", "Nz", "OD", "OT", "Oj", "Oz"];

interface Table {
  readonly bits: Uint8Array;
  /** Indexed by the first two characters of the prefix. */
  readonly formats: ReadonlyMap<string, readonly Format[]>;
}

let table: Table | undefined;

function readTable(): Table {
  const bits = new Uint8Array(128);
  for (const [name, members] of Object.entries(MEMBERS)) {
    for (let at = 0; at < members.length; at++) {
      const code = members.charCodeAt(at);
      bits[code] = (bits[code] ?? 0) | (BITS[name] ?? 0);
    }
  }
  const formats = new Map<string, Format[]>();
  for (const [, prefix] of PARTS) formats.set(prefix.slice(0, 2), []);
  for (const start of [...DISCORD_STARTS, ...WALLET_STARTS]) formats.set(start, []);
  for (const line of FORMATS) {
    const [kind = "", alphabet = "", lengths = "", ...prefixes] = line.split(" ");
    const [least = "", most] = lengths.split("-");
    for (const prefix of prefixes) {
      const format = { kind, prefix, alphabet: BITS[alphabet] ?? 0, least: +least, most: +(most ?? 1e9) };
      const list = formats.get(prefix.slice(0, 2));
      if (list === undefined) formats.set(prefix.slice(0, 2), [format]);
      else list.push(format);
    }
  }
  // The longest prefix first: it is the most specific.
  for (const list of formats.values()) list.sort((a, b) => b.prefix.length - a.prefix.length);
  return { bits, formats };
}

/** The first characters of tokens, for the scan. */
export function tokenStarts(): string[] {
  table ??= readTable();
  const all = [...table.formats.values()].flat();
  return [
    ...all.map(({ prefix }) => prefix),
    ...PARTS.map(([, prefix]) => prefix),
    ...DISCORD_STARTS,
    ...WALLET_STARTS,
  ].map((one) => one.slice(0, 3));
}

/** Tokens that can be recognised by their form alone, at the words where one may begin. */
export function findTokens(text: string, starts: readonly number[], spans: Span[], work: Work): void {
  table ??= readTable();
  let done = 0;
  for (const at of starts) {
    if (at < done) continue;
    const found = tokenAt(text, at, table.bits, table.formats.get(text.slice(at, at + 2)) ?? [], work);
    if (found === undefined) continue;
    spans.push(found);
    done = found.to;
  }
}

function tokenAt(
  text: string,
  at: number,
  bits: Uint8Array,
  formats: readonly Format[],
  work: Work,
): Span | undefined {
  const before = at === 0 ? " " : text.charAt(at - 1);
  const isAlone = !/[_.-]/.test(before);
  if (isAlone) {
    const first = text.slice(at, at + 2);
    const parts = DISCORD_STARTS.includes(first)
      ? DISCORD_PARTS
      : WALLET_STARTS.includes(first)
        ? WALLET_PARTS
        : PARTS;
    for (const [kind, prefix, pattern] of parts) {
      if (!text.startsWith(prefix, at)) continue;
      pattern.lastIndex = at;
      const found = pattern.exec(text)?.[0];
      if (found !== undefined && isRandom(found))
        return {
          from: at,
          to: kind === "jwt" ? afterBreaks(text, at + found.length) : at + found.length,
          kind,
        };
    }
  }
  for (const format of formats) {
    const { kind, prefix, alphabet, least, most } = format;
    // A short prefix inside a longer name means nothing.
    if (!text.startsWith(prefix, at) || (!isAlone && prefix.length < 4)) continue;
    const begin = at + prefix.length;
    // Reads only as much as is needed to judge, so that a megabyte is not read once for each of its words.
    const judged = endOf(text, begin, alphabet, bits, least + 64);
    work.spent += judged - begin;
    if (isSpent(work)) {
      const to = endOf(text, judged, alphabet, bits, MOST_UNSEEN);
      return to - begin < least ? undefined : { from: at, to, kind };
    }
    const body = text.slice(begin, judged);
    if (body.length >= least && isBody(format, body)) {
      const to = endOf(text, judged, alphabet, bits, Number.POSITIVE_INFINITY);
      if (to - begin > most) continue;
      return { from: at, to: afterCuts(text, to, format, bits, to - begin), kind };
    }
    if (prefix.length < 4 || body.length >= least) continue;
    const to = afterCuts(text, judged, format, bits, body.length);
    if (to > judged && isBody(format, lettersOf(text.slice(begin, to)))) return { from: at, to, kind };
  }
  return undefined;
}

const NEXT_LINE = /\r?\n[ \t>|]{0,8}([\w.-]{16,2000})(?=[\s"'`,;)]|$)/y;

/** A JSON web token that a mail program or a terminal split into lines. */
function afterBreaks(text: string, from: number): number {
  let to = from;
  for (let lines = 0; lines < 40; lines++) {
    NEXT_LINE.lastIndex = to;
    const found = NEXT_LINE.exec(text);
    if (found === null || !isRandom(found[1] as string) || /^[a-f0-9-]{16,64}$/.test(found[1] as string))
      break;
    to = NEXT_LINE.lastIndex;
  }
  return to;
}

/** Prefixes that nothing else has. */
const SURE = /^(?:sk-ant-|sk-proj-|github_pat_|gh[pousr]_|sk_live_|glpat-)$/;

/** A long prefix is enough; a short one may be the beginning of any name. */
function isBody({ alphabet, prefix }: Format, body: string): boolean {
  // `test_1234567890…` is an example, and "test" a word.
  if (/^(?:test|live)_$/.test(prefix) && body.includes("1234567890")) return false;
  return (
    alphabet === BITS["u"] || isRandom(body) || SURE.test(prefix) || (prefix.length >= 7 && /\d/.test(body))
  );
}

function endOf(text: string, from: number, alphabet: number, bits: Uint8Array, most: number): number {
  let to = from;
  const last = Math.min(text.length, from + most);
  while (to < last) {
    const code = text.charCodeAt(to);
    if (code > 127 || ((bits[code] as number) & alphabet) === 0) break;
    to++;
  }
  return to;
}

/** How many characters are redacted at once when the work budget is spent. */
const MOST_UNSEEN = 4000;

const CUT = /(?:[\s"'`,+\\]|\.\s|\\n){1,12}/y;
const MOST_PIECES = 12;

/**
 * Tokens that quotes, spaces, commas or line breaks split into pieces. Returns the end of the last piece, or `from` if
 * what follows is not part of the token or the token would still be too short.
 */
function afterCuts(text: string, from: number, format: Format, bits: Uint8Array, length: number): number {
  const { alphabet, least, most } = format;
  const wanted = Math.min(most, Math.max(least, 36));
  let to = from;
  let whole = length;
  for (let piece = 0; piece < MOST_PIECES && whole < wanted; piece++) {
    CUT.lastIndex = to;
    const cut = CUT.exec(text)?.[0].length ?? 0;
    if (cut === 0) break;
    const end = endOf(text, to + cut, alphabet, bits, 200);
    const more = text.slice(to + cut, end);
    if (!isPiece(more, alphabet) || whole + more.length > most) break;
    whole += more.length;
    to = end;
  }
  return whole < least ? from : to;
}

/** Words of prose after a token are not pieces of it. */
function isPiece(piece: string, alphabet: number): boolean {
  if (alphabet === BITS["u"]) return /^[A-Z0-9]{2,}$/.test(piece);
  return piece.length >= 3 && /\d/.test(piece) && /[A-Za-z]/.test(piece);
}

const lettersOf = (text: string): string => text.replace(/[\s"'`,+\\.]/g, "");
