/** What the user pressed or pasted. */
export type Key = { readonly name: KeyName } | { readonly name: "text"; readonly text: string };

export type KeyName =
  | "enter"
  | "tab"
  | "escape"
  | "backspace"
  | "delete"
  | "up"
  | "down"
  | "left"
  | "right"
  | "home"
  | "end"
  | "pageup"
  | "pagedown"
  | "interrupt" // Ctrl-C
  | "eof" // Ctrl-D
  | "clear" // Ctrl-U
  | "word" // Ctrl-W: deletes a word
  | "unknown"; // ignored: a function key, the mouse, Alt with a character

interface Typed {
  readonly keys: readonly Key[];
  /** The beginning of a sequence that is not complete yet. */
  readonly rest: string;
}

/** An arrow key begins with the same byte as Esc. Over a slow connection the rest may take this long. */
export const ESCAPE_MS = 80;

const ESC = "\x1b";
const PASTE = `${ESC}[200~`;
const PASTE_END = `${ESC}[201~`;
/** A paste that never ends must not use up the memory. */
const MOST_PASTED = 1024 * 1024;

const CONTROLS: Readonly<Record<string, KeyName>> = {
  "\r": "enter",
  "\n": "enter",
  "\t": "tab",
  "\x7f": "backspace",
  "\b": "backspace",
  "\x03": "interrupt",
  "\x04": "eof",
  "\x15": "clear",
  "\x17": "word",
  "\x01": "home",
  "\x05": "end",
  "\x10": "up", // Ctrl-P, as in shells
  "\x0e": "down",
};

/**
 * The last letter of a sequence, or the number before its tilde. Modifiers such as Shift change only what precedes it.
 */
const SEQUENCES: Readonly<Record<string, KeyName>> = {
  A: "up",
  B: "down",
  C: "right",
  D: "left",
  H: "home",
  F: "end",
  "1": "home",
  "7": "home",
  "4": "end",
  "8": "end",
  "3": "delete",
  "5": "pageup",
  "6": "pagedown",
};

/** Parses what a terminal sent. Bytes arrive in arbitrary chunks, so pass `rest` with the next one. */
export function readKeys(rest: string, chunk: string): Typed {
  // Ctrl-C works even during a paste that never ends.
  if (chunk === "\x03") return { keys: [{ name: "interrupt" }], rest: "" };
  const keys: Key[] = [];
  // CR LF counts as one Enter; some programs send it.
  let left = (rest + chunk).replaceAll("\r\n", "\r");
  // Old terminals do not mark pasted text. Several lines at once were not typed, and must not press Enter.
  const isPasted = !left.includes(ESC) && /[\r\n]./s.test(left);
  while (left !== "") {
    const next = left.startsWith(ESC) ? readSequence(left) : readPlain(left, isPasted);
    if (next === undefined && left.length <= MOST_PASTED) return { keys, rest: left };
    keys.push(next?.key ?? { name: "unknown" });
    if (next === undefined) break;
    left = left.slice(next.length);
  }
  return { keys, rest: "" };
}

/** What `rest` means if nothing follows within `ESCAPE_MS`. */
export function readRest(rest: string): readonly Key[] {
  return rest === ESC ? [{ name: "escape" }] : [];
}

interface Read {
  readonly length: number;
  /** Undefined for an ignored key. */
  readonly key?: Key | undefined;
}

function readPlain(left: string, isPasted: boolean): Read {
  const [text = ""] = /^[^\p{Cc}]+/u.exec(left) ?? [];
  if (text !== "") return { length: text.length, key: { name: "text", text } };
  const first = left.charAt(0);
  if (isPasted && /[\r\n\t]/.test(first)) return { length: 1, key: { name: "text", text: " " } };
  const name = CONTROLS[first];
  return { length: 1, key: name && { name } };
}

/** Undefined while the sequence is incomplete. */
function readSequence(left: string): Read | undefined {
  if (left.startsWith(PASTE)) {
    const end = left.indexOf(PASTE_END);
    if (end < 0) return undefined;
    const text = left.slice(PASTE.length, end).replace(/\p{Cc}+/gu, " ");
    return { length: end + PASTE_END.length, key: { name: "text", text } };
  }
  const [whole, kind, parameters = "", last = ""] = /^\x1b(?:(\[|O)([0-?]*)[ -/]*([@-~])?)?/.exec(left) ?? [];
  if (kind === undefined) {
    if (left.length === 1) return undefined;
    // Esc twice is Esc; Alt with a character is ignored.
    if (left.startsWith(ESC, 1)) return { length: 1, key: { name: "escape" } };
    return { length: 1 + String.fromCodePoint(left.codePointAt(1) ?? 0).length };
  }
  const length = whole?.length ?? 1;
  // A sequence interrupted by a control character is dropped.
  if (last === "") return length === left.length ? undefined : { length };
  const name = SEQUENCES[last === "~" ? (parameters.split(";")[0] ?? "") : last];
  return { length, key: name && { name } };
}
