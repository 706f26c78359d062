import { attribute, QUOTED_DATA, quote, quoteLine } from "./escape.ts";
import type { Item, Nature, Section } from "./section.ts";

export type BlockKind = "snapshot" | "addition";

const TAG: Record<BlockKind, string> = { snapshot: "continuo", addition: "continuo-addition" };

/** One sentence per nature, which tells the model how much authority the text has. */
const FRAME: Record<Nature, string> = {
  instructions: "Of this project and its user. Follow them; do not announce that you do.",
  "about the user": "Act on it; do not announce that you do.",
  "on request": "Rules for some tasks only. Read a rule's file when its description fits the task.",
  broken: "Your last step broke these rules. Fix it if that is safe, or tell the user why it has to stay.",
  reference: QUOTED_DATA,
};

/** The number of a part or piece: the second of three, for instance. */
export interface Numbered {
  readonly part: number;
  readonly of: number;
}

/** The opening tag of a block; with a number if it is one of several parts. */
export function opening(kind: BlockKind, numbered?: Numbered): string {
  return `<${TAG[kind]}${partAttribute(numbered)}>`;
}

/** The opening tag of this rendered block. */
export function openingOf(block: string): string {
  return block.slice(0, block.indexOf(">") + 1);
}

export function closing(kind: BlockKind): string {
  return `</${TAG[kind]}>`;
}

/** An item's text as it is shown. In a list of lines it is one line, so that it cannot look like two items. */
export function itemText(section: Section, item: Item): string {
  return section.layout === "lines" ? quoteLine(item.text) : quote(item.text).trim();
}

/** An item between two tags, or a line of a list: no content can hold one of Continuo's tags. */
export function renderItem(section: Section, item: Item, text: string, numbered?: Numbered): string {
  if (section.layout === "lines")
    return numbered === undefined ? `- ${text}` : `- (part ${numberOf(numbered)}) ${text}`;
  const replaces = item.replaces === true ? ' replaces="its earlier text"' : "";
  const broken = item.mark === undefined ? "" : ` broken="${attribute(item.mark)}"`;
  return `<continuo-item name="${attribute(item.name)}"${broken}${replaces}${partAttribute(numbered)}>\n${text}\n</continuo-item>`;
}

/** A section's heading with its rendered items. No content begins a line outside an item's tags, so none can imitate a heading. */
export function renderSection(section: Section, items: readonly string[]): string {
  return [`## ${quoteLine(section.title)}`, FRAME[section.nature], ...items].join("\n");
}

export function renderNote(note: string): string {
  return `<continuo-note>${quote(note)}</continuo-note>`;
}

export function renderBlock(kind: BlockKind, body: readonly string[], numbered?: Numbered): string {
  return [opening(kind, numbered), ...body, closing(kind)].join("\n");
}

function partAttribute(numbered: Numbered | undefined): string {
  return numbered === undefined ? "" : ` part="${numberOf(numbered)}"`;
}

function numberOf({ part, of }: Numbered): string {
  return `${part} of ${of}`;
}
