import { join } from "node:path";
import { isRecord, parseBounded } from "../../../base/json.ts";
import { blankInlineCode } from "../../../markdown/inline-code.ts";
import { textBlocks } from "../../../markdown/text-blocks.ts";
import { readText } from "../../../store/read-file.ts";
import { noteFailure } from "./failures.ts";
import type { MemoryRoot } from "./roots.ts";

/** Exactly two brackets on each side and none inside: `[[[x]]]`, `[[x]]]` and `[[]]` are not links. */
const WIKILINK = /(!)?(?<!\[)\[\[([^[\]]+)\]\](?!\])/g;

export interface NoteLink {
  readonly target: string;
  readonly heading?: string;
  readonly alias?: string;
  readonly isEmbed: boolean;
}

interface Links {
  readonly concepts: readonly string[];
  readonly links: readonly NoteLink[];
}

/**
 * Further links of a note are ignored: nobody writes that many, and a note with 100,000 of them would stop every hook
 * for seconds. One more is read, so that the index can report it.
 */
export const MOST_LINKS = 10_000;

const NO_LINKS: Links = { concepts: [], links: [] };

/** Embedded pictures, recordings and views, and Obsidian's tables: files, not topics. */
const ATTACHMENT =
  /\.(?:base|canvas|excalidraw|pdf|png|jpe?g|gif|svg|webp|bmp|avif|heic|mp[34]|m4a|wav|ogg|flac|mov|webm|mkv|3gp)$/i;

/** A property cannot embed, so its links to such files are covers and the like. */
const isTopic = ({ target, isEmbed }: NoteLink, isProperty: boolean): boolean =>
  !(isEmbed || isProperty ? ATTACHMENT : /\.base$/i).test(target);

/**
 * The WikiLinks of a note in order, without duplicates: first those in the values of its frontmatter, then those in its
 * body. Reads only paragraphs and headings of the body: links in code and raw HTML do not count.
 */
export function findLinks(body: string, properties: readonly string[] = []): Links {
  const texts = properties.filter((text) => text.includes("[["));
  const ofProperties = texts.length;
  if (body.includes("[["))
    for (const { text } of textBlocks(body)) if (text.includes("[[")) texts.push(blankInlineCode(text));
  return texts.length === 0 ? NO_LINKS : linksIn(texts, ofProperties);
}

/** The first texts are properties. */
function linksIn(texts: readonly string[], ofProperties: number): Links {
  const concepts = new Set<string>();
  const links = new Map<string, NoteLink>();
  const seen = new Set<string>();
  for (const [at, text] of texts.entries()) {
    for (const [whole, bang, inner = ""] of text.matchAll(WIKILINK)) {
      if (seen.has(whole)) continue;
      seen.add(whole);
      const concept = normaliseConcept(inner);
      if (concept === "") continue;
      const link = noteLink(inner, bang !== undefined);
      if (isTopic(link, at < ofProperties)) concepts.add(concept);
      links.set(JSON.stringify(link), link);
      if (links.size > MOST_LINKS) return { concepts: [...concepts], links: [...links.values()] };
    }
  }
  return { concepts: [...concepts], links: [...links.values()] };
}

/**
 * The link as Obsidian, Dendron and Logseq interpret it: `target#heading|alias`. An empty target means the note itself.
 */
function noteLink(inner: string, isEmbed: boolean): NoteLink {
  // In a table the bar is written `\|`, so that it does not end the cell.
  const bar = inner.indexOf("|");
  const address = (bar === -1 ? inner : inner.slice(0, bar)).replace(/\\$/, "");
  const alias = bar === -1 ? "" : inner.slice(bar + 1).trim();
  const hash = address.indexOf("#");
  const heading = hash === -1 ? "" : address.slice(hash + 1).trim();
  return {
    target: (hash === -1 ? address : address.slice(0, hash)).trim(),
    ...(heading !== "" && { heading }),
    ...(alias !== "" && { alias }),
    isEmbed,
  };
}

/**
 * The name of a concept, normalised as in maenifold: two links name the same concept if and only if this gives the same
 * text. Nothing else is changed; dots, accents and symbols are part of a name.
 */
export function normaliseConcept(name: string): string {
  return lower(name.replace(OUTER_SPACE, ""))
    .replace(/[ _/]/g, "-")
    .replace(/-{2,}/g, "-")
    .replace(/^-|-$/g, "");
}

/**
 * White space as trimmed by .NET: unlike JavaScript, it includes the next-line character and excludes the byte order
 * mark.
 */
const SPACE = "\\t-\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000";
const OUTER_SPACE = new RegExp(`^[${SPACE}]+|(?<![${SPACE}])[${SPACE}]+$`, "g");

/**
 * Lower-cases each character separately, as .NET does: JavaScript chooses between two forms of sigma by context, and
 * splits İ.
 */
function lower(text: string): string {
  if (!/[^\x00-\x7f]/.test(text)) return text.toLowerCase();
  let result = "";
  for (const char of text) result += char === "\u0130" ? char : char.toLowerCase();
  return result;
}

/** Shown if a new note has no link: it is saved, but no other note leads to it. */
export const LINK_TIP = "tip: link topics as [[topic]]";

export function assertHasLink(text: string): void {
  if (findLinks(text).concepts.length > 0) return;
  throw noteFailure(
    "wikilink-required",
    "the text has no [[WikiLink]]",
    'link topics as [[topic]], for example "uses [[sqlite]] for [[full-text search]]"',
  );
}

export function assertNoneBanned(root: MemoryRoot, content: string): void {
  const { concepts } = findLinks(content);
  const banned = bannedConcepts(root);
  const hits = concepts.filter((concept) => banned.has(concept));
  if (hits.length > 0) {
    throw noteFailure(
      "wikilinks-filtered",
      `these links are banned: ${hits.map((hit) => `[[${hit}]] (${banned.get(hit)})`).join(", ")}`,
      `use a more specific name, or change ${FILTER_FILE} in the notes folder`,
    );
  }
}

const FILTER_FILE = ".wikilink-filter.json";

/** The user's list of concepts that notes must not link, each with the reason. An invalid list bans nothing. */
function bannedConcepts(root: MemoryRoot): ReadonlyMap<string, string> {
  let raw: unknown;
  try {
    raw = parseBounded(
      readText(join(root.path, FILTER_FILE), { maxBytes: 1024 * 1024 }).replace(/^\ufeff/, ""),
    );
  } catch {
    return new Map(); // as for an invalid list: do not refuse a note because of it
  }
  if (!isRecord(raw)) return new Map();
  return new Map(Object.entries(raw).map(([name, reason]) => [normaliseConcept(name), String(reason)]));
}
