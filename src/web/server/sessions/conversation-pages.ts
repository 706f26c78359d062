import { ContinuoError } from "../../../base/errors.ts";
import { fingerprint } from "../../../base/fingerprint.ts";
import { othersFirst } from "../../../base/slices.ts";
import type { Report, SessionFile, TranscriptReader } from "../../../moments/ports/history.ts";
import type { Turn } from "../../../moments/ports/turn.ts";

/** A turn and the file that contains it. */
export interface PlacedTurn {
  readonly turn: Turn;
  readonly place: Place;
}

export interface Page {
  readonly turns: readonly PlacedTurn[];
  /** Undefined at the beginning of the session. */
  readonly before: Place | undefined;
  readonly after: Place;
  readonly isEnd: boolean;
  readonly isReset?: true;
  readonly reports: readonly Report[];
}

export interface Transcripts {
  readonly reader: TranscriptReader;
  readonly files: readonly SessionFile[];
}

/** Read at a time without letting other work run: some ten milliseconds. */
const WINDOW_BYTES = 256 * 1024;
/** If one turn is longer than a window, larger windows are tried, up to this size. */
const LARGEST_WINDOW = 4 * 1024 * 1024;
/** One request reads about this much, and returns what it found. */
const MOST_BYTES = 16 * 1024 * 1024;
/** A longer line, such as a screenshot, is counted but not shown: parsing it would delay all other answers. */
const MAX_LINE_BYTES = 4 * 1024 * 1024;
const SLICE_MS = 20;
/** Beyond the end of every transcript. */
const FAR = 999_999_999_999_999;

/** The newest `limit` turns before a place, or before the end of the session. */
export async function earlier(
  { reader, files }: Transcripts,
  from: Place | undefined,
  limit: number,
): Promise<Page> {
  let file = from?.file ?? files.length - 1;
  let before = from?.offset;
  let size = WINDOW_BYTES;
  let after = from;
  let turns: PlacedTurn[] = [];
  let isStart = false;
  const reports: Report[] = [];
  for (let bytes = 0; turns.length < limit && bytes < MOST_BYTES && !isStart; bytes += size) {
    const one = files[file];
    if (one === undefined) break;
    const options = { tailBytes: size, maxLineBytes: MAX_LINE_BYTES, before };
    const { found, report } = await read(reader, one, options);
    reports.push(report);
    after ??= endOf(file, report);
    const isWhole = report.from <= 0 || report.failure !== undefined;
    const first = found[0]?.offset ?? 0;
    // Reading began in the middle of the file, possibly in the middle of its first turn.
    let whole = isWhole ? found : found.filter(({ offset }) => offset > first);
    if (whole.length === 0 && found.length > 0 && !isWhole) {
      if (size < LARGEST_WINDOW) {
        size *= 4;
        continue;
      }
      whole = found;
    }
    const kept = lastOf(whole, limit - turns.length);
    turns = [...kept.map((turn) => ({ turn, place: { file, offset: turn.offset } })), ...turns];
    if (kept.length < whole.length) {
      before = kept[0]?.offset;
    } else if (isWhole) {
      isStart = file === 0;
      file--;
      before = undefined;
    } else {
      // A line that begins exactly where reading began was mistaken for the rest of another.
      const next = whole[0]?.offset ?? report.from + 1;
      before = before !== undefined && next >= before ? report.from : next;
    }
    size = WINDOW_BYTES;
  }
  const end = after ?? { file: Math.max(0, files.length - 1), offset: 0 };
  return {
    turns,
    before: isStart || file < 0 ? undefined : { file, offset: before ?? FAR },
    after: end,
    isEnd: from === undefined,
    reports,
  };
}

/** The last ones, but never only some of those that share an offset, because nothing could be read between them. */
function lastOf(turns: readonly Turn[], most: number): readonly Turn[] {
  let at = Math.max(0, turns.length - most);
  while (at > 0 && turns[at]?.offset === turns[at - 1]?.offset) at--;
  return turns.slice(at);
}

/** The turns from a place on. */
export async function later({ reader, files }: Transcripts, from: Place, limit: number): Promise<Page> {
  const found = new Map<string, PlacedTurn>();
  const reports: Report[] = [];
  let at = from;
  let isEnd = false;
  for (let bytes = 0; bytes < MOST_BYTES && found.size < limit && !isEnd; ) {
    const one = files[at.file];
    if (one === undefined) break;
    const began = performance.now();
    const { offset, isWithin } = at;
    const place = { from: offset, isWithin };
    const isOver = () => performance.now() - began > SLICE_MS;
    const asked = { ...place, isOver, maxLineBytes: MAX_LINE_BYTES };
    const taken = await read(reader, one, asked, limit - found.size);
    const { report, next } = taken;
    reports.push(report);
    if (report.from !== offset && offset > 0)
      return { turns: [], before: undefined, after: from, isEnd: false, isReset: true, reports };
    for (const turn of taken.found)
      found.set(turn.id, { turn, place: { file: at.file, offset: turn.offset } });
    bytes += Math.max(1, report.resumeAt - offset);
    if (next !== undefined) at = { file: at.file, offset: next };
    else if (report.isCut === true) at = endOf(at.file, report);
    else if (at.file < files.length - 1) at = { file: at.file + 1, offset: 0 };
    else {
      at = endOf(at.file, report);
      isEnd = true;
    }
  }
  const isStart = from.file === 0 && from.offset === 0;
  return { turns: [...found.values()], before: isStart ? undefined : from, after: at, isEnd, reports };
}

function endOf(file: number, { resumeAt, isWithin }: Report): Place {
  return { file, offset: resumeAt, isWithin: isWithin || undefined };
}

/** Reads turns and lets other work run in between. `next`: the offset of the first turn beyond the limit. */
async function read(
  reader: TranscriptReader,
  file: SessionFile,
  options: Parameters<TranscriptReader["read"]>[1],
  most = Number.POSITIVE_INFINITY,
): Promise<{ readonly found: readonly Turn[]; readonly report: Report; readonly next?: number }> {
  const reading = reader.read(file, options);
  const found: Turn[] = [];
  let next: number | undefined;
  let began = performance.now();
  for (const turn of reading) {
    if (found.length >= most && turn.offset !== found.at(-1)?.offset) {
      next = turn.offset;
      break;
    }
    found.push(turn);
    if (performance.now() - began > SLICE_MS) {
      await othersFirst();
      began = performance.now();
    }
  }
  const report = reading.report();
  await othersFirst();
  return { found, report, next };
}

/**
 * A place in a session's transcripts: the file, and the offset in its reader's units. It stays valid while the session
 * grows.
 */
export interface Place {
  readonly file: number;
  readonly offset: number;
  /** Inside a line that is too long. */
  readonly isWithin?: true;
}

export function placeText(files: readonly SessionFile[], { file, offset, isWithin }: Place): string {
  const one = files[file];
  return `${one === undefined ? "" : nameOf(one)}.${offset}${isWithin ? "w" : ""}`;
}

/** Undefined for a transcript that the session no longer has. */
export function readPlace(files: readonly SessionFile[], text: string): Place | undefined {
  const [, name, offset, within] = /^([\da-f]{8})\.(\d{1,15})(w?)$/.exec(text) ?? [];
  if (name === undefined)
    throw new ContinuoError("invalid-request", "the cursor is not one that this server gave", {
      hint: "ask without a cursor for the end of the conversation",
    });
  const file = files.findIndex((one) => nameOf(one) === name);
  return file === -1
    ? undefined
    : { file, offset: Number(offset), ...(within === "w" ? { isWithin: true as const } : {}) };
}

const nameOf = ({ path, key = "" }: SessionFile): string => fingerprint(`${path}\0${key}`).slice(0, 8);
