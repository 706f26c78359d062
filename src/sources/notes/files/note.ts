import { basename } from "node:path";
import { systemCode } from "../../../base/errors.ts";
import { collapse, fromUtf8 } from "../../../base/text.ts";
import { cutFrontmatter } from "../../../markdown/frontmatter.ts";
import { blankInlineCode } from "../../../markdown/inline-code.ts";
import { textBlocks, withoutClosingHashes } from "../../../markdown/text-blocks.ts";
import { readAt, withFile } from "../../../store/read-file.ts";
import { noteFailure } from "./failures.ts";
import { aliasesOf, type Property, propertiesOf, readFrontmatter } from "./properties.ts";
import type { MemoryRoot } from "./roots.ts";
import { uriOf } from "./uri.ts";
import { findLinks, type NoteLink } from "./wikilinks.ts";

/** A Markdown file in a notes folder, at the time it was read. */
export interface Note {
  /** `memory://folder/name`, without `.md`. */
  readonly uri: string;
  /** Absolute. */
  readonly path: string;
  readonly title: string;
  /** The text after the frontmatter. */
  readonly body: string;
  /** As parsed. For invalid YAML, which `problems` reports, only the readable keys. */
  readonly frontmatter: Readonly<Record<string, unknown>>;
  /** The values of the frontmatter, as texts. */
  readonly properties: readonly Property[];
  /** Its other names. */
  readonly aliases: readonly string[];
  /** Those of the frontmatter, then the `#tags` in the text. */
  readonly tags: readonly string[];
  /** The distinct concepts in its WikiLinks, normalised, in order: the nodes of the graph. */
  readonly concepts: readonly string[];
  /** Its links as other editors interpret them: to another note, possibly to one of its headings. */
  readonly links: readonly NoteLink[];
  /** Milliseconds since 1970: from the frontmatter, else from the id in a file name by maenifold. */
  readonly created: number | undefined;
  /** Milliseconds since 1970: when the file was last changed. */
  readonly modified: number;
  /** The checksum of the whole text, which an edit compares. */
  readonly checksum: string;
  readonly size: number;
  readonly problems: readonly string[];
}

/** What is known about a note without reading it. */
export interface NoteFile {
  readonly uri: string;
  readonly path: string;
  readonly size: number;
  readonly modified: number;
}

/** Far more than anyone writes, and small enough to be read and indexed without a noticeable pause. */
export const MAX_NOTE_BYTES = 4 * 1024 * 1024;

export interface NoteText {
  /** Without the byte order mark (see `hasBom`). Empty if the file cannot be read as text. */
  readonly text: string;
  readonly hasBom: boolean;
  readonly size: number;
  readonly modified: number;
  /** Why the text differs from the file's content; only a note without a problem may be edited. */
  readonly problem?: string;
}

/** Reads a file as text, whatever it contains. undefined if it does not exist. */
export function readNoteText(path: string): NoteText | undefined {
  try {
    return withFile(path, ({ descriptor, stats: { size, mtimeMs: modified } }) => {
      if (size > MAX_NOTE_BYTES) {
        const problem = `it has ${Math.round(size / 2 ** 20)} MB; a note may have ${MAX_NOTE_BYTES / 2 ** 20}`;
        return { text: "", hasBom: false, size, modified, problem };
      }
      const bytes = readAt(descriptor, 0, size);
      return { ...decode(bytes), hasBom: startsWith(bytes, 0xef, 0xbb, 0xbf), size, modified };
    });
  } catch (error) {
    const code = systemCode(error);
    if (code === "ENOENT" || code === "ENOTDIR" || code === "not-a-file") return undefined;
    throw noteFailure("note-unreadable", `${path} cannot be read (${code})`, "make the file readable");
  }
}

function decode(bytes: Uint8Array): { text: string; problem?: string } {
  const utf16 = utf16Kind(bytes);
  if (utf16 !== undefined)
    return { text: new TextDecoder(utf16).decode(bytes), problem: "it is UTF-16, not UTF-8" };
  if (bytes.includes(0)) return { text: "", problem: "it is not text" };
  const text = fromUtf8(bytes);
  if (text !== undefined) return { text: text.replace(/^\ufeff/, "") };
  return {
    text: new TextDecoder().decode(bytes),
    problem: "it is not UTF-8; unreadable characters are shown as \ufffd",
  };
}

function utf16Kind(bytes: Uint8Array): "utf-16le" | "utf-16be" | undefined {
  if (startsWith(bytes, 0xff, 0xfe)) return "utf-16le";
  return startsWith(bytes, 0xfe, 0xff) ? "utf-16be" : undefined;
}

function startsWith(bytes: Uint8Array, ...start: readonly number[]): boolean {
  return start.every((byte, i) => bytes[i] === byte);
}

/** A longer text could be written but not read again. */
export function assertReadable(text: string): void {
  if (Buffer.byteLength(text) <= MAX_NOTE_BYTES) return;
  throw noteFailure(
    "note-invalid",
    `the note would have more than ${MAX_NOTE_BYTES / 2 ** 20} MB`,
    "split it into several notes that link to each other",
  );
}

/**
 * Reads a note. Any content gives a note, whose `problems` say what could not be read. undefined if the file does not
 * exist. Throws only if the system refuses to open the file.
 */
export async function readNote(root: MemoryRoot, path: string): Promise<Note | undefined> {
  const read = readNoteText(path);
  return read && parseNote(read, { uri: uriOf(root, path), path });
}

export async function parseNote(
  file: NoteText,
  { uri, path }: { readonly uri: string; readonly path: string },
): Promise<Note> {
  const { text } = file;
  const problems = file.problem === undefined ? [] : [file.problem];
  // A line of dashes without a closing line is a horizontal rule, not frontmatter.
  const cut = cutFrontmatter(text);
  const hasFrontmatter = cut !== "none" && cut !== "unclosed";
  const read = await readFrontmatter(hasFrontmatter ? text.slice(cut.start, cut.end) : "");
  if (read.problem !== undefined) problems.push(`its frontmatter is not YAML (${read.problem})`);
  const frontmatter = read.values;
  const properties = propertiesOf(frontmatter);
  const body = hasFrontmatter ? text.slice(cut.body) : text;
  return {
    uri,
    path,
    title: titleOf(frontmatter["title"], body, path),
    body,
    frontmatter,
    properties,
    aliases: aliasesOf(properties),
    tags: [...new Set([...tagsOf(frontmatter["tags"]), ...inlineTags(body)])],
    ...findLinks(
      body,
      properties.map((property) => property.text),
    ),
    created: timeOf(frontmatter["created"]) ?? timeInName(path),
    modified: file.modified,
    // Computed on demand: loading SHA-256 takes a hook longer than reading the note.
    get checksum() {
      return checksumOf(text);
    },
    size: file.size,
    problems,
  };
}

/** From the frontmatter, else the heading at the beginning of the text, else the file name. */
function titleOf(given: unknown, body: string, path: string): string {
  if ((typeof given === "string" || typeof given === "number") && String(given).trim() !== "") {
    // Titles are shown in lists, where a line break could make a title look like several entries.
    return collapse(String(given));
  }
  const heading = /^\s*# +(\S.*)/.exec(body)?.[1];
  return (heading && collapse(withoutClosingHashes(heading))) || basename(path).replace(/\.md$/i, "");
}

/** A list, or a text with commas or spaces between the tags, as in Obsidian. */
function tagsOf(given: unknown): string[] {
  const list = Array.isArray(given) ? given : typeof given === "string" ? given.split(/[\s,]+/) : [];
  const tags = list.flatMap((tag: unknown) =>
    typeof tag === "string" || typeof tag === "number" ? [String(tag).trim().replace(/^#/, "")] : [],
  );
  return [...new Set(tags.filter((tag) => tag !== ""))];
}

function timeOf(given: unknown): number | undefined {
  const time =
    given instanceof Date ? given.getTime() : typeof given === "string" ? Date.parse(given) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}

/** maenifold's sessions, workflows and assumptions have their time in the file name, and often only there. */
function timeInName(path: string): number | undefined {
  const digits = /^(?:session|workflow|assumption)-(\d{13})(?:-\d+)?\.md$/i.exec(basename(path))?.[1];
  return digits === undefined ? undefined : Number(digits);
}

let crypto: typeof import("node:crypto") | undefined;

/** The checksum of a note's whole text, computed as in maenifold: Base64 of SHA-256. */
export function checksumOf(text: string): string {
  // Loading it takes a hook 5 ms, and few hooks need it. The build would turn `import()` into a separate file.
  crypto ??= process.getBuiltinModule("node:crypto");
  return crypto.createHash("sha256").update(text, "utf8").digest("base64");
}

/** As in Obsidian: letters, digits, `_`, `-` and `/`, with at least one non-digit, so that `#12` is not a tag. */
const TAG = /(?<![^\s([])#([\p{L}\p{M}\p{N}_/-]{1,100})/gu;

const MAX_TAGS = 100;

/** The `#tags` in the text of a note, except those in code. */
function inlineTags(body: string): string[] {
  if (!/(?:^|[\s([])#[^\s#]/.test(body)) return [];
  const tags = new Set<string>();
  for (const block of textBlocks(body)) {
    if (!block.text.includes("#")) continue;
    for (const [, tag = ""] of blankInlineCode(block.text).matchAll(TAG)) {
      if (/^\d+$/.test(tag)) continue;
      tags.add(tag.replace(/\/+$/, ""));
      if (tags.size === MAX_TAGS) return [...tags];
    }
  }
  return [...tags];
}
