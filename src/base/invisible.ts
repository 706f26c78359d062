/**
 * Characters that nobody sees can carry orders that no reviewer finds. They are removed, except where a language or an
 * emoji is written with them: then exactly one is kept, behind a character that takes one.
 */

/**
 * Controls except tab and line feed, everything that Unicode calls ignorable by default, and annotation controls.
 * Expressions with large classes of characters are in functions: building them takes a hook milliseconds, and few texts
 * need them.
 */
const invisible = () => /[\x00-\x08\x0b-\x1f\x7f-\x9f\ufff9-\ufffb\p{Default_Ignorable_Code_Point}]+/gu;
const isInvisible = (sign: string) =>
  /[\x00-\x08\x0b-\x1f\x7f-\x9f\ufff9-\ufffb\p{Default_Ignorable_Code_Point}]/u.test(sign);

/** The three flags that are written with tag characters; any other run of tags is hidden text. */
const FLAG = "\u{1f3f4}";
const FLAG_TAGS = ["gbeng", "gbsct", "gbwls"].map(
  (region) =>
    `${[...region].map((letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join("")}\u{e007f}`,
);

const ODD = /[^\t\n\x20-\x7e]+/g;

/** The same by units of text, which is faster: most texts have none of these. */
const MAYBE =
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: single units are meant
  /[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\ud82f\ud834\udb40-\udb43]/;

export function removeInvisible(text: string): string {
  // Only what is not plain ASCII is looked at closely.
  if (!MAYBE.test((text.match(ODD) ?? []).join(""))) return text;
  return text.replace(invisible(), (run: string, at: number) =>
    keptOf(run, before(text, at), after(text, at + run.length)),
  );
}

/** Decides from left to right by what stays, so that a second pass changes nothing. */
function keptOf(run: string, previous: string, next: string): string {
  if (previous === FLAG) {
    const tags = FLAG_TAGS.find((one) => run.startsWith(one));
    if (tags !== undefined) return tags;
  }
  let kept = "";
  let last = previous;
  for (const sign of run) {
    if (!isWritten(sign, last, next)) continue;
    kept += sign;
    last = sign;
  }
  return kept;
}

/** Whether a script or an emoji is written with this character in this place. */
function isWritten(sign: string, last: string, next: string): boolean {
  const code = sign.codePointAt(0) ?? 0;
  // Joiners: Persian, Arabic and Indic words, German ligatures, families of emoji.
  if (code === 0x200c || code === 0x200d) return isJoined(last);
  if (code >= 0xfe00 && code <= 0xfe0f) return isVaried(last);
  if (code >= 0xe0100 && code <= 0xe01ef) return isHan(last);
  if (code >= 0x180b && code <= 0x180f) return MONGOLIAN.test(last);
  // Words of scripts without spaces are divided by it.
  if (code === 0x200b) return isUnspaced(last) && isUnspaced(next);
  // Orders marks that would otherwise change places, as in Biblical Hebrew.
  if (code === 0x034f) return isMark(last) && !isInvisible(last) && isMark(next);
  if (code === 0x115f) return OLD_VOWEL.test(next);
  if (code === 0x1160) return OLD_CONSONANT.test(last);
  return (code === 0x17b4 || code === 0x17b5) && isKhmer(last) && !isInvisible(last);
}

const isJoined = (sign: string) => /[\p{L}\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}]/u.test(sign);
const isVaried = (sign: string) => /[\p{S}\p{Lo}\p{Po}\p{Emoji}]/u.test(sign);
const isHan = (sign: string) => /\p{Script=Han}/u.test(sign);
const MONGOLIAN = /[\u1820-\u18aa]/;
const isUnspaced = (sign: string) =>
  /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u.test(sign);
const isMark = (sign: string) => /\p{M}/u.test(sign);
const OLD_VOWEL = /[\u1161-\u11a7]/;
const OLD_CONSONANT = /[\u1100-\u115f]/;
const isKhmer = (sign: string) => /\p{Script=Khmer}/u.test(sign);

function before(text: string, at: number): string {
  const low = text.codePointAt(at - 1) ?? 0;
  const isPair = low >= 0xdc00 && low <= 0xdfff && at >= 2;
  return at === 0 ? "" : text.slice(at - (isPair ? 2 : 1), at);
}

function after(text: string, at: number): string {
  const code = text.codePointAt(at);
  return code === undefined ? "" : String.fromCodePoint(code);
}
