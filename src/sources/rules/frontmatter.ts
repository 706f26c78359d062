import { isRecord } from "../../base/settings.ts";
import { cutFrontmatter, readSimpleYaml, trimSpaces } from "../../markdown/frontmatter.ts";
import { GLOB_KEYS, LIST_KEYS, TEXT_KEYS } from "./dialects.ts";
import { splitCommas } from "./words.ts";

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
  // Blank lines above it do not turn a conditional rule into one that applies everywhere.
  const marked = clean.replace(/^(?:[ \t]*\n)+(?=---)/, "");
  const cut = cutFrontmatter(marked);
  if (cut === "none" || cut === "unclosed") {
    return { yaml: undefined, body: clean.trim(), unclosed: cut === "unclosed" };
  }
  return { yaml: marked.slice(cut.start, cut.end), body: marked.slice(cut.body).trim(), unclosed: false };
}

export type Front =
  | {
      readonly values: Readonly<Record<string, unknown>>;
      /** Keys given more than once; the last one counts. */
      readonly duplicates: readonly string[];
      /** It was not YAML as written; what the author meant was clear. */
      readonly mended: boolean;
    }
  | { readonly problem: string };

/** Beyond any real one, and short enough that no line of it can be made to take long. */
const MAX_LENGTH = 16 * 1024;

export async function readFrontmatter(yaml: string | undefined): Promise<Front> {
  if (yaml === undefined || yaml.trim() === "") return { values: {}, duplicates: [], mended: false };
  if (yaml.length > MAX_LENGTH) return { problem: `it has more than ${MAX_LENGTH} characters` };
  const simple = readSimpleYaml(yaml);
  if (simple !== undefined) return { values: simple, duplicates: [], mended: false };
  const mended = mendYaml(yaml);
  // `*x` is what the text means to YAML only where some `&x` gave it a meaning.
  const tries = /(^|\s)&\S/.test(yaml) ? [yaml, mended] : [mended, yaml];
  const quick = mended !== yaml && tries[0] === mended ? readSimpleYaml(mended) : undefined;
  if (quick !== undefined) return { values: quick, duplicates: [], mended: true };
  // A YAML parser costs a hook several milliseconds: it is loaded only where it is needed.
  const { load } = await import("js-yaml");
  let problem = "";
  for (const text of new Set(tries)) {
    try {
      const value: unknown = load(text, { json: true }) ?? {};
      if (isRecord(value)) return { values: value, duplicates: repeated(yaml), mended: text !== yaml };
      problem ||= "it holds no keys";
    } catch (error) {
      problem ||= (error instanceof Error ? error.message : String(error)).split("\n")[0] ?? "";
    }
  }
  return { problem: problem.slice(0, 160) };
}

function repeated(yaml: string): string[] {
  const keys = [...yaml.matchAll(/^([A-Za-z][\w-]*)[ \t]*:(?=\s)/gm)].map((found) => found[1] ?? "");
  return [...new Set(keys.filter((key, i) => keys.indexOf(key) !== i))];
}

/**
 * Quotes values that YAML refuses, or reads as something that the key cannot hold, though a human sees what is meant:
 * `globs: **\/*.ts` (an alias to YAML), `globs: {a,b}/*` (a map), `description: Note: x` (a map in a map). Only known
 * keys at the left margin and the items below them are touched, and only values that end on their line.
 */
export function mendYaml(yaml: string): string {
  let listKey = "";
  return yaml
    .split("\n")
    .map((line, i, lines) => {
      if (/^[\]}]/.test(line)) return ` ${line}`; // the end of a list over several lines, which YAML wants indented
      const [, start = "", key = ""] = /^(([A-Za-z]\w*)[ \t]*:)/.exec(line) ?? [];
      const value = trimSpaces(line.slice(start.length), " \t");
      const isList = LIST_KEYS.includes(key);
      if (start !== "") {
        listKey = isList && value === "" ? key : "";
        const goesOn = /^[ \t]+\S/.test(lines[i + 1] ?? "");
        if (value === "" || goesOn || !(isList || TEXT_KEYS.includes(key))) return line;
        // What follows a # is a comment in a list; in a sentence that YAML refuses anyway it is meant.
        const bare = withoutComment(value);
        return isUnclear(bare, key) ? `${start} ${quoted(isList ? bare : value)}` : line;
      }
      const [mark = ""] = /^[ \t]*-[ \t]+/.exec(line) ?? [];
      const bare = mark === "" ? "" : withoutComment(trimSpaces(line.slice(mark.length), " \t"));
      return listKey !== "" && isUnclear(bare, listKey) ? mark + quoted(bare) : line;
    })
    .join("\n");
}

const WHOLLY_QUOTED = /^("(?:[^"\\]|\\.)*"|'(?:[^']|'')*')(\s+#.*)?$/;

function isUnclear(value: string, key: string): boolean {
  if (/^[|>#&]|^!!|^-\s/.test(value) || WHOLLY_QUOTED.test(value)) return false;
  if (/^\[.*\]$/.test(value)) return splitCommas(value.slice(1, -1)).some((item) => isUnclear(item, key));
  if (value.startsWith("[")) return value.includes("]");
  if (value.startsWith("{")) return (GLOB_KEYS.includes(key) && !/:\s/.test(value)) || !value.endsWith("}");
  return /^[*!@`%,"'\]}]/.test(value) || /:(\s|$)/.test(value);
}

/** What stands before a # that follows a blank; in a list or a quoted value only outside of quotes. */
function withoutComment(value: string): string {
  const hasQuotes = /^["'[]/.test(value);
  for (let at = 0; at < value.length; at++) {
    const character = value.charAt(at);
    if (hasQuotes && (character === '"' || character === "'")) {
      at = value.indexOf(character, at + 1);
      if (at < 0) return value;
    } else if (character === "#" && /\s/.test(value.charAt(at - 1))) return value.slice(0, at).trimEnd();
  }
  return value;
}

function quoted(value: string): string {
  if (!/^\[.*\]$/.test(value)) return `'${value.replaceAll("'", "''")}'`;
  const items = splitCommas(value.slice(1, -1));
  return `[${items.map((item) => (WHOLLY_QUOTED.test(item) ? item : quoted(item))).join(", ")}]`;
}
