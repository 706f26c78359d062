/**
 * CommonMark's seven ways in which a line begins a block of raw HTML. `end` is what the block's last line holds; without
 * it the next blank line ends the block.
 */
export interface HtmlStart {
  readonly end?: RegExp;
}

const NAMES =
  "address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|" +
  "fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|" +
  "menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|" +
  "track|ul";

const STARTS: readonly (readonly [start: RegExp, end?: RegExp])[] = [
  [/^<(?:script|pre|style|textarea)(?:\s|>|$)/i, /<\/(?:script|pre|style|textarea)>/i],
  [/^<!--/, /-->/],
  [/^<\?/, /\?>/],
  [/^<!\[CDATA\[/, /\]\]>/],
  [/^<![a-z]/i, />/],
  [new RegExp(`^</?(?:${NAMES})(?:\\s|/?>|$)`, "i")],
];

/** Any whole tag alone on its line; it cannot break into a paragraph. */
const LONE_TAG =
  /^(?:<[a-z][a-z0-9-]*(?:\s+[a-z_:][\w:.-]*(?:\s*=\s*(?:[^\s"'=<>`]+|'[^']*'|"[^"]*"))?)*\s*\/?>|<\/[a-z][a-z0-9-]*\s*>)\s*$/i;

export function htmlStart(line: string, inParagraph: boolean): HtmlStart | undefined {
  for (const [start, end] of STARTS) {
    if (start.test(line)) return end === undefined ? {} : { end };
  }
  return !inParagraph && LONE_TAG.test(line) ? {} : undefined;
}
