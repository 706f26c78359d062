import type { Edit, Hunk } from "../../../moments/tool-use.ts";
import type { Budget } from "../matching/linear-regex.ts";
import { type Line, MAX_SEARCHED, SearchedText } from "./searched-text.ts";

/** The cost of looking a line up, relative to the steps of an automaton over it. */
const HASHING_SHIFT = 2;

/** All lines that one call adds to one file. */
export class AddedLines {
  readonly path: string;
  /** The path, and the one without links if it differs. */
  readonly paths: readonly string[];
  readonly isNew: boolean;
  readonly length: number;
  readonly #edits: readonly Edit[];
  readonly #hunks: readonly Hunk[];
  #searched: SearchedText | undefined;
  #lineEnds: Uint32Array | undefined;
  /** By trimmed line: how often the file contained it before. Null if unknown. */
  #before: ReadonlyMap<string, number> | null | undefined;

  constructor(path: string, edits: readonly Edit[]) {
    this.path = path;
    this.paths = [path, ...edits.slice(0, 1).flatMap(({ realPath = [] }) => realPath)];
    this.isNew = edits.some((one) => one.isNew === true);
    this.#edits = edits;
    this.#hunks = edits.flatMap((one) => one.hunks);
    this.length = this.#hunks.reduce((all, { text }) => all + text.length + 1, 0) - 1;
  }

  /** Whether the call says if it creates the file. A call with only a part of the file does not. */
  get saysIfNew(): boolean {
    return !this.#isWhole() || this.#edits.some(({ isNew }) => isNew !== undefined);
  }

  get isEmpty(): boolean {
    return this.#hunks.every(({ text }) => text.trim() === "");
  }

  /** The text that shows whether the file is generated, and whether it is the beginning of the file. */
  beginning(): { readonly text: string; readonly isBeginning: boolean } {
    const [first] = this.#hunks;
    return {
      text: first?.text.slice(0, MAX_SEARCHED) ?? "",
      isBeginning: this.isNew || this.#isWhole() || first?.line === 1,
    };
  }

  searched(): SearchedText {
    this.#searched ??= new SearchedText(this.#hunks.map(({ text }) => text).join("\n"));
    return this.#searched;
  }

  /** The number of a line in the file, if the call contains it. */
  numberOf({ start }: Line): number | undefined {
    let from = 0;
    for (const { text, line } of this.#hunks) {
      if (start > from + text.length) {
        from += text.length + 1;
        continue;
      }
      const first = line ?? (this.#isWhole() && this.#hunks.length === 1 ? 1 : undefined);
      return first === undefined
        ? undefined
        : first + this.#newlinesBefore(start) - this.#newlinesBefore(from);
    }
    return undefined;
  }

  /** Whether lines that are found may have been in the file before. */
  get mayBeOld(): boolean {
    return this.#isWhole() && !this.isNew && this.#linesBefore() === null;
  }

  /** Returns a function for the lines found in a whole file, in order: whether a line was there before. */
  linesBefore(budget: Budget): (line: Line) => boolean {
    if (!this.#isWhole() || this.isNew) return () => false;
    const used = new Map<string, number>();
    return ({ text }) => {
      const before = this.#linesBefore();
      if (before === null) return false;
      budget.left -= text.length >> HASHING_SHIFT;
      const key = text.trim();
      const times = before.get(key);
      if (times === undefined) return false;
      const count = used.get(key) ?? 0;
      used.set(key, count + 1);
      return count < times;
    };
  }

  #isWhole(): boolean {
    return this.#edits.some(({ kind }) => kind === "whole");
  }

  #linesBefore(): ReadonlyMap<string, number> | null {
    if (this.#before !== undefined) return this.#before;
    const text = this.#edits.find(({ before }) => before !== undefined)?.before?.();
    const lines = new Map<string, number>();
    if (text !== undefined && text.length <= MAX_SEARCHED)
      for (const line of text.split("\n")) lines.set(line.trim(), (lines.get(line.trim()) ?? 0) + 1);
    this.#before = text === undefined || text.length > MAX_SEARCHED ? null : lines;
    return this.#before;
  }

  /**
   * Counts line ends before a position in the searched text. They are searched once, however many numbers are
   * requested.
   */
  #newlinesBefore(at: number): number {
    this.#lineEnds ??= lineEndsOf(this.searched().text);
    let [from, to] = [0, this.#lineEnds.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if ((this.#lineEnds[middle] ?? at) < at) from = middle + 1;
      else to = middle;
    }
    return from;
  }
}

function lineEndsOf(text: string): Uint32Array {
  let count = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) count++;
  const ends = new Uint32Array(count);
  for (let at = text.indexOf("\n"), i = 0; at >= 0; at = text.indexOf("\n", at + 1)) ends[i++] = at;
  return ends;
}

/** One call can edit a file in several places. */
export function byFile(edits: readonly Edit[]): AddedLines[] {
  // Not Map.groupBy, because hooks also run on Node 20.
  const all = new Map<string, Edit[]>();
  for (const edit of edits) {
    const own = all.get(edit.path);
    if (own === undefined) all.set(edit.path, [edit]);
    else own.push(edit);
  }
  return [...all].map(([path, own]) => new AddedLines(path, own));
}
