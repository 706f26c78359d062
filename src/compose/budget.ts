import type { Item, Section } from "../moments/types.ts";
import { renderItem } from "./render.ts";
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

/** A block's own tags and a note about what was left out, so that estimates start on the safe side. */
const BLOCK_TOKENS = 12;
const SECTION_TOKENS = 40;

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
    section.items.map((item) => ({ section, item, tokens: countTokens(renderItem(item)) })),
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

function byPriority(a: Item, b: Item): number {
  return b.priority - a.priority || compare(a.key, b.key);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
