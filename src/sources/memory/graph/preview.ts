import { normaliseConcept } from "../notes/concept.ts";

const SECTION_LENGTH = 500;
const PREVIEW_LENGTH = 200;

/** What a note says about a concept: the section that names it, else how the note begins. Whole sentences if possible. */
export function previewOf(body: string, concept: string): string {
  const section = sectionsOf(body).find((text) => names(text, concept));
  return section === undefined ? cut(body, PREVIEW_LENGTH) : cut(section, SECTION_LENGTH);
}

/** From one heading of the second level to the next. */
function sectionsOf(body: string): string[] {
  return body.split(/^(?=## )/m).filter((text) => text.startsWith("## "));
}

function names(text: string, concept: string): boolean {
  return [...text.matchAll(/\[\[([^[\]]+)\]\]/g)].some((link) => normaliseConcept(link[1] ?? "") === concept);
}

function cut(text: string, length: number): string {
  const plain = text.trim();
  if (plain.length <= length) return plain;
  const head = plain.slice(0, length);
  const end = Math.max(head.lastIndexOf(". "), head.lastIndexOf(".\n"));
  return end > length / 2 ? head.slice(0, end + 1) : `${head.trimEnd()}…`;
}
