import { forTerminal } from "../../base/for-terminal.ts";
import { mapText, unpainted } from "./paint.ts";
import type { Screen } from "./screen.ts";

// How many columns a text occupies on a terminal, and how to shorten it. Colours occupy none.

/** East Asian characters and most emoji take two columns, combining marks none. */
export function widthOf(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  const visible = unpainted(text);
  if (/^[\x20-\x7e]*$/.test(visible)) return visible.length;
  let width = 0;
  for (const character of visible) width += columnsOf(character);
  return width;
}

export function padTo(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - widthOf(text)));
}

/** The ellipsis that replaces what was cut. */
export function markOf({ hasUnicode }: Pick<Screen, "hasUnicode">): string {
  return hasUnicode ? "…" : "...";
}

/** At most this many columns, including the ellipsis. The end is cut. */
export function clipTo(text: string, width: number, mark = "…"): string {
  if (widthOf(text) <= width) return text;
  const markWidth = widthOf(mark);
  const room = markWidth > width ? width : width - markWidth;
  let used = 0;
  let isFull = false;
  return mapText(text, (piece) => {
    if (isFull) return "";
    let kept = "";
    for (const character of piece) {
      const columns = columnsOf(character);
      if (used + columns > room) {
        isFull = true;
        // A joiner without the character it joins would be an invisible remainder.
        return kept.replace(/[ \u200d]+$/, "") + (markWidth > width ? "" : mark);
      }
      used += columns;
      kept += character;
    }
    return kept;
  });
}

/** The same, but cuts the beginning, because the end of a path is most informative. */
export function clipStart(text: string, width: number, mark = "…"): string {
  if (widthOf(text) <= width) return text;
  const markWidth = widthOf(mark);
  const room = Math.max(0, width - markWidth);
  const characters = [...unpainted(text)];
  let used = 0;
  let from = characters.length;
  while (from > 0) {
    const columns = columnsOf(characters[from - 1] ?? "");
    if (used + columns > room) break;
    used += columns;
    from--;
  }
  return (markWidth > width ? "" : mark) + characters.slice(from).join("");
}

/** A text for one line of output: like `oneLine`, but keeps colours and spaces. */
export function onOneLine(text: string): string {
  return mapText(text, (piece) => forTerminal(piece.replace(/[^\S ]+/g, " ")));
}

/** Puts a line break into every word that is wider than this. */
export function breakWords(text: string, width: number): string {
  let used = 0;
  return mapText(text, (piece) => {
    let broken = "";
    for (const character of piece) {
      const columns = columnsOf(character);
      const isTooWide = used + columns > width && character !== " ";
      broken += isTooWide ? `\n${character}` : character;
      used = character === " " ? 0 : isTooWide ? columns : used + columns;
    }
    return broken;
  });
}

function columnsOf(character: string): number {
  if (character === VARIANT_EMOJI) return 1; // it makes a one-column character a two-column emoji
  return NONE.test(character) ? 0 : TWO.test(character) ? 2 : 1;
}

const VARIANT_EMOJI = "\ufe0f";
const NONE = /[\p{Mn}\p{Me}\p{Cf}]/u;
const TWO =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{16fe0}-\u{18cff}\u{1b000}-\u{1b2ff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;
