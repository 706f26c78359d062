/**
 * Reads the part of YAML that nearly all frontmatter is written in: `key: value` with a plain or quoted scalar, or a
 * list of them, in brackets or with dashes. Anything else gives undefined, and the real parser is asked: loading that
 * costs a hook 8 ms. A test holds both equal wherever this one answers.
 */
export function readSimpleYaml(yaml: string): Record<string, unknown> | undefined {
  const result: Record<string, unknown> = {};
  const lines = yaml.split("\n").filter((line) => !/^\s*(#|$)/.test(line));
  for (let at = 0; at < lines.length; at++) {
    const [, key, rest = ""] = /^([A-Za-z][\w-]*):(?: +(.*?))? *$/.exec(lines[at] ?? "") ?? [];
    if (key === undefined || key in result) return undefined;
    let value: unknown;
    if (rest === "") {
      const list: unknown[] = [];
      const indent = /^ */.exec(lines[at + 1] ?? "")?.[0] ?? "";
      for (let item = dash(lines[at + 1], indent); item !== undefined; item = dash(lines[at + 1], indent)) {
        const read = scalar(item, PLAIN);
        if (read === undefined) return undefined;
        list.push(read);
        at++;
      }
      // Nothing at all is null, as in the frontmatter that Cursor makes; an indented line is for the real parser.
      value = list.length > 0 ? list : null;
    } else value = rest.startsWith("[") ? flow(rest) : scalar(rest, PLAIN);
    if (value === undefined) return undefined;
    result[key] = value;
  }
  return result;
}

/** The item of a list's line; all lines of a list stand equally far in. */
function dash(line: string | undefined, indent: string): string | undefined {
  const [, space, item] = /^( *)- +(.*?) *$/.exec(line ?? "") ?? [];
  return space === indent ? item : undefined;
}

/** A bracketed list on one line whose items are quoted, or plain without a comma. */
function flow(text: string): unknown[] | undefined {
  if (!/^\[.*\]$/.test(text)) return undefined;
  const inner = text.slice(1, -1).trim();
  if (inner === "") return [];
  const items = inner.match(/"[^"\\]*"|'[^']*'|[^,"'\s][^,"']*/g) ?? [];
  // Put together again the items must give the text: otherwise something was not understood.
  if (
    items.map((item) => item.trim()).join(",") !==
    inner.replace(/("[^"\\]*"|'[^']*')|\s*,\s*/g, (whole, quoted) => quoted ?? whole.trim())
  )
    return undefined;
  const read = items.map((item) => scalar(item.trim(), PLAIN_IN_BRACKETS));
  return read.includes(undefined) ? undefined : read;
}

/** As notes are dated; a text, as the real parser has it. */
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/;

/** A plain word or words without a character that means something in YAML at that place. */
const PLAIN = /^[A-Za-z][A-Za-z0-9 .,;/\\_+()[\]{}'"&*!?%@=<>|~$^\u00c0-\u1fff\u2010-\u2027\u2030-\ud7ff-]*$/;
const PLAIN_IN_BRACKETS = /^[A-Za-z][A-Za-z0-9 ./_+-]*$/;

function scalar(text: string, plain: RegExp): string | number | boolean | undefined {
  if (/^"[^"\\]*"$/.test(text) || /^'[^']*'$/.test(text)) return text.slice(1, -1);
  if (/^(0|[1-9]\d{0,14})$/.test(text)) return Number(text);
  if (text === "true" || text === "false") return text === "true";
  if (TIMESTAMP.test(text)) return text;
  // No word that could be another type.
  if (!plain.test(text)) return undefined;
  return /^(true|false|null|yes|no|on|off|y|n)$/i.test(text) ? undefined : text;
}
