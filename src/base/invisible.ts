/**
 * Invisible characters can carry instructions that no reviewer notices. They are removed, except where a language or an
 * emoji needs them: then exactly one is kept, after a character that takes one.
 */

/**
 * Controls except tab and line feed, everything that Unicode calls ignorable by default, and annotation controls. Regular
 * expressions with large character classes are in functions: compiling them takes a hook milliseconds, and few texts need
 * them.
 */
const invisible = () => /[\x00-\x08\x0b-\x1f\x7f-\x9f\ufff9-\ufffb\p{Default_Ignorable_Code_Point}]+/gu;
const isInvisible = (character: string) =>
  /[\x00-\x08\x0b-\x1f\x7f-\x9f\ufff9-\ufffb\p{Default_Ignorable_Code_Point}]/u.test(character);

/** The three flags that are written with tag characters; any other run of tags is hidden text. */
const FLAG = "\u{1f3f4}";
const FLAG_TAGS = ["gbeng", "gbsct", "gbwls"].map(
  (region) =>
    `${[...region].map((letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join("")}\u{e007f}`,
);

const ODD = /[^\t\n\x20-\x7e]+/g;

/** A faster pre-check by UTF-16 units: most texts have none of these. */
const MAYBE =
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: single units are meant
  /[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\ud82f\ud834\udb40-\udb43]/;

export function removeInvisible(text: string): string {
  // Only text outside plain ASCII is checked.
  if (!MAYBE.test((text.match(ODD) ?? []).join(""))) return text;
  return text.replace(invisible(), (run: string, at: number) =>
    keptOf(run, before(text, at), after(text, at + run.length)),
  );
}

/** Decides from left to right, based on the characters that are kept, so that a second pass changes nothing. */
function keptOf(run: string, previous: string, next: string): string {
  if (previous === FLAG) {
    const tags = FLAG_TAGS.find((one) => run.startsWith(one));
    if (tags !== undefined) return tags;
  }
  let kept = "";
  let last = previous;
  for (const character of run) {
    if (!isWritten(character, last, next)) continue;
    kept += character;
    last = character;
  }
  return kept;
}

/** Whether a script or an emoji needs this character in this place. */
function isWritten(character: string, last: string, next: string): boolean {
  const code = character.codePointAt(0) ?? 0;
  // Joiners: Persian, Arabic and Indic words, German ligatures, families of emoji.
  if (code === 0x200c || code === 0x200d) return isJoined(last);
  if (code >= 0xfe00 && code <= 0xfe0f) return isVaried(last);
  if (code >= 0xe0100 && code <= 0xe01ef) return isHan(last);
  if (code >= 0x180b && code <= 0x180f) return MONGOLIAN.test(last);
  // A zero-width space separates words in scripts without spaces.
  if (code === 0x200b) return isUnspaced(last) && isUnspaced(next);
  // A grapheme joiner keeps the order of marks that normalisation would otherwise change, as in Biblical Hebrew.
  if (code === 0x034f) return isMark(last) && !isInvisible(last) && isMark(next);
  if (code === 0x115f) return OLD_VOWEL.test(next);
  if (code === 0x1160) return OLD_CONSONANT.test(last);
  return (code === 0x17b4 || code === 0x17b5) && isKhmer(last) && !isInvisible(last);
}

const isJoined = (character: string) =>
  /[\p{L}\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}]/u.test(character);
const isVaried = (character: string) => /[\p{S}\p{Lo}\p{Po}\p{Emoji}]/u.test(character);
const isHan = (character: string) => /\p{Script=Han}/u.test(character);
const MONGOLIAN = /[\u1820-\u18aa]/;
const isUnspaced = (character: string) =>
  /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u.test(character);
const isMark = (character: string) => /\p{M}/u.test(character);
const OLD_VOWEL = /[\u1161-\u11a7]/;
const OLD_CONSONANT = /[\u1100-\u115f]/;
const isKhmer = (character: string) => /\p{Script=Khmer}/u.test(character);

function before(text: string, at: number): string {
  const low = text.codePointAt(at - 1) ?? 0;
  const isPair = low >= 0xdc00 && low <= 0xdfff && at >= 2;
  return at === 0 ? "" : text.slice(at - (isPair ? 2 : 1), at);
}

function after(text: string, at: number): string {
  const code = text.codePointAt(at);
  return code === undefined ? "" : String.fromCodePoint(code);
}
