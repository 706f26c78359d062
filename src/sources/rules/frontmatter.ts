/** Splits a rule file into its frontmatter's YAML text and its body. Pure: parsing the YAML is another step. */
export interface Split {
  /** undefined when the file has no frontmatter. */
  readonly yaml: string | undefined;
  readonly body: string;
  /** A frontmatter was opened and never closed, so what the author meant cannot be known. */
  readonly unclosed: boolean;
}

export function splitFrontmatter(text: string): Split {
  const clean = text.replace(/^\ufeff/, "").replace(/\r\n?/g, "\n");
  if (!/^---[ \t]*(\n|$)/.test(clean)) return { yaml: undefined, body: clean.trim(), unclosed: false };
  const start = clean.indexOf("\n") + 1;
  // Only a line of its own closes it: `---` inside a value belongs to the value.
  const close = start === 0 ? null : /^(---|\.\.\.)[ \t]*$/m.exec(clean.slice(start));
  if (close === null) return { yaml: undefined, body: clean.trim(), unclosed: true };
  const yaml = clean.slice(start, start + close.index);
  return { yaml, body: clean.slice(start + close.index + close[0].length).trim(), unclosed: false };
}
