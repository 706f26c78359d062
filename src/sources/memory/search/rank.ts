import type { Database } from "../../../store/sqlite/types.ts";
import { BLOCK_SIZE, COUNT, eachOccurrence, IN_NAMES, IN_TITLE } from "../index/postings.ts";
import { lengthsOf } from "../index/text-shelf.ts";

/**
 * BM25, with weights chosen on the retrieval benchmark (docs/benchmarks.md). Texts shorter than `short` terms count as
 * that long: how long a sentence is says nothing about what it is about.
 */
export interface Weights {
  /** How soon a term's repetitions stop counting. */
  readonly saturation: number;
  /** How much a long passage is held against it, 0 to 1. */
  readonly lengthShare: number;
  readonly short: number;
  /** A term in the title, or among concepts and tags, is worth this many times its rarity on top. */
  readonly title: number;
  readonly names: number;
}

export const WEIGHTS: Weights = { saturation: 1.2, lengthShare: 0.75, short: 20, title: 2, names: 1 };

/** Rarer terms say more and cost less: they are looked up first, and common ones only while this many matches last. */
const MOST_TERMS = 32;
const MOST_MATCHES = 500_000;

export interface Ranked {
  readonly note: number;
  /** 0 to 1: the share of what a perfect match of all terms would score, so it can be compared across queries. */
  readonly score: number;
  /** Which passage matched best. */
  readonly passage: number;
}

interface Term {
  readonly id: number;
  readonly passages: number;
  readonly rarity: number;
}

/** All notes that have at least one of the terms, in no order. */
export function rankNotes(db: Database, terms: readonly string[], weights: Weights = WEIGHTS): Ranked[] {
  const total = db.get<{ passages: number; length: number }>("SELECT passages, length FROM text_total");
  if (total === undefined || total.passages === 0) return [];
  const found = terms.map((text) => lookUp(db, text, total.passages));
  const best = found.reduce((sum, { rarity }) => sum + rarity, 0) * (weights.saturation + 1);
  const average = Math.max(weights.short, total.length / total.passages);
  const ranked: Ranked[] = [];
  for (const [block, lists] of listsByBlock(db, worthwhile(found))) {
    rankBlock(lists, lengthsOf(db, block), average, weights, (slot, passage, score) => {
      ranked.push({ note: block * BLOCK_SIZE + slot, passage, score: Math.min(1, score / best) });
    });
  }
  return ranked;
}

/** A term that no note has counts as the rarest: a query is not matched by the little that is known of it. */
function lookUp(db: Database, text: string, all: number): Term {
  const row = db.get<{ id: number; passages: number }>("SELECT id, passages FROM term WHERE text = ?", [
    text,
  ]);
  const passages = row?.passages ?? 0;
  return { id: row?.id ?? 0, passages, rarity: Math.log(1 + (all - passages + 0.5) / (passages + 0.5)) };
}

function worthwhile(terms: readonly Term[]): Term[] {
  const rareFirst = terms.filter(({ passages }) => passages > 0).sort((a, b) => a.passages - b.passages);
  let matches = 0;
  return rareFirst.slice(0, MOST_TERMS).filter(({ passages }, i) => {
    matches += passages;
    return i === 0 || matches <= MOST_MATCHES;
  });
}

interface List {
  readonly rarity: number;
  readonly data: Uint8Array;
}

function listsByBlock(db: Database, terms: readonly Term[]): Map<number, List[]> {
  const blocks = new Map<number, List[]>();
  for (const { id, rarity } of terms) {
    const rows = db.all<{ block: number; data: Uint8Array }>(
      "SELECT block, data FROM posting WHERE term = ?",
      [id],
    );
    for (const { block, data } of rows) {
      const lists = blocks.get(block);
      if (lists === undefined) blocks.set(block, [{ rarity, data }]);
      else lists.push({ rarity, data });
    }
  }
  return blocks;
}

function rankBlock(
  lists: readonly List[],
  lengths: ReadonlyMap<number, readonly number[]>,
  average: number,
  { saturation, lengthShare, short, title, names }: Weights,
  give: (slot: number, passage: number, score: number) => void,
): void {
  // Where each note's passages begin in one row of all passages of the block.
  const first = new Int32Array(BLOCK_SIZE + 1);
  const norms: number[] = [];
  for (let slot = 0; slot < BLOCK_SIZE; slot++) {
    first[slot] = norms.length;
    for (const length of lengths.get(slot) ?? []) {
      norms.push(saturation * (1 - lengthShare + (lengthShare * Math.max(short, length)) / average));
    }
  }
  first[BLOCK_SIZE] = norms.length;
  const body = new Float64Array(norms.length);
  const fields = new Float64Array(BLOCK_SIZE);
  const touched = new Uint8Array(BLOCK_SIZE);
  for (const { rarity, data } of lists) {
    eachOccurrence(data, (slot, passage, flags) => {
      touched[slot] = 1;
      const count = flags & COUNT;
      const at = (first[slot] ?? 0) + passage;
      if (count > 0)
        body[at] = (body[at] ?? 0) + (rarity * count * (saturation + 1)) / (count + (norms[at] ?? 1));
      if (flags & IN_TITLE) fields[slot] = (fields[slot] ?? 0) + rarity * title;
      if (flags & IN_NAMES) fields[slot] = (fields[slot] ?? 0) + rarity * names;
    });
  }
  for (let slot = 0; slot < BLOCK_SIZE; slot++) {
    if (touched[slot] === 0) continue;
    const from = first[slot] ?? 0;
    let best = from;
    for (let at = from + 1; at < (first[slot + 1] ?? 0); at++)
      if ((body[at] ?? 0) > (body[best] ?? 0)) best = at;
    give(slot, best - from, (body[best] ?? 0) + (fields[slot] ?? 0));
  }
}
