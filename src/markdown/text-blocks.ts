/** A paragraph or a heading: the prose of a Markdown text. Code and raw HTML are not prose. */
export interface TextBlock {
  readonly kind: "paragraph" | "heading";
  /** 1 to 6 for a heading, 0 for a paragraph. */
  readonly level: number;
  /** Without the markers of the quotes and lists that it is in. */
  readonly text: string;
  /** The first line, counted from 0, and the line after the last. */
  readonly from: number;
  readonly to: number;
  /** How many quotes and list items it is in. */
  readonly depth: number;
}

/** A quote, or a list item whose text is indented by `width` columns. An item without a text ends at a blank line. */
type Container =
  | { readonly kind: "quote" }
  | { readonly kind: "item"; readonly width: number; isEmpty: boolean };

type Leaf =
  | { readonly kind: "none" }
  | { readonly kind: "paragraph"; readonly lines: string[]; readonly from: number; readonly depth: number }
  | { readonly kind: "fence"; readonly mark: string; readonly length: number }
  | { readonly kind: "html"; readonly start: HtmlStart };

const NONE: Leaf = { kind: "none" };
const FENCE = /^(?:(`{3,})[^`]*|(~{3,}).*)$/;
const HEADING = /^(#{1,6})(?:[ \t]+(.*))?$/;
const RULE = /^([-*_])(?:[ \t]*\1){2,}[ \t]*$/;
const UNDERLINE = /^(?:(=+)|-+)[ \t]*$/;
const ITEM = /^([-+*]|(\d{1,9})[.)])( +|$)/;

/** Deeper than anyone nests by hand; a hostile text with more levels must not slow down each of its lines. */
const MAX_DEPTH = 40;

/**
 * Finds the blocks of prose line by line, nested as in CommonMark, in linear time. Inline markup (links, emphasis, code
 * between backticks) is not parsed.
 */
export function textBlocks(text: string): TextBlock[] {
  const blocks: TextBlock[] = [];
  const containers: Container[] = [];
  let leaf: Leaf = NONE;
  let at = 0;

  const close = (to: number) => {
    if (leaf.kind === "paragraph") blocks.push(paragraph(leaf.lines, leaf.from, to, leaf.depth));
    leaf = NONE;
  };

  for (const raw of text.split(/\r\n|\n|\r/)) {
    const number = at++;
    const line = expandTabs(raw);
    const { position, matched } = enter(containers, line);
    const isInside = matched === containers.length;
    let rest = line.slice(position);

    if (leaf.kind === "fence" && isInside) {
      if (isFenceEnd(rest, leaf)) leaf = NONE;
      continue;
    }
    if (leaf.kind === "html" && isInside) {
      if (leaf.start.end === undefined ? rest.trim() === "" : leaf.start.end.test(rest)) leaf = NONE;
      continue;
    }
    if (leaf.kind !== "paragraph") leaf = NONE;

    /** This line ends the paragraph before it and the containers that it does not continue. */
    let left = matched;
    const begin = () => {
      close(number);
      containers.length = left;
    };

    for (;;) {
      const indent = leadingSpaces(rest);
      const mark = rest.slice(indent);
      // Only a line that has opened nothing yet can continue the paragraph above it.
      const continuesParagraph: boolean = leaf.kind === "paragraph";
      const isDirectly = continuesParagraph && left === containers.length;
      if (mark.trim() === "") {
        begin();
        break;
      }
      if (indent >= 4) {
        if (leaf.kind === "paragraph") leaf.lines.push(mark);
        else containers.length = left; // indented code
        break;
      }
      if (mark.startsWith(">") && left < MAX_DEPTH) {
        begin();
        containers.push({ kind: "quote" });
        left++;
        rest = mark.slice(mark[1] === " " ? 2 : 1);
        continue;
      }
      const fence = FENCE.exec(mark);
      const fenceMark = fence?.[1] ?? fence?.[2];
      if (fenceMark !== undefined) {
        begin();
        leaf = { kind: "fence", mark: fenceMark.charAt(0), length: fenceMark.length };
        break;
      }
      const heading = HEADING.exec(mark);
      if (heading !== null) {
        begin();
        const title = withoutClosingHashes(heading[2] ?? "");
        blocks.push(headingBlock(heading[1]?.length ?? 1, title, number, number + 1, containers.length));
        break;
      }
      const html = mark.startsWith("<") ? htmlStart(mark, isDirectly) : undefined;
      if (html !== undefined) {
        begin();
        if (html.end === undefined || !html.end.test(mark)) leaf = { kind: "html", start: html };
        break;
      }
      const underline = isDirectly ? UNDERLINE.exec(mark) : null;
      if (underline !== null && leaf.kind === "paragraph") {
        const level = underline[1] === undefined ? 2 : 1;
        blocks.push(headingBlock(level, leaf.lines.join("\n").trim(), leaf.from, number + 1, leaf.depth));
        leaf = NONE;
        break;
      }
      if (RULE.test(mark)) {
        begin();
        break;
      }
      const item = ITEM.exec(mark);
      if (item !== null && left < MAX_DEPTH && !(isDirectly && !mayInterrupt(item, mark))) {
        begin();
        const spaces = item[3]?.length ?? 0;
        const isBlank = mark.length === item[0].length;
        const used = (item[1]?.length ?? 1) + (isBlank || spaces > 4 ? 1 : spaces);
        containers.push({ kind: "item", width: indent + used, isEmpty: isBlank });
        left++;
        rest = mark.slice(used);
        if (isBlank) break;
        continue;
      }
      if (leaf.kind === "paragraph") leaf.lines.push(mark);
      else {
        begin();
        leaf = { kind: "paragraph", lines: [mark], from: number, depth: containers.length };
      }
      break;
    }
  }
  close(at);
  return blocks;
}

/** How many of the open containers this line continues, and where its own text begins. */
function enter(containers: readonly Container[], line: string): { position: number; matched: number } {
  let position = 0;
  let matched = 0;
  let isBlank: boolean | undefined;
  for (const container of containers) {
    const indent = leadingSpaces(line, position);
    if (container.kind === "quote") {
      if (indent > 3 || line[position + indent] !== ">") break;
      position += indent + 1;
      if (line[position] === " ") position++;
      isBlank = undefined;
    } else {
      isBlank ??= line.slice(position).trim() === "";
      if (isBlank ? container.isEmpty : indent < container.width) break;
      container.isEmpty = false;
      position += Math.min(container.width, indent);
    }
    matched++;
  }
  return { position: Math.min(position, line.length), matched };
}

/** A number in the middle of a sentence starts no list: only an item with 1 and a text may interrupt a paragraph. */
function mayInterrupt(item: RegExpExecArray, mark: string): boolean {
  return mark.length > item[0].length && (item[2] === undefined || Number(item[2]) === 1);
}

function isFenceEnd(rest: string, fence: { readonly mark: string; readonly length: number }): boolean {
  const indent = leadingSpaces(rest);
  const closing = rest.slice(indent).trimEnd();
  return indent <= 3 && closing.length >= fence.length && closing === fence.mark.repeat(closing.length);
}

function paragraph(lines: readonly string[], from: number, to: number, depth: number): TextBlock {
  return { kind: "paragraph", level: 0, text: lines.join("\n"), from, to, depth };
}

function headingBlock(level: number, text: string, from: number, to: number, depth: number): TextBlock {
  return { kind: "heading", level, text, from, to, depth };
}

/** `# Title ##` is the heading "Title". */
export function withoutClosingHashes(text: string): string {
  const trimmed = text.trim();
  let end = trimmed.length;
  while (trimmed[end - 1] === "#") end--;
  return end === 0 ? "" : /[ \t]/.test(trimmed[end - 1] ?? "") ? trimmed.slice(0, end).trimEnd() : trimmed;
}

/** Replaces tabs before the text by spaces, because all code here counts columns. */
function expandTabs(line: string): string {
  if (!line.includes("\t")) return line;
  const start = /^[\t >*+\-\d.)]*/.exec(line)?.[0] ?? "";
  if (!start.includes("\t")) return line;
  let expanded = "";
  for (const char of start) expanded += char === "\t" ? " ".repeat(4 - (expanded.length % 4)) : char;
  return expanded + line.slice(start.length);
}

function leadingSpaces(line: string, from = 0): number {
  let at = from;
  while (line[at] === " ") at++;
  return at - from;
}

/**
 * CommonMark's seven ways in which a line begins a block of raw HTML. `end` matches the last line of the block; without
 * it the next blank line ends the block.
 */
interface HtmlStart {
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

/** Any complete tag alone on its line; it cannot interrupt a paragraph. */
const LONE_TAG =
  /^(?:<[a-z][a-z0-9-]*(?:\s+[a-z_:][\w:.-]*(?:\s*=\s*(?:[^\s"'=<>`]+|'[^']*'|"[^"]*"))?)*\s*\/?>|<\/[a-z][a-z0-9-]*\s*>)\s*$/i;

function htmlStart(line: string, inParagraph: boolean): HtmlStart | undefined {
  for (const [start, end] of STARTS) {
    if (start.test(line)) return end === undefined ? {} : { end };
  }
  return !inParagraph && LONE_TAG.test(line) ? {} : undefined;
}
