import { ByteReader, ByteWriter } from "./varint.ts";

/**
 * The postings of a segment's terms, in the terms' order, a page at a time: how many bytes a term shares with the one
 * before it, the rest of it, and its list. A row for every term would take half as much space again.
 */
export interface TermPage {
  readonly first: string;
  readonly data: Uint8Array;
}

/** Just what fits into one page of SQLite's, with the row's other columns. */
const PAGE_BYTES = 3900;

const decoder = new TextDecoder();

export function termPages(lists: ReadonlyMap<string, Uint8Array>): TermPage[] {
  const pages: TermPage[] = [];
  const out = new ByteWriter();
  let first = "";
  let before: Uint8Array = new Uint8Array();
  for (const term of [...lists.keys()].sort()) {
    const bytes = Buffer.from(term, "utf8");
    const list = lists.get(term) ?? new Uint8Array();
    if (out.size > 0 && out.size + bytes.length + list.length > PAGE_BYTES) {
      pages.push({ first, data: out.take() });
      before = new Uint8Array();
    }
    if (out.size === 0) first = term;
    const shared = sharedBytes(before, bytes);
    out.varint(shared);
    out.varint(bytes.length - shared);
    out.append(bytes.subarray(shared));
    out.varint(list.length);
    out.append(list);
    before = bytes;
  }
  if (out.size > 0) pages.push({ first, data: out.take() });
  return pages;
}

function sharedBytes(a: Uint8Array, b: Uint8Array): number {
  let shared = 0;
  while (shared < a.length && shared < b.length && a[shared] === b[shared]) shared++;
  return shared;
}

/** The list of a term, if it is on the page. */
export function listOn(page: Uint8Array, term: string): Uint8Array | undefined {
  const wanted = Buffer.from(term, "utf8");
  const reader = new ByteReader(page);
  // How many bytes of the wanted term the entry before this one begins with.
  let matched = 0;
  while (!reader.isAtEnd) {
    const shared = reader.varint();
    const rest = reader.varint();
    const from = reader.at;
    reader.at += rest;
    const length = reader.varint();
    const at = reader.at;
    reader.at += length;
    if (shared > matched) continue; // it differs where the one before did
    if (shared < matched) return undefined; // those that begin alike are past
    let same = 0;
    while (same < rest && page[from + same] === wanted[matched + same]) same++;
    matched += same;
    if (same === rest && matched === wanted.length) return page.subarray(at, at + length);
  }
  return undefined;
}

export function eachListOn(page: Uint8Array, see: (term: string, list: Uint8Array) => void): void {
  const reader = new ByteReader(page);
  let before = new Uint8Array();
  while (!reader.isAtEnd) {
    const shared = reader.varint();
    const rest = reader.varint();
    const bytes = new Uint8Array(shared + rest);
    bytes.set(before.subarray(0, shared));
    bytes.set(page.subarray(reader.at, reader.at + rest), shared);
    reader.at += rest;
    const length = reader.varint();
    see(decoder.decode(bytes), page.subarray(reader.at, reader.at + length));
    reader.at += length;
    before = bytes;
  }
}
