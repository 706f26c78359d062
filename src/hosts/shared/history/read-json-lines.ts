import { isSystemError } from "../../../base/errors.ts";
import type { Range, Reading, ReadOptions, Title } from "../../../moments/ports/history.ts";
import type { Marks, Turn } from "../../../moments/ports/turn.ts";
import { statFile } from "../../../store/read-file.ts";
import { type Entry, entryIn } from "./fields.ts";
import { type ByteLine, decoded, readByteLines } from "./lines.ts";
import { createTally, type Tally } from "./tally.ts";

/** The result of parsing one line. */
export type Parsed =
  | { readonly turns: readonly Turn[] }
  /** The line completes the turn before it. */
  | { readonly amend: (turn: Turn) => Turn; readonly type: string }
  /** The line's type has no conversation. */
  | { readonly passed: string }
  | { readonly unknown: string };

/** Turns one host's lines into turns. There is one per reading, so it may remember earlier lines. */
export interface LineParser {
  parse(entry: Entry, offset: number): Parsed;
  /** Joins the turns of two lines that belong to the same message; undefined if they do not. */
  join?(before: readonly Turn[], next: readonly Turn[]): readonly Turn[] | undefined;
  /** The type of a line that would be skipped anyway, so that a long one need not be parsed. */
  passable?(line: string): string | undefined;
  /** The session's title, according to the lines so far. */
  title?(): Title | undefined;
  /** Marks of all turns in this file. */
  readonly marks?: Marks;
  /** Ranges of the file that are not on the session's current branch. */
  readonly otherBranches?: readonly Range[];
}

/**
 * Reads a history of JSON lines. The parser is created when reading begins, because the file may vanish before that.
 */
export function readJsonLines(path: string, makeParser: () => LineParser, options: ReadOptions): Reading {
  let tally = createTally();
  return {
    report: () => tally.report(),
    *[Symbol.iterator]() {
      tally = createTally();
      try {
        yield* turnsIn(path, makeParser(), atTail(path, options), tally);
      } catch (error) {
        if (!isSystemError(error)) throw error;
        tally.failed(error.message);
      }
    },
  };
}

/** Reading begins inside a line, which is skipped like one that is too long. */
function atTail(path: string, options: ReadOptions): ReadOptions {
  const { tailBytes, ...rest } = options;
  if (tailBytes === undefined) return options;
  const size = statFile(path)?.size ?? 0;
  const from = Math.max(0, Math.min(options.before ?? size, size) - tailBytes);
  return { ...rest, from, isWithin: from > 0 };
}

/** The least number of bytes to read, however little time there is; otherwise reading might never finish. */
const LEAST_BYTES = 256 * 1024;
const LEAST_LINES = 2000;

function* turnsIn(path: string, parser: LineParser, options: ReadOptions, tally: Tally): Generator<Turn> {
  // A line's turns are held back until the next line shows that they are complete.
  let held: readonly Turn[] = [];
  let isFirst = true;
  let began = 0;
  let lines = 0;
  tally.branches(parser.otherBranches ?? []);
  for (const line of readByteLines(path, options)) {
    const { offset } = line;
    if (options.before !== undefined && offset >= options.before) break;
    if (isFirst) {
      began = offset;
      tally.began(offset);
    } else if ((offset - began >= LEAST_BYTES || lines >= LEAST_LINES) && options.isOver?.() === true) {
      tally.cut();
      // Turns that may continue are read again, unless nothing else was read: that would repeat forever.
      const again = held[0]?.offset ?? offset;
      tally.resumeAt(again > began ? again : offset);
      return yield* held;
    }
    lines++;
    if (line.bytes === undefined) {
      const isCounted = isFirst && options.isWithin === true;
      isFirst = false;
      if (!isCounted) {
        tally.line();
        tally.oversized(offset);
      }
      if (line.isWhole) {
        tally.resumeAt(held[0]?.offset ?? line.end);
        continue;
      }
      // Already too long, whatever is appended, so it is not read again.
      tally.resumeWithin(line.end);
      if (line.isCut) tally.cut();
      return yield* held;
    }
    isFirst = false;
    const parsed = parseLine(line, parser, tally);
    if (parsed === "blank") continue;
    if (parsed === "unfinished") return yield* end(held, tally, offset, line.end - offset);
    if (parsed !== undefined && "amend" in parsed) held = amended(held, parsed.amend);
    if (parsed !== undefined && "turns" in parsed) {
      const joined = held.length === 0 ? undefined : parser.join?.(held, parsed.turns);
      if (joined === undefined) yield* held;
      held = joined ?? parsed.turns;
    }
    const title = parser.title?.();
    if (title !== undefined) tally.titled(title);
    // A last line without a line feed is used, and read again when something is appended.
    tally.resumeAt(held[0]?.offset ?? (line.isWhole ? line.end : offset));
  }
  yield* held;
}

/**
 * Parses a line and counts it; undefined if it is damaged or need not be parsed. A separate function, so that a long
 * line's memory can be freed before its turns are used.
 */
function parseLine(
  line: ByteLine,
  parser: LineParser,
  tally: Tally,
): Parsed | "blank" | "unfinished" | undefined {
  const { text = "", isUtf8 } = decoded(line);
  if (text.trim() === "") return "blank";
  const passable = parser.passable?.(text);
  const entry = passable === undefined ? entryIn(text) : undefined;
  if (!line.isWhole && typeof entry !== "object") return "unfinished";
  tally.line();
  if (!isUtf8) tally.notUtf8();
  if (entry === "refused") {
    tally.oversized(line.offset);
    return undefined;
  }
  const parsed = entry === undefined ? undefined : parser.parse(entry, line.offset);
  if (passable !== undefined) tally.passed(passable);
  else if (parsed === undefined) tally.damaged(line.offset);
  else if ("unknown" in parsed) tally.unknown(parsed.unknown);
  else if ("passed" in parsed) tally.passed(parsed.passed);
  else if ("amend" in parsed) tally.passed(parsed.type);
  else {
    tally.used();
    return { turns: marked(parsed.turns, parser, line.offset) };
  }
  return parsed;
}

function marked(turns: readonly Turn[], parser: LineParser, offset: number): readonly Turn[] {
  const isOther = parser.otherBranches?.some(({ from, to }) => offset >= from && offset < to) === true;
  if (parser.marks === undefined && !isOther) return turns;
  const common: Marks = { ...parser.marks, ...(isOther ? { otherBranch: true } : {}) };
  return turns.map((turn) => ({ ...turn, marks: { ...common, ...turn.marks } }));
}

function* end(held: readonly Turn[], tally: Tally, offset: number, pending: number): Generator<Turn> {
  tally.resumeAt(held[0]?.offset ?? offset);
  tally.pending(pending);
  yield* held;
}

function amended(held: readonly Turn[], amend: (turn: Turn) => Turn): readonly Turn[] {
  const last = held.at(-1);
  return last === undefined ? held : [...held.slice(0, -1), amend(last)];
}
