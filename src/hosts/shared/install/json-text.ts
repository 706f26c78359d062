import { createScanner, type JSONPath, type Node, parseTree } from "jsonc-parser";
import { ContinuoError } from "../../../base/errors.ts";

/**
 * Edits JSON as text. Additions follow the layout of existing content, and no other byte changes. (The parser's own
 * edits reformat the surrounding lines.)
 */

/** Sets the value at a path; undefined removes it. Missing parents are created. */
export function edit(text: string, path: JSONPath, value: unknown): string {
  const base = text.trim() === "" ? "{}\n" : text;
  let node = treeOf(base);
  let depth = 0;
  for (; depth < path.length; depth++) {
    const child = node && childAt(node, path[depth] ?? "");
    if (child === undefined) break;
    node = child;
  }
  if (node === undefined) return base;
  if (value === undefined) return depth < path.length ? base : removeNode(base, node);
  const [key, ...below] = path.slice(depth);
  if (key === undefined) return replaceValue(base, node, value);
  const whole = below.reduceRight<unknown>((inner, name) => inside(name, inner), value);
  if (node.type === "null") return replaceValue(base, node, inside(key, whole));
  if (node.type !== "object" && node.type !== "array")
    throw new ContinuoError(
      "settings-invalid",
      `${path.slice(0, depth).join(".")} is neither a list nor an object`,
      {
        hint: "correct the file, then run this again",
      },
    );
  return append(base, node, node.type === "array" ? undefined : String(key), whole);
}

/** A container with only this value; a number is an index in a list. */
function inside(key: string | number, value: unknown): unknown {
  return typeof key === "number" ? [value] : { [key]: value };
}

/** Removes one element from a list, with the comma before or after it. Everything else stays, including comments. */
export function removeElement(text: string, path: JSONPath, index: number): string {
  return edit(text, [...path, index], undefined);
}

/** Removes an empty list or object. One with a comment stays, because the comment is the user's. */
export function removeEmpty(text: string, path: JSONPath): string {
  const node = nodeAt(text, path);
  if (node?.type !== "array" && node?.type !== "object") return text;
  // There is not even a comment inside.
  const inner = text.slice(node.offset + 1, node.offset + node.length - 1);
  return inner.trim() === "" ? edit(text, path, undefined) : text;
}

/**
 * Handles a list or an object that became empty: it is removed, unless `original`, the text before the installation,
 * contains it. There it may have been empty, or null.
 */
export function leaveAsIn(original: string, text: string, path: JSONPath): string {
  const before = nodeAt(original, path);
  if (before === undefined) return removeEmpty(text, path);
  return before.type === "null" && removeEmpty(text, path) !== text ? edit(text, path, null) : text;
}

/** Whether there is a value at the path. */
export function has(text: string, path: JSONPath): boolean {
  return nodeAt(text, path) !== undefined;
}

/** The keys that an object contains more than once: a program and an edit may each use a different one. */
export function twinsAt(text: string, path: JSONPath): string[] {
  const node = nodeAt(text, path);
  if (node?.type !== "object") return [];
  const [seen, twins] = [new Set<string>(), new Set<string>()];
  for (const property of node.children ?? []) {
    const key = String(property.children?.[0]?.value);
    (seen.has(key) ? twins : seen).add(key);
  }
  return [...twins];
}

function treeOf(text: string): Node | undefined {
  return parseTree(text, [], { allowTrailingComma: true });
}

function nodeAt(text: string, path: JSONPath): Node | undefined {
  let node = treeOf(text);
  for (const step of path) node = node && childAt(node, step);
  return node;
}

/** Of equal keys the last one, as in every parser. */
function childAt({ type, children = [] }: Node, step: string | number): Node | undefined {
  if (type === "array") return typeof step === "number" ? children[step] : undefined;
  return children.findLast((property) => property.children?.[0]?.value === step)?.children?.[1];
}

function append(text: string, container: Node, key: string | undefined, value: unknown): string {
  const { children = [], offset, length } = container;
  const style = styleOf(text);
  const item = (indent: string, isSpread: boolean) => written(key, value, { ...style, indent, isSpread });
  const [open, close] = [offset + 1, offset + length - 1];
  const last = children.at(-1);
  if (last === undefined) {
    const inner = text.slice(open, close);
    if (style.isOneLine) return text.slice(0, open) + inner.trimEnd() + item("", false) + text.slice(close);
    const outside = indentAt(text, offset);
    const indent = outside + style.unit;
    const line = style.eol + indent + item(indent, true) + style.eol + outside;
    return text.slice(0, open) + inner.trimEnd() + line + text.slice(close);
  }
  const end = last.offset + last.length;
  const hasComma = commaAfter(text, end) !== undefined;
  // After a comment that belongs to the last element.
  const from = end + text.slice(end, close).trimEnd().length;
  const head = hasComma ? text.slice(0, from) : `${text.slice(0, end)},${text.slice(end, from)}`;
  const tail = (hasComma ? "," : "") + text.slice(from);
  const isAfterLineComment = text.slice(end, from).includes("//");
  const indent =
    lineIndentOf(text, children) ?? (isAfterLineComment ? indentAt(text, end) + style.unit : undefined);
  return indent === undefined
    ? head + gapBefore(text, open, children) + item("", false) + tail
    : head + style.eol + indent + item(indent, true) + tail;
}

/** The indentation of the last element that begins a line; undefined if none does. */
function lineIndentOf(text: string, children: readonly Node[]): string | undefined {
  for (const { offset } of children.toReversed()) {
    const start = text.lastIndexOf("\n", offset - 1) + 1;
    const before = text.slice(start, offset);
    if (start > 0 && before.trim() === "") return before;
  }
  return undefined;
}

/** The space between elements on one line. */
function gapBefore(text: string, open: number, children: readonly Node[]): string {
  const [first, last, other] = [children[0], children.at(-1), children.at(-2)];
  if (first === undefined || last === undefined) return "";
  const comma = other === undefined ? undefined : commaAfter(text, other.offset + other.length);
  const gap = comma === undefined ? text.slice(open, first.offset) : text.slice(comma + 1, last.offset);
  return /^[ \t]*$/.test(gap) ? gap : " ";
}

function replaceValue(text: string, { offset, length }: Node, value: unknown): string {
  const style = styleOf(text);
  const indent = indentAt(text, offset);
  const shown = written(undefined, value, { ...style, indent, isSpread: !style.isOneLine });
  return text.slice(0, offset) + shown + text.slice(offset + length);
}

function removeNode(text: string, value: Node): string {
  const gone = value.parent?.type === "property" ? value.parent : value;
  const container = gone.parent;
  const siblings = container?.children ?? [];
  if (container === undefined) return text;
  const at = siblings.indexOf(gone);
  const before = siblings[at - 1];
  const end = gone.offset + gone.length;
  const after = commaAfter(text, end);
  if (siblings.length === 1) {
    const [open, close] = [container.offset + 1, container.offset + container.length - 1];
    const inner = text.slice(open, gone.offset) + text.slice(end, close);
    if (/^[\s,]*$/.test(inner)) return text.slice(0, open) + text.slice(close);
  }
  const rest = after === undefined ? text.slice(end) : text.slice(end, after) + text.slice(after + 1);
  if (before === undefined) return text.slice(0, gone.offset) + rest.trimStart();
  const comma = commaAfter(text, before.offset + before.length) ?? gone.offset;
  // The comma before it either separates the others, or is the user's trailing comma.
  const head = after === undefined ? text.slice(0, comma) : text.slice(0, comma + 1);
  const gap = text.slice(comma + 1, gone.offset);
  // What follows on the same line must not become part of a comment before the element.
  const isApart = !gap.includes("//") || /^[ \t]*\r?\n/.test(rest);
  return head + (isApart ? gap.trimEnd() : gap) + rest;
}

interface Style {
  readonly eol: string;
  readonly unit: string;
  readonly colon: string;
  readonly isOneLine: boolean;
}

function styleOf(text: string): Style {
  const isOneLine = text.trim() !== "{}" && !text.trim().includes("\n");
  return {
    eol: text.includes("\r\n") ? "\r\n" : "\n",
    unit: /^([ \t]+)"/m.exec(text)?.[1] ?? "  ",
    colon: isOneLine && /":\S/.test(text) ? ":" : ": ",
    isOneLine,
  };
}

function written(
  key: string | undefined,
  value: unknown,
  { eol, unit, colon, indent, isSpread }: Style & { readonly indent: string; readonly isSpread: boolean },
): string {
  const name = key === undefined ? "" : JSON.stringify(key) + colon;
  if (!isSpread) return name + JSON.stringify(value);
  return name + JSON.stringify(value, null, unit).replaceAll("\n", eol + indent);
}

/** The white space at the beginning of an offset's line. */
function indentAt(text: string, offset: number): string {
  return /^[ \t]*/.exec(text.slice(text.lastIndexOf("\n", offset - 1) + 1))?.[0] ?? "";
}

// The library declares it as a `const enum`, which does not exist at run time.
const COMMA = 5;

/** The position of the comma, if a comma comes next. */
function commaAfter(text: string, from: number): number | undefined {
  const scanner = createScanner(text, true);
  scanner.setPosition(from);
  return scanner.scan() === COMMA ? scanner.getTokenOffset() : undefined;
}
