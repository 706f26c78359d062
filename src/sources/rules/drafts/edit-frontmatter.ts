import { cutFrontmatter } from "../../../markdown/frontmatter.ts";
import type { DraftCheck } from "./records.ts";

/** A minimal change of a text. */
export interface TextEdit {
  readonly at: number;
  readonly removed: string;
  readonly inserted: string;
}

export function applyEdit(text: string, { at, removed, inserted }: TextEdit): string {
  return text.slice(0, at) + inserted + text.slice(at + removed.length);
}

/** The edit that reverts this one. */
export function inverse({ at, removed, inserted }: TextEdit): TextEdit {
  return { at, removed: inserted, inserted: removed };
}

/**
 * The edit that adds a check to a rule's frontmatter. Undefined if the place is not clear: the user then gets lines to
 * paste. Callers must parse the result and compare, because YAML has more forms than this handles.
 */
export function addCheck(text: string, check: CheckYaml): TextEdit | undefined {
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const insert = (at: number, lines: readonly string[]): TextEdit => ({
    at,
    removed: "",
    inserted: lines.map((line) => `${line}${eol}`).join(""),
  });
  const place = yamlIn(text);
  if (place === "unclosed") return undefined;
  if (place === "none") {
    const start = text.startsWith("\ufeff") ? 1 : 0;
    return insert(start, ["---", ...checksBlock(check), "---", ""]);
  }
  const lines = linesIn(text, place);
  const checks = lines.find(({ text }) => /^checks:[ \t]*(?:#.*)?$/.test(text));
  if (checks === undefined)
    return lines.some(({ text }) => /^["']?checks\b/.test(text))
      ? undefined
      : insert(place.end, checksBlock(check));
  const block = blockAfter(lines, checks, -1);
  const [first] = block;
  const indent = /^ +(?=\S)/.exec(first?.text ?? "")?.[0];
  if (first === undefined || indent === undefined) return undefined;
  const group = block.find((line) => new RegExp(`^${indent}${check.group}:[ \\t]*(?:#.*)?$`).test(line.text));
  if (group === undefined) {
    if (block.some((line) => line.text.startsWith(`${indent}${check.group}`))) return undefined;
    return insert(endOf(block, place.end), [
      `${indent}${check.group}:`,
      ...itemLines(check.lines, `${indent}  `),
    ]);
  }
  // A dash may be indented as little as its key.
  const items = blockAfter(lines, group, indent.length, true);
  const dash = /^( *)- /.exec(items[0]?.text ?? "")?.[1];
  return dash === undefined ? undefined : insert(endOf(items, place.end), itemLines(check.lines, dash));
}

/** Every edit that may give a check `reaction: deny`. The caller tries them and parses the result. */
export function denyEdits(text: string): TextEdit[] {
  const place = yamlIn(text);
  if (place === "none" || place === "unclosed") return [];
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const edits: TextEdit[] = [];
  for (const line of linesIn(text, place)) {
    const [, start = "", key = "", value = ""] = /^( *(?:- )?)([a-z]+):[ \t]*(.*)$/.exec(line.text) ?? [];
    if (start === "" && key === "") continue;
    if (key === "reaction" || key === "action") {
      const old = /^["']?(\w+)/.exec(value)?.[1];
      const from = line.text.indexOf(old ?? "", start.length + key.length + 1);
      if (old !== undefined) edits.push({ at: line.at + from, removed: old, inserted: "deny" });
    } else if (/^(?:never|must|before|ask)$/.test(key)) {
      const indent = " ".repeat(start.length);
      edits.push({ at: line.next, removed: "", inserted: `${indent}reaction: deny${eol}` });
    }
  }
  return edits.slice(0, MAX_TRIED);
}

/** Rules with more checks must be edited by hand. */
const MAX_TRIED = 100;

interface Range {
  readonly start: number;
  readonly end: number;
}

/** Blank lines above the frontmatter are allowed. */
function yamlIn(text: string): Range | "none" | "unclosed" {
  const before = /^\ufeff?(?:[ \t]*(?:\r\n?|\n))+(?=---)/.exec(text)?.[0].length ?? 0;
  const cut = cutFrontmatter(text.slice(before));
  return typeof cut === "string" ? cut : { start: cut.start + before, end: cut.end + before };
}

interface Line {
  readonly text: string;
  readonly at: number;
  /** The beginning of the next line. */
  readonly next: number;
}

function linesIn(text: string, { start, end }: Range): Line[] {
  const lines: Line[] = [];
  for (const found of text.slice(start, end).matchAll(/([^\r\n]*)(\r\n?|\n|$)/g)) {
    if (found[0] === "") break;
    lines.push({
      text: found[1] ?? "",
      at: start + found.index,
      next: start + found.index + found[0].length,
    });
  }
  return lines;
}

const isEmpty = ({ text }: Line): boolean => /^\s*(?:#|$)/.test(text);

/** The lines below a key that are indented further, without trailing blank lines and comments. */
function blockAfter(lines: readonly Line[], key: Line, indent: number, allowsDash = false): Line[] {
  const rest = lines.slice(lines.indexOf(key) + 1);
  const own = (line: Line): boolean => {
    if (isEmpty(line)) return true;
    const depth = /^ */.exec(line.text)?.[0].length ?? 0;
    return (
      depth > Math.max(indent, 0) ||
      (indent < 0 && depth > 0) ||
      (allowsDash && depth === indent && /^ *- /.test(line.text))
    );
  };
  const end = rest.findIndex((line) => !own(line));
  const block = end < 0 ? rest : rest.slice(0, end);
  const last = block.findLastIndex((line) => !isEmpty(line));
  const first = block.findIndex((line) => !isEmpty(line));
  return first < 0 ? [] : block.slice(first, last + 1);
}

function endOf(block: readonly Line[], fallback: number): number {
  return block.at(-1)?.next ?? fallback;
}

/** A draft as the YAML of a rule's `checks`. */

interface CheckYaml {
  /** The key below `checks`. */
  readonly group: "edits" | "commands" | "answer";
  /** The lines of one item, the first without its dash. */
  readonly lines: readonly string[];
}

export function yamlOf({ on, never, before, ran, files }: DraftCheck): CheckYaml {
  const fields = [
    ...(never === undefined ? [] : [`never: ${quoted(never)}`]),
    ...(on === "done" ? ["before: done"] : before === undefined ? [] : [`before: ${quoted(before)}`]),
    ...(ran === undefined ? [] : [`ran: ${quoted(ran)}`]),
    ...(files === undefined ? [] : [`files: [${files.map(quoted).join(", ")}]`]),
  ];
  return { group: on === "done" ? "commands" : on, lines: fields };
}

/** In single quotes YAML escapes only the quote itself. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** The whole key, for frontmatter without it. */
export function checksBlock({ group, lines }: CheckYaml): string[] {
  return ["checks:", `  ${group}:`, ...itemLines(lines, "    ")];
}

function itemLines(lines: readonly string[], indent: string): string[] {
  return lines.map((line, i) => `${indent}${i === 0 ? "- " : "  "}${line}`);
}
