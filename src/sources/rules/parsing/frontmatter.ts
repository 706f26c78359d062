import { isRecord } from "../../../base/json.ts";
import { cutFrontmatter, readSimpleYaml, trimSpaces } from "../../../markdown/frontmatter.ts";
import { GLOB_KEYS, LIST_KEYS, TEXT_KEYS } from "./dialects.ts";
import { splitCommas } from "./values.ts";

/** A rule file, split into the YAML of its frontmatter and its body. */
export interface Split {
  /** undefined if the file has no frontmatter. */
  readonly yaml: string | undefined;
  readonly body: string;
  /** The frontmatter is never closed, so it is not clear what the author meant. */
  readonly unclosed: boolean;
}

export function splitFrontmatter(text: string): Split {
  const clean = text.replace(/^\ufeff/, "").replace(/\r\n?/g, "\n");
  // Blank lines above the frontmatter must not turn a conditional rule into one that applies everywhere.
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
      /** Keys given more than once; the last value is used. */
      readonly duplicates: readonly string[];
      /** The YAML was invalid, but the author's intention was clear. */
      readonly isFixed: boolean;
    }
  | { readonly problem: string };

/** Longer than any real frontmatter, and short enough to parse quickly whatever it contains. */
const MAX_LENGTH = 16 * 1024;

export async function readFrontmatter(yaml: string | undefined): Promise<Front> {
  if (yaml === undefined || yaml.trim() === "") return { values: {}, duplicates: [], isFixed: false };
  if (yaml.length > MAX_LENGTH) return { problem: `it has more than ${MAX_LENGTH} characters` };
  const simple = readSimpleYaml(yaml);
  if (simple !== undefined) return { values: simple, duplicates: [], isFixed: false };
  const fixed = fixYaml(yaml);
  // `*x` is a YAML alias only if the text defines `&x`.
  const tries = /(^|\s)&\S/.test(yaml) ? [yaml, fixed] : [fixed, yaml];
  const quick = fixed !== yaml && tries[0] === fixed ? readSimpleYaml(fixed) : undefined;
  if (quick !== undefined) return { values: quick, duplicates: [], isFixed: true };
  // Loading a YAML parser costs a hook several milliseconds, so it is loaded only if needed.
  const { load } = await import("js-yaml");
  let problem = "";
  for (const text of new Set(tries)) {
    try {
      const value: unknown = load(text, { json: true }) ?? {};
      if (isRecord(value)) return { values: value, duplicates: repeated(yaml), isFixed: text !== yaml };
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
 * Quotes values that YAML rejects or parses as the wrong type although their meaning is clear: `globs: **\/*.ts` (an
 * alias), `globs: {a,b}/*` (a map), `description: Note: x` (a map in a map). Changes only known top-level keys and the
 * items below them, and only values that end on their line.
 */
export function fixYaml(yaml: string): string {
  let listKey = "";
  return yaml
    .split("\n")
    .map((line, i, lines) => {
      if (/^[\]}]/.test(line)) return ` ${line}`; // the end of a multi-line list, which YAML requires to be indented
      const [, start = "", key = ""] = /^(([A-Za-z]\w*)[ \t]*:)/.exec(line) ?? [];
      const value = trimSpaces(line.slice(start.length), " \t");
      const isList = LIST_KEYS.includes(key);
      if (start !== "") {
        listKey = isList && value === "" ? key : "";
        const goesOn = /^[ \t]+\S/.test(lines[i + 1] ?? "");
        if (value === "" || goesOn || !(isList || TEXT_KEYS.includes(key))) return line;
        // In a list, # starts a comment. In a sentence that YAML rejects anyway, it is part of the text.
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

/** The value without a comment: a # after white space; in a list or a quoted value only outside quotes. */
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
