/** Hosts nest a few dozen levels. Below this limit, recursion over a value is safe. */
export const MAX_DEPTH = 1000;
/** The most values and names in one text. An empty list takes 3 bytes of text and more than a hundred of memory. */
export const MAX_VALUES = 250_000;

/** A text that may be valid JSON and would take too much memory. Callers may treat it like invalid JSON. */
class RefusedJson extends SyntaxError {
  /** The limit that the text exceeds, such as "has more than 5 values". */
  readonly limit: string;

  constructor(limit: string, at: number) {
    super(`JSON ${limit} at position ${at}`);
    this.name = "RefusedJson";
    this.limit = limit;
  }
}

/** Checks the name, because a program that is bundled into several files has several copies of the class. */
export function isRefusedJson(error: unknown): error is RefusedJson {
  return error instanceof Error && error.name === "RefusedJson";
}

/**
 * `JSON.parse` with a memory limit, for text that others wrote. The text's size is limited where it is read; this limits
 * how much memory a small text can take. Throws `SyntaxError`, or its subclass `RefusedJson`.
 */
export function parseBounded(text: string): unknown {
  // Every level and every value takes at least one character, so short texts need no check.
  if (text.length > MAX_DEPTH) refuseLarge(text);
  return JSON.parse(text);
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** One pass over everything outside of strings. In invalid JSON it may count too much, never too little. */
function refuseLarge(text: string): void {
  let depth = 0;
  let values = 0;
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case QUOTE:
        at = endOfString(text, at);
        break;
      case OPEN_LIST:
      case OPEN_OBJECT:
        values++;
        if (++depth > MAX_DEPTH) throw new RefusedJson(`is nested deeper than ${MAX_DEPTH} levels`, at);
        break;
      case CLOSE_LIST:
      case CLOSE_OBJECT:
        depth--;
        break;
      case COMMA:
      case COLON:
        values++;
        break;
    }
    if (values > MAX_VALUES) throw new RefusedJson(`has more than ${MAX_VALUES} values`, at);
  }
}

/** The position of the closing quote. Most of a transcript is in strings, which `indexOf` searches fastest. */
function endOfString(text: string, open: number): number {
  for (let at = text.indexOf('"', open + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let escapes = 0;
    while (text.charCodeAt(at - 1 - escapes) === BACKSLASH) escapes++;
    if (escapes % 2 === 0) return at;
  }
  return text.length;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
