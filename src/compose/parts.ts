import { blockTokens, type Candidate, itemTokens, noteTokens } from "./budget.ts";
import {
  type BlockKind,
  type Numbered,
  renderBlock,
  renderItem,
  renderNote,
  renderSection,
} from "./render.ts";
import { headOf, type Room, sizeOf } from "./room.ts";
import type { Section } from "./section.ts";

/** An item, or a piece of an item that is longer than a part. */
interface Piece {
  readonly of: Candidate;
  readonly text: string;
  readonly numbered?: Numbered;
}

/** The content of one part of a block, not yet rendered. */
export interface Draft {
  readonly groups: { readonly section: Section; readonly pieces: Piece[] }[];
  readonly notes: string[];
}

/** Numbers have at most two digits, so that a part's tags are equally long before and after numbering. */
const MOST_PARTS = 99;
const WIDEST: Numbered = { part: MOST_PARTS, of: MOST_PARTS };
/**
 * If less than this share of a part is left, a long item begins in the next part: a shorter piece is not worth its
 * tags.
 */
const SHORTEST_PIECE = 1 / 8;

/**
 * Distributes the chosen items, in rendering order, over as few parts as possible. Items stay whole, except those
 * longer than a part: they are split at line ends. undefined if that takes more parts than the room allows.
 */
export function layOut(
  kind: BlockKind,
  kept: readonly Candidate[],
  notes: readonly string[],
  room: Room | undefined,
): Draft[] | undefined {
  const whole = inOnePart(kept, notes);
  if (room === undefined || wholeSize(kind, whole, room) <= room.most) return [whole];
  const drafts = spread(kind, kept, notes, room);
  return drafts !== undefined && drafts.length <= Math.min(room.parts ?? MOST_PARTS, MOST_PARTS)
    ? drafts
    : undefined;
}

/** The size of a part with whole items, added up from its lines instead of rendering it. */
function wholeSize(kind: BlockKind, { groups, notes }: Draft, room: Room): number {
  let size = sizeOf(renderBlock(kind, []), room);
  for (const { section, pieces } of groups) {
    size += lineSize(renderSection(section, []), room);
    for (const { of } of pieces) size += itemSize(of, room);
  }
  return notes.reduce((sum, note) => sum + lineSize(renderNote(note), room), size);
}

/** Each line of a block also has a newline. */
function lineSize(text: string, room: Room): number {
  return sizeOf(text, room) + 1;
}

const itemSizes = new WeakMap<Room, WeakMap<Candidate, number>>();

/** Cached, because it is needed for every set of items that is tried. */
function itemSize(one: Candidate, room: Room): number {
  const sizes = itemSizes.get(room) ?? new WeakMap<Candidate, number>();
  itemSizes.set(room, sizes);
  const size = sizes.get(one) ?? lineSize(renderItem(one.section, one.item, one.text), room);
  sizes.set(one, size);
  return size;
}

export function renderDraft(kind: BlockKind, { groups, notes }: Draft, numbered?: Numbered): string {
  const sections = groups.map(({ section, pieces }) =>
    renderSection(
      section,
      pieces.map((piece) => renderItem(section, piece.of.item, piece.text, piece.numbered)),
    ),
  );
  return renderBlock(kind, [...sections, ...notes.map(renderNote)], numbered);
}

/** The items and pieces in this part, and what each costs. */
export function piecesOf(draft: Draft): { of: Candidate; numbered: Numbered | undefined; tokens: number }[] {
  return draft.groups.flatMap(({ pieces }) =>
    pieces.map((piece) => ({ of: piece.of, numbered: piece.numbered, tokens: pieceTokens(piece) })),
  );
}

/** An upper bound of this part's tokens. */
export function tokensOf(kind: BlockKind, { groups, notes }: Draft, isNumbered: boolean): number {
  const block = blockTokens(kind, isNumbered ? WIDEST : undefined);
  const frames = groups.reduce((sum, { pieces }) => sum + (pieces[0]?.of.frameTokens ?? 0), block);
  const texts = groups.flatMap((group) => group.pieces).reduce((sum, piece) => sum + pieceTokens(piece), 0);
  return frames + texts + noteTokens(notes);
}

function pieceTokens({ of, text, numbered }: Piece): number {
  return numbered === undefined ? of.tokens : itemTokens(of.section, of.item, text, WIDEST);
}

function inOnePart(kept: readonly Candidate[], notes: readonly string[]): Draft {
  const draft: Draft = { groups: [], notes: [...notes] };
  for (const one of kept) groupFor(draft, one.section).pieces.push({ of: one, text: one.text });
  return draft;
}

function groupFor(draft: Draft, section: Section): Draft["groups"][number] {
  const last = draft.groups.at(-1);
  if (last?.section === section) return last;
  const group = { section, pieces: [] };
  draft.groups.push(group);
  return group;
}

function spread(
  kind: BlockKind,
  kept: readonly Candidate[],
  notes: readonly string[],
  room: Room,
): Draft[] | undefined {
  const lines = (text: string) => lineSize(text, room);
  const empty = room.most - sizeOf(renderBlock(kind, [], WIDEST), room);
  const frames = new Map<Section, number>();
  const drafts: Draft[] = [];
  let draft: Draft = { groups: [], notes: [] };
  let left = empty;
  const isEmpty = () => draft.groups.length + draft.notes.length === 0;
  const nextPart = () => {
    drafts.push(draft);
    draft = { groups: [], notes: [] };
    left = empty;
  };
  const frameOf = (section: Section) => {
    if (draft.groups.at(-1)?.section === section) return 0;
    const frame = frames.get(section) ?? lines(renderSection(section, []));
    frames.set(section, frame);
    return frame;
  };
  const put = (section: Section, piece: Piece, size: number) => {
    left -= frameOf(section) + size;
    groupFor(draft, section).pieces.push(piece);
  };
  for (const one of kept) {
    const { section, item, text } = one;
    const size = itemSize(one, room);
    const most = empty - (frames.get(section) ?? lines(renderSection(section, [])));
    if (frameOf(section) + size > left && size <= most) nextPart();
    if (frameOf(section) + size <= left) {
      put(section, { of: one, text }, size);
      continue;
    }
    const tag = lines(renderItem(section, item, "", WIDEST));
    const pieces: { -readonly [K in keyof Piece]: Piece[K] }[] = [];
    for (let rest = text; rest !== ""; ) {
      const available = left - frameOf(section) - tag;
      if (available < room.most * SHORTEST_PIECE && !isEmpty()) {
        nextPart();
        continue;
      }
      const head = headOf(rest, available, room);
      if (head === "") return undefined;
      const piece: Piece = { of: one, text: head.replace(/\n$/, "") };
      pieces.push(piece);
      put(section, piece, tag + sizeOf(piece.text, room));
      rest = rest.slice(head.length);
    }
    if (pieces.length === 0) return undefined;
    for (const [i, piece] of pieces.entries()) piece.numbered = { part: i + 1, of: pieces.length };
  }
  for (const note of notes) {
    const size = lines(renderNote(note));
    if (size > left) nextPart();
    if (size > left) return undefined;
    draft.notes.push(note);
    left -= size;
  }
  if (!isEmpty()) nextPart();
  return drafts;
}
