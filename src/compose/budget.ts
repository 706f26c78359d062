import type { Item, Section } from "../moments/types.ts";
import { attribute, quote } from "./escape.ts";
import { countTokens } from "./tokens.ts";

export interface Budget {
  /** Hard upper bound on the block's tokens. */
  readonly limit: number;
  /** What a snapshot tries to stay under: only essential items may go past it. */
  readonly aim: number;
  /** The host's own bound on characters, when it has one. */
  readonly maxChars?: number;
}

export interface Candidate {
  readonly section: Section;
  readonly item: Item;
  readonly tokens: number;
}

/** Tokens of a block's own two tags, and of a section's tags and sentence, with the joints between them. */
const BLOCK_TOKENS = 16;
const SECTION_TOKENS = 48;
/** Two joined texts cost at most this much more than each alone. */
const JOINT = 2;

/** Sections and items in the one order that every render uses; ties are broken by key, never by arrival. */
export function order(sections: readonly Section[]): Section[] {
  return sections
    .filter((section) => section.items.length > 0)
    .map((section) => ({ ...section, items: [...section.items].sort(byPriority) }))
    .sort((a, b) => b.priority - a.priority || compare(a.source, b.source) || compare(a.title, b.title));
}

/**
 * Chooses whole items, most important first. An item that does not fit is passed over and smaller ones after it
 * still get their chance. Non-essential items share what the aim leaves, but at least half of the aim, so that
 * a project with long rules does not lose everything else.
 */
export function choose(
  sections: readonly Section[],
  budget: Budget,
): { kept: Candidate[]; dropped: Candidate[] } {
  const all = sections.flatMap((section) =>
    section.items.map((item) => ({ section, item, tokens: itemTokens(item) })),
  );
  const kept: Candidate[] = [];
  const dropped: Candidate[] = [];
  const opened = new Set<Section>();
  let spent = BLOCK_TOKENS;
  let bound = budget.limit;
  const take = (candidate: Candidate) => {
    const cost = candidate.tokens + (opened.has(candidate.section) ? 0 : SECTION_TOKENS);
    if (spent + cost > bound) return void dropped.push(candidate);
    spent += cost;
    opened.add(candidate.section);
    kept.push(candidate);
  };
  for (const candidate of all) if (candidate.section.essential) take(candidate);
  bound = Math.min(budget.limit, Math.max(budget.aim, spent + Math.floor(budget.aim / 2)));
  for (const candidate of all) if (!candidate.section.essential) take(candidate);
  return { kept, dropped };
}

/** What a block of these items and notes costs at most. */
export function costOf(kept: readonly Candidate[], notes: readonly string[]): number {
  const sections = new Set(kept.map((candidate) => candidate.section)).size;
  const items = kept.reduce((sum, candidate) => sum + candidate.tokens, 0);
  const noted = notes.reduce((sum, note) => sum + countTokens(note) + NOTE_TOKENS, 0);
  return BLOCK_TOKENS + sections * SECTION_TOKENS + items + noted;
}

const NOTE_TOKENS = 14;
const ITEM_TAG_TOKENS = 18;

/** A source may know what its text costs; then only the name is counted here. */
function itemTokens(item: Item): number {
  const text = item.tokens ?? countTokens(quote(item.text).trim());
  return text + countTokens(attribute(item.name)) + ITEM_TAG_TOKENS + JOINT;
}

function byPriority(a: Item, b: Item): number {
  return b.priority - a.priority || compare(a.key, b.key);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
