import {
  type BlockKind,
  itemText,
  type Numbered,
  renderBlock,
  renderItem,
  renderNote,
  renderSection,
} from "./render.ts";
import type { Room } from "./room.ts";
import type { Item, Section } from "./section.ts";
import { countTokens } from "./tokens.ts";

export interface Budget {
  /** Hard upper limit on the block's tokens. */
  readonly limit: number;
  /** What a snapshot tries to stay under: only essential items may exceed it. */
  readonly aim: number;
  /** Upper bounds for essential items and for all others (default: `limit`). */
  readonly essential?: number;
  readonly others?: number;
  /** How much of one output the host shows (default: everything, so there is one part). */
  readonly room?: Room;
}

/** What keeps an item out of a block: a number of the budget, or the host's room. */
export type Bound = "limit" | "aim" | "essential" | "others" | "room";

export interface Candidate {
  readonly section: Section;
  readonly item: Item;
  /** Its position among all candidates in rendering order. */
  readonly place: number;
  /** The text as it is shown. */
  readonly text: string;
  readonly tokens: number;
  /** Tokens of the section's own tags and heading, without items. */
  readonly frameTokens: number;
  /** Its position in the block before a compaction, if it was there. */
  readonly shownBefore?: number;
  /** A non-essential item that was left out before the compaction stays out. */
  readonly staysOut: boolean;
}

/** What the session received before a compaction, by `source/key`: it has precedence over what is new. */
export interface Earlier {
  /** The position of each item. */
  readonly shown: ReadonlyMap<string, number>;
  readonly leftOut: ReadonlySet<string>;
}

/** The share of the aim that non-essential items get at least, however long the essential ones are. */
const LEAST_SHARE = 0.44;
/** Token counts are estimates, so items that only fill spare room stay this far below the aim. */
const SPARE_SHARE = 0.95;

/** A newline between two texts adds at most this to the sum of their tokens. */
const JOINT = 1;

/** Sections and items in rendering order; ties are broken by key, never by the order of arrival. */
export function order(sections: readonly Section[]): Section[] {
  return sections
    .filter((section) => section.items.length > 0)
    .map((section) => ({ ...section, items: [...section.items].sort(byPriority) }))
    .sort((a, b) => b.priority - a.priority || compare(a.source, b.source) || compare(a.title, b.title));
}

/**
 * All items of ordered sections, the most important first. Essential items come before others, and among them the
 * user's own first. Among the others, those that the session had before a compaction come first, in their earlier
 * order.
 */
export function candidates(sections: readonly Section[], earlier?: Earlier): Candidate[] {
  let place = 0;
  const all = sections.flatMap((section) => {
    const frameTokens = countTokens(renderSection(section, [])) + JOINT;
    return section.items
      .map((item) => candidate(section, item, place++, frameTokens, earlier))
      .filter((one) => !isGone(one));
  });
  const rank = ({ section, item, shownBefore }: Candidate) => {
    if (section.essential) return item.isUsers ? 0 : 1;
    if (shownBefore !== undefined) return 2;
    return item.isSpare === true ? 4 : 3;
  };
  const turn = (one: Candidate) => (rank(one) === 2 ? (one.shownBefore ?? 0) : one.place);
  return all.sort((a, b) => rank(a) - rank(b) || turn(a) - turn(b));
}

/**
 * Adds up the cost of the chosen items and compares it with the limits. Non-essential items share what the aim leaves,
 * but at least 44% of it, so that a project with long rules does not lose everything else. Items that the session had
 * before a compaction may use the whole aim: more rules apply by then, and what the model knew must come back.
 */
export class Tally {
  readonly #kind: BlockKind;
  readonly #budget: Budget;
  readonly #opened = new Set<Section>();
  #essential: number;
  #others = 0;

  constructor(kind: BlockKind, budget: Budget) {
    this.#kind = kind;
    this.#budget = budget;
    this.#essential = blockTokens(kind);
  }

  copy(): Tally {
    const copy = new Tally(this.#kind, this.#budget);
    for (const section of this.#opened) copy.#opened.add(section);
    copy.#essential = this.#essential;
    copy.#others = this.#others;
    return copy;
  }

  get spent(): number {
    return this.#essential + this.#others;
  }

  /** Adds the item if it is within the limits. */
  take(one: Candidate): boolean {
    if (!this.admits(one)) return false;
    const cost = this.costOf(one);
    if (one.section.essential) this.#essential += cost;
    else this.#others += cost;
    this.#opened.add(one.section);
    return true;
  }

  admits(one: Candidate): boolean {
    return this.boundOn(one) === undefined;
  }

  /** The limit that keeps this item out; undefined if it fits. */
  boundOn(one: Candidate): Exclude<Bound, "room"> | undefined {
    const { limit, aim, essential = limit, others = limit } = this.#budget;
    const cost = this.costOf(one);
    if (one.staysOut) return "aim";
    if (one.section.essential && this.#essential + cost > essential) return "essential";
    if (this.spent + cost > limit) return "limit";
    if (one.section.essential) return undefined;
    if (this.#others + cost > others) return "others";
    const isNew = one.shownBefore === undefined;
    const share = isNew ? Math.max(aim - this.#essential, Math.floor(aim * LEAST_SHARE)) : aim;
    return this.#others + cost > (one.item.isSpare === true ? share * SPARE_SHARE : share)
      ? "aim"
      : undefined;
  }

  costOf(one: Candidate): number {
    return one.tokens + (this.#opened.has(one.section) ? 0 : one.frameTokens);
  }
}

/** The tokens of a block's two tags. */
export function blockTokens(kind: BlockKind, numbered?: Numbered): number {
  return countTokens(renderBlock(kind, [], numbered)) + JOINT;
}

export function noteTokens(notes: readonly string[]): number {
  return notes.reduce((sum, note) => sum + countTokens(renderNote(note)) + JOINT, 0);
}

/** The tokens of an item, or a piece of one, with its tag. */
export function itemTokens(section: Section, item: Item, text: string, numbered?: Numbered): number {
  return countTokens(renderItem(section, item, text, numbered)) + JOINT;
}

/** If a source gives a text's token count, only the tag is counted here. */
function candidate(
  section: Section,
  item: Item,
  place: number,
  frameTokens: number,
  earlier: Earlier | undefined,
): Candidate {
  const text = itemText(section, item);
  const known = section.layout === "lines" ? undefined : item.tokens;
  const tokens =
    known === undefined ? itemTokens(section, item, text) : itemTokens(section, item, "") + known;
  const key = `${section.source}/${item.key}`;
  const shownBefore = earlier?.shown.get(key);
  const staysOut = !section.essential && earlier?.leftOut.has(key) === true;
  return {
    section,
    item,
    place,
    text,
    tokens,
    frameTokens,
    shownBefore,
    staysOut,
  };
}

/** A source may give only a text's hash and read the file later: by then the file may have been removed. */
function isGone({ item, text }: Candidate): boolean {
  return text === "" && item.hash !== undefined;
}

function byPriority(a: Item, b: Item): number {
  return rankOf(b) - rankOf(a) || b.priority - a.priority || compare(a.key, b.key);
}

function rankOf({ mark }: Item): number {
  return mark === undefined ? 0 : 1;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
