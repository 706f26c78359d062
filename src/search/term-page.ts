import { ByteReader, ByteWriter } from "./postings.ts";

/**
 * The postings of a segment's terms, in pages, sorted by the bytes of the terms. An entry consists of the number of
 * bytes that the term shares with the previous one and the number of its other bytes (four bits each, more if needed),
 * those other bytes, and the posting list. One row per term would take half as much space again.
 */
interface TermPage {
  readonly first: Uint8Array;
  readonly data: Uint8Array;
}

/** Chosen so that a row with its other columns fits into one SQLite page. */
const PAGE_BYTES = 4040;
const NIBBLE = 15;

const NOTHING = new Uint8Array();

/** Takes terms in order and passes each full page to `onPage`. */
export class TermPages {
  private readonly out = new ByteWriter();
  private readonly onPage: (page: TermPage) => void;
  private first: Uint8Array = NOTHING;
  private before: Uint8Array = NOTHING;

  constructor(onPage: (page: TermPage) => void) {
    this.onPage = onPage;
  }

  add(term: Uint8Array, list: Uint8Array): void {
    const most = this.first.length + this.out.size + term.length + list.length + 4;
    if (this.out.size > 0 && most > PAGE_BYTES) this.end();
    if (this.out.size === 0) this.first = term;
    const shared = sharedBytes(this.before, term);
    const rest = term.length - shared;
    this.out.byte((Math.min(shared, NIBBLE) << 4) | Math.min(rest, NIBBLE));
    if (shared >= NIBBLE) this.out.varint(shared - NIBBLE);
    if (rest >= NIBBLE) this.out.varint(rest - NIBBLE);
    this.out.append(term.subarray(shared));
    this.out.varint(list.length);
    this.out.append(list);
    this.before = term;
  }

  end(): void {
    if (this.out.size > 0) this.onPage({ first: this.first, data: this.out.take() });
    this.before = NOTHING;
  }
}

function sharedBytes(a: Uint8Array, b: Uint8Array): number {
  let shared = 0;
  while (shared < a.length && shared < b.length && a[shared] === b[shared]) shared++;
  return shared;
}

/** Iterates over the terms of a segment, page by page. */
export class TermCursor {
  /** undefined at the end. */
  term: Uint8Array | undefined;
  list: Uint8Array = NOTHING;
  private readonly nextPage: () => Uint8Array | undefined;
  private reader = new ByteReader(NOTHING);

  constructor(nextPage: () => Uint8Array | undefined) {
    this.nextPage = nextPage;
    this.next();
  }

  next(): void {
    let before = this.term ?? NOTHING;
    if (this.reader.isAtEnd) {
      const page = this.nextPage();
      this.term = undefined;
      if (page === undefined) return;
      this.reader = new ByteReader(page);
      before = NOTHING;
    }
    const { shared, rest } = readHead(this.reader);
    const term = new Uint8Array(shared + rest);
    term.set(before.subarray(0, shared));
    term.set(this.reader.bytesOf(rest), shared);
    this.term = term;
    this.list = this.reader.bytesOf(this.reader.varint());
  }
}

function readHead(reader: ByteReader): { shared: number; rest: number } {
  const head = reader.byte();
  const shared = head >> 4;
  const rest = head & NIBBLE;
  return {
    shared: shared < NIBBLE ? shared : NIBBLE + reader.varint(),
    rest: rest < NIBBLE ? rest : NIBBLE + reader.varint(),
  };
}

/**
 * The posting list of a term, if it is on the page. Reads the bytes itself, because a search looks at thousands of
 * entries and a reader object would make several calls for each.
 */
export function listOn(page: Uint8Array, wanted: Uint8Array): Uint8Array | undefined {
  // How many bytes of the wanted term the previous entry shares.
  let matched = 0;
  for (let at = 0; at < page.length; ) {
    const head = page[at++] as number;
    let shared = head >> 4;
    let rest = head & NIBBLE;
    let length = 0;
    if (shared === NIBBLE || rest === NIBBLE) {
      // Long terms are rare.
      const reader = new ByteReader(page);
      reader.at = at;
      if (shared === NIBBLE) shared += reader.varint();
      if (rest === NIBBLE) rest += reader.varint();
      at = reader.at;
    }
    const from = at;
    at += rest;
    for (let scale = 1; at < page.length; scale *= 128) {
      const byte = page[at++] as number;
      length += (byte & 127) * scale;
      if (byte < 128) break;
    }
    const list = at;
    at += length;
    if (shared > matched) continue; // differs at the same byte as the previous one
    if (shared < matched) return undefined; // past all terms with this prefix
    let same = 0;
    while (same < rest && page[from + same] === wanted[matched + same]) same++;
    matched += same;
    if (same === rest && matched === wanted.length) return page.subarray(list, at);
  }
  return undefined;
}

/** Longer than any term. */
const LONGEST_TERM = 1024;

/**
 * Calls `visit` for each wanted term that is on the page, with its index and its posting list. The wanted terms must be
 * in order.
 */
export function eachListOn(
  page: Uint8Array,
  wanted: readonly Uint8Array[],
  visit: (at: number, list: Uint8Array) => void,
): void {
  const reader = new ByteReader(page);
  const term = new Uint8Array(LONGEST_TERM);
  for (let next = 0; next < wanted.length && !reader.isAtEnd; ) {
    const { shared, rest } = readHead(reader);
    // Bytes are copied one by one and the list is cut out only if wanted: a view per term would take most of the time.
    for (let at = 0; at < rest; at++) term[shared + at] = page[reader.at + at] as number;
    reader.at += rest;
    const length = reader.varint();
    const from = reader.at;
    reader.at += length;
    let order = -1;
    while (next < wanted.length && order < 0) {
      order = compared(wanted[next] ?? NOTHING, term, shared + rest);
      if (order === 0) visit(next, page.subarray(from, from + length));
      if (order <= 0) next++;
    }
  }
}

/** Compares the first `length` bytes of a term with another term. */
function compared(a: Uint8Array, b: Uint8Array, length: number): number {
  const shorter = Math.min(a.length, length);
  for (let at = 0; at < shorter; at++) {
    const difference = (a[at] as number) - (b[at] as number);
    if (difference !== 0) return difference;
  }
  return a.length - length;
}
