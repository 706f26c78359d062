import { removeInvisible } from "./invisible.ts";
import { collapse } from "./text.ts";

/** Overrides and isolates show a text in another order than it has. */
const BIDI = /[\u202a-\u202e\u2066-\u2069]/g;
const CONTROLS = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/g;
const HARMLESS = /^[\t\n\x20-\x7e]*$/;

/** What a terminal would obey, and what nobody sees, is out: names, notes and transcripts hold anything. */
export function forTerminal(text: string): string {
  if (HARMLESS.test(text)) return text;
  const visible = text
    .toWellFormed()
    .replace(/\r\n/g, "\n")
    .replace(/[\u0085\u2028\u2029]/g, " ")
    .replace(CONTROLS, "\ufffd")
    .replace(BIDI, "\ufffd");
  return removeInvisible(visible);
}

/** For a name, a path or a message in a line of ours. */
export function oneLine(text: string): string {
  return forTerminal(collapse(text));
}

/** JSON on one line, in which everything invisible is written as an escape: exact, and harmless on a screen. */
export function jsonForTerminal(value: unknown): string {
  return JSON.stringify(value).replace(
    /[\x7f-\x9f\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu,
    (sign) =>
      [...Array(sign.length).keys()]
        .map((at) => `\\u${sign.charCodeAt(at).toString(16).padStart(4, "0")}`)
        .join(""),
  );
}
