/** A piece of a text. A mark represents characters that would otherwise be invisible. */
export interface Piece {
  readonly text: string;
  readonly isMark: boolean;
}
export type Line = readonly Piece[];

/** Deeper than code is indented: text after more spaces would be out of sight. */
const SPACES = 41;
const BLANK_LINES = 3;

/** Control and direction characters, everything else without a shape, unusual spaces, and long runs of spaces. */
const HIDDEN = new RegExp(
  String.raw`((?!\t)[\p{C}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\u00a0\u1680\u2000-\u200a\u202f\u205f\u2800\u3000])\1*|[ \t]{${SPACES},}`,
  "gu",
);

/**
 * An untrusted text as lines in which everything is visible: nothing hides in control characters, behind spaces or
 * below empty lines. `diff`: each line begins with a sign.
 */
export function visibleLines(text: string, form: "lines" | "diff" = "lines"): readonly Line[] {
  const lines: Line[] = [];
  const all = text.split("\n");
  for (let at = 0; at < all.length; ) {
    const line = all[at] ?? "";
    const end = isBlank(line, form) ? endOfBlank(all, at, form) : at + 1;
    const isRun = end - at >= BLANK_LINES;
    lines.push(
      isRun
        ? [...visiblePieces(line.slice(0, 1).trim()), mark(`${end - at} blank lines`)]
        : visiblePieces(line),
    );
    at = isRun ? end : at + 1;
  }
  return lines;
}

/** As one line: line breaks are marks too. */
export function visiblePieces(text: string): Line {
  const pieces: Piece[] = [];
  let done = 0;
  for (const match of text.matchAll(HIDDEN)) {
    const [run, one] = match;
    if (match.index > done) pieces.push({ text: text.slice(done, match.index), isMark: false });
    pieces.push(mark(one === undefined ? `${run.length} spaces` : named(one, run.length / one.length)));
    done = match.index + run.length;
  }
  if (done < text.length) pieces.push({ text: text.slice(done), isMark: false });
  return pieces;
}

/** The first lines of a long text. Undefined if it is short enough to be shown whole. */
export function beginning(lines: readonly Line[], mostLines: number, mostCharacters: number) {
  let left = mostCharacters;
  const first: Line[] = [];
  for (const line of lines.slice(0, mostLines)) {
    const kept: Piece[] = [];
    for (const piece of line) {
      if (left > 0) kept.push({ ...piece, text: piece.text.slice(0, left) });
      left -= piece.text.length;
    }
    first.push(kept);
    if (left < 0) break;
  }
  return left >= 0 && lines.length <= mostLines ? undefined : first;
}

function mark(text: string): Piece {
  return { text, isMark: true };
}

function named(character: string, times: number): string {
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  const name = character === "\n" ? "line break" : `U+${code}`;
  return times === 1 ? name : `${name} × ${times}`;
}

function isBlank(line: string, form: "lines" | "diff"): boolean {
  return (form === "diff" ? /^[-+ ]?[ \t]*$/ : /^[ \t]*$/).test(line);
}

function endOfBlank(all: readonly string[], from: number, form: "lines" | "diff"): number {
  const sign = all[from]?.slice(0, 1).trim();
  let at = from;
  while (
    at < all.length &&
    isBlank(all[at] ?? "", form) &&
    (form === "lines" || all[at]?.slice(0, 1).trim() === sign)
  )
    at++;
  return at;
}
