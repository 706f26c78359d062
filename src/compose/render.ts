import type { Item, Nature, Section } from "../moments/types.ts";
import { attribute, QUOTED_DATA, quote } from "./escape.ts";

export type BlockKind = "snapshot" | "addition";

const TAG: Record<BlockKind, string> = { snapshot: "continuo", addition: "continuo-addition" };

/** One sentence per nature tells the model how much authority the text has. */
const FRAME: Record<Nature, string> = {
  instructions:
    "Rules of this project and its user. Follow them silently; do not restate or acknowledge them.",
  reference: QUOTED_DATA,
  proposal: "Waiting for the user's decision. Not in force: do not act on it.",
};

/** How every block of a kind begins. */
export function opening(kind: BlockKind): string {
  return `<${TAG[kind]}>`;
}

/** Renders sections as they are: ordering and dropping happened before. */
export function renderBlock(kind: BlockKind, sections: readonly Section[], notes: readonly string[]): string {
  if (sections.length === 0 && notes.length === 0) return "";
  const body = [...sections.map(renderSection), ...notes.map(renderNote)];
  return [opening(kind), ...body, `</${TAG[kind]}>`].join("\n");
}

function renderItem(item: Item): string {
  return `<continuo-item name="${attribute(item.name)}">\n${quote(item.text).trim()}\n</continuo-item>`;
}

function renderSection(section: Section): string {
  return [
    `<continuo-section title="${attribute(section.title)}">`,
    FRAME[section.nature],
    ...section.items.map(renderItem),
    "</continuo-section>",
  ].join("\n");
}

function renderNote(note: string): string {
  return `<continuo-note>${quote(note)}</continuo-note>`;
}
