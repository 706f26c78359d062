import { removeInvisible } from "./invisible.ts";
import { collapse, shellWord } from "./text.ts";

/** Bidirectional overrides and isolates: they display text in another order than its characters have. */
const BIDI = /[\u202a-\u202e\u2066-\u2069]/g;
const CONTROLS = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/g;
const HARMLESS = /^[\t\n\x20-\x7e]*$/;

/** Removes control sequences and invisible characters: names, notes and transcripts may contain anything. */
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

/** For a name, a path or a message inside one line of output. */
export function oneLine(text: string): string {
  return forTerminal(collapse(text));
}

/**
 * Quotes an argument of a command that is suggested to people and agents, who may run it: nothing in a name that others
 * chose is executed.
 */
export function commandWord(text: string): string {
  return shellWord(oneLine(text));
}

/** JSON on one line with every invisible character escaped: exact, and harmless on a terminal. */
export function jsonForTerminal(value: unknown): string {
  return JSON.stringify(value).replace(
    /[\x7f-\x9f\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu,
    (character) =>
      [...Array(character.length).keys()]
        .map((at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, "0")}`)
        .join(""),
  );
}

const SHORT = 8;
/** Shorter ids are usually words that somebody chose. */
const LONG = 16;

/** The shortest unambiguous prefix of an id among these sessions. Commands accept it in place of the id. */
export function shortId(id: string, among: readonly { readonly session: string }[] = []): string {
  // Ids that do not come from a host may be anything, and are shown whole: a part of one could be misread.
  if (!/^[A-Za-z0-9][\w-]*$/.test(id)) return commandWord(id);
  if (id.length < LONG) return id;
  let length = SHORT;
  while (
    length < id.length &&
    among.some(({ session }) => session !== id && session.startsWith(id.slice(0, length)))
  )
    length += 4;
  return id.slice(0, length).replace(/-$/, "");
}
