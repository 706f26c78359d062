/** Where a Markdown text's frontmatter lies: offsets into the text as it is, so that an edit can keep every byte. */
export interface Cut {
  /** Of the YAML between the two marks. */
  readonly start: number;
  readonly end: number;
  /** Where the text after the closing mark's line begins. */
  readonly body: number;
}

/** A mark at the very beginning opens it. "unclosed" when no line of its own closes it again. */
export function cutFrontmatter(text: string): Cut | "none" | "unclosed" {
  const open = /^\ufeff?---[ \t]*(?:\r\n?|\n|$)/.exec(text);
  if (open === null) return "none";
  const start = open[0].length;
  // Only a line of its own closes it: `---` inside a value belongs to the value.
  const close = /^(?:---|\.\.\.)[ \t]*(?:\r\n?|\n|$(?![\s\S]))/gm;
  close.lastIndex = start;
  const found = close.exec(text);
  if (found === null) return "unclosed";
  return { start, end: found.index, body: found.index + found[0].length };
}
