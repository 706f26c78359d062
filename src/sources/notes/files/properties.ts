import { isRecord } from "../../../base/json.ts";
import { collapse } from "../../../base/text.ts";
import { readYamlKeys } from "../../../markdown/frontmatter.ts";

/** One value in a note's frontmatter, as a text that can be searched and shown. */
export interface Property {
  readonly key: string;
  readonly text: string;
}

/** Far more than people put into a note, and little compared with its text. */
const MAX_PROPERTIES = 300;
const MAX_LENGTH = 500;

/**
 * The values of a frontmatter: texts, numbers, dates, lists of them, and records of them one level deep. Limited in
 * number and length, because strangers write notes too.
 */
export function propertiesOf(frontmatter: Readonly<Record<string, unknown>>): Property[] {
  const found: Property[] = [];
  for (const [key, value] of Object.entries(frontmatter)) {
    for (const text of textsOf(value, 1)) {
      if (found.length === MAX_PROPERTIES) return found;
      found.push({ key, text });
    }
  }
  return found;
}

function* textsOf(value: unknown, depth: number): Generator<string> {
  const text = textOf(value);
  if (text !== undefined) {
    if (text !== "") yield text;
  } else if (Array.isArray(value)) {
    for (const one of value) {
      // `up: [[Home]]` without quotation marks is a nested list for YAML, but a link for its author.
      const linked: unknown = Array.isArray(one) && one.length === 1 ? one[0] : undefined;
      if (typeof linked === "string") yield `[[${cut(linked)}]]`;
      else if (textOf(one) !== undefined) yield* textsOf(one, 0);
      else if (depth > 0) yield* textsOf(one, depth - 1);
    }
  } else if (isRecord(value) && depth > 0) {
    for (const one of Object.values(value)) yield* textsOf(one, depth - 1);
  }
}

/**
 * undefined if the value is not a single text. Booleans are meaningless without their key, and keys are not searched.
 */
function textOf(value: unknown): string | undefined {
  if (value === null || typeof value === "boolean") return "";
  if (typeof value === "string") return cut(value);
  if (typeof value === "number" || typeof value === "bigint") return String(value);
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? "" : value.toISOString().slice(0, 10);
  return undefined;
}

function cut(text: string): string {
  return collapse(text.slice(0, MAX_LENGTH).toWellFormed());
}

/**
 * Keys that say nothing about the topic: searched in other ways (title, tags, names), or written by programs into every
 * note.
 */
const BOOKKEEPING =
  /^(?:title|permalink|created|modified|updated|tags?|alias(?:es)?|project|project_id|cssclass(?:es)?)$/i;

/** What Continuo and maenifold write into every note. */
const DEFAULTS: ReadonlySet<string> = new Set(["type: memory", "status: saved"]);

/** The properties that say what a note is about. */
export function tellingProperties(properties: readonly Property[]): Property[] {
  return properties.filter(({ key, text }) => !BOOKKEEPING.test(key) && !DEFAULTS.has(`${key}: ${text}`));
}

/** In characters; enough for the properties that people write. */
const MOST_SHOWN = 2000;

/** The informative properties for a reader, one line per key. */
export function propertyLines(properties: readonly Property[]): string[] {
  const byKey = new Map<string, string[]>();
  for (const { key, text } of tellingProperties(properties))
    byKey.set(key, [...(byKey.get(key) ?? []), text]);
  const lines: string[] = [];
  let room = MOST_SHOWN;
  for (const [key, texts] of byKey) {
    const line = collapse(`${key.slice(0, 100)}: ${texts.join(", ")}`);
    room -= line.length;
    if (room < 0) return [...lines, "…"];
    lines.push(line);
  }
  return lines;
}

/** The other names of a note, as Obsidian interprets them. */
export function aliasesOf(properties: readonly Property[]): string[] {
  const aliases = properties.filter(({ key }) => /^alias(?:es)?$/i.test(key)).map(({ text }) => text);
  return [...new Set(aliases)];
}

/** More parts are not tried, because each needs a run of the parser. */
const MAX_PARTS = 200;
const MAX_READ = 16 * 1024;

/**
 * The keys of a frontmatter. If it is not valid YAML as a whole (a template with `created: {{date}}`) or too long, the
 * readable keys, and the problem.
 */
export async function readFrontmatter(
  yaml: string,
): Promise<{ readonly values: Readonly<Record<string, unknown>>; readonly problem?: string }> {
  const keys = await readYamlKeys(yaml);
  if ("values" in keys) return keys;
  const values: Record<string, unknown> = {};
  const parts = yaml.slice(0, MAX_READ).split(/(?<=[\r\n])(?=[^\s#:-][^:\r\n]*:)/);
  // The last one may be cut.
  if (yaml.length > MAX_READ) parts.pop();
  for (const part of parts.slice(0, MAX_PARTS)) {
    const read = await readYamlKeys(part);
    if ("values" in read) Object.assign(values, read.values);
  }
  return { values, problem: keys.problem };
}
