/** The form "do not use `code`" in the six other languages in which wishes are heard. */

const CODES =
  "(?<items>\u0001\\d+\u0001(?:(?:,| oder| und| ou| et| o| y| e|、|或|和|や)\\s*\u0001\\d+\u0001){0,3})";

const PATTERNS: readonly string[] = [
  // German
  `(?:bitte )?(?:verwende?|benutze?|nutze?|schreibe?)(?: bitte)? (?:nie(?:mals)?|nicht|kein(?:e[nrsm]?)?)(?: mehr)? ${CODES}`,
  `(?:bitte )?(?:nie(?:mals)?|kein(?:e[nrsm]?)?)(?: mehr)? ${CODES}(?: mehr)?(?: (?:verwenden|benutzen|nutzen|schreiben))?`,
  `(?:bitte )?${CODES}(?: bitte)? (?:nie(?:mals)?|nicht)(?: mehr)? (?:verwenden|benutzen|nutzen)`,
  `(?:bitte )?vermeide?n? ${CODES}`,
  // French
  `n['’]utilise[zrs]? (?:jamais|pas|plus)(?: (?:de|le|la))? ${CODES}`,
  `(?:ne )?(?:jamais|pas|plus) (?:utiliser |de |d['’])${CODES}`,
  `évite[zr]?(?: d['’]utiliser| de)? ${CODES}`,
  // Spanish
  `(?:no|nunca|jamás) (?:uses|use|usar|utilices|utilice|utilizar)(?: más)? ${CODES}`,
  `(?:evita|evite|evitar|deja de)(?: usar)? ${CODES}`,
  // Portuguese
  `(?:não|nunca|jamais) (?:use|usar|utilize|utilizar)(?: mais)? ${CODES}`,
  `(?:evite|evitar|pare de)(?: usar)? ${CODES}`,
  // Chinese
  `(?:请)?(?:不要|别|不准|禁止|切勿|请勿|不得|避免)(?:再)?(?:使用|用)?\\s*${CODES}`,
  // Japanese
  `${CODES}\\s*(?:は|を)?\\s*(?:絶対に|二度と)?(?:使わないで(?:ください)?|使用しないで(?:ください)?|使わない|使用しない|使用禁止|禁止|避けて(?:ください)?)`,
];

/** Only whole sentences: what follows may narrow it, and nobody here can read that. */
const END = "[\\s.!。！]*$";

let made: RegExp[] | undefined;

/** The items that a sentence forbids, as they are in its masked text. */
export function forbiddenElsewhere(masked: string): string | undefined {
  made ??= PATTERNS.map((pattern) => new RegExp(`^${pattern}${END}`, "iu"));
  for (const pattern of made) {
    const items = pattern.exec(masked.trim())?.groups?.["items"];
    if (items !== undefined) return items;
  }
  return undefined;
}
