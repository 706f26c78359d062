import { blankInlineCode } from "../../../markdown/inline-code.ts";
import { textBlocks } from "../../../markdown/text-blocks.ts";
import { normaliseConcept } from "./concept.ts";
import type { NoteLink } from "./note.ts";

/** Exactly two brackets on each side, and none within: `[[[x]]]`, `[[x]]]` and `[[]]` are no links. */
const WIKILINK = /(!)?(?<!\[)\[\[([^[\]]+)\]\](?!\])/g;

export interface Links {
  readonly concepts: readonly string[];
  readonly links: readonly NoteLink[];
}

const NO_LINKS: Links = { concepts: [], links: [] };

/**
 * What the WikiLinks of a note's body name, in order, each once. Only paragraphs and headings are read: a link in code
 * or in raw HTML is a quotation of one.
 */
export function findLinks(body: string): Links {
  if (!body.includes("[[")) return NO_LINKS;
  const concepts = new Set<string>();
  const links = new Map<string, NoteLink>();
  const seen = new Set<string>();
  for (const block of textBlocks(body)) {
    if (!block.text.includes("[[")) continue;
    for (const [whole, bang, inner = ""] of blankInlineCode(block.text).matchAll(WIKILINK)) {
      if (seen.has(whole)) continue;
      seen.add(whole);
      const concept = normaliseConcept(inner);
      if (concept === "") continue;
      concepts.add(concept);
      const link = noteLink(inner, bang !== undefined);
      links.set(JSON.stringify(link), link);
    }
  }
  return { concepts: [...concepts], links: [...links.values()] };
}

/** The link as Obsidian, Dendron and Logseq read it: `target#heading|alias`. An empty target is the note itself. */
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
