import { isSystemError } from "../../../base/errors.ts";
import { fingerprint } from "../../../base/fingerprint.ts";
import type { Header, Report, SessionFile, TranscriptReader } from "../../../moments/ports/history.ts";
import type { Turn } from "../../../moments/ports/turn.ts";
import type { FileAccess } from "../../../moments/tool-use.ts";
import { readAt, withFile } from "../../../store/read-file.ts";
import { isPrompt, passagesOfTurn, type StoredPassage } from "./units.ts";

/** What the index needs from one turn. */
export interface TurnRead {
  readonly id: string;
  readonly at: number | undefined;
  readonly passages: readonly StoredPassage[];
  readonly files: readonly FileAccess[];
  readonly isPrompt: boolean;
  readonly isCompaction: boolean;
}

/** Part of a transcript that is written to the index at once. */
export interface Piece {
  readonly file: SessionFile;
  readonly header: Header;
  /** The index's offset when this was read; 0 if reading started over. */
  readonly from: number;
  /** The file is not the one that was indexed, so everything known about it is removed. */
  readonly isReplaced: boolean;
  /** Turns that will not change. */
  readonly turns: readonly TurnRead[];
  /** Turns that may be read again, extended. */
  readonly open: readonly TurnRead[];
  readonly to: number;
  readonly tail: string;
  /** Set in the last piece. */
  readonly report?: Report;
  /** Turns of the whole transcript that are on abandoned branches; undefined when unchanged. */
  readonly abandoned?: Abandoned;
}

interface Abandoned {
  /** As the reader reported them, as JSON. */
  readonly ranges: string;
  readonly turns: readonly string[];
}

export interface Known {
  readonly offset: number;
  readonly tail: string;
  readonly otherBranches: string;
}

/** A piece ends after this many turns or passages. It is then written, and other processes get their turn. */
const MOST_TURNS = 1000;
const MOST_PASSAGES = 512;
/** Fewer while someone waits: in the worst case every word is new, which takes a hundred times as long. */
const MOST_PASSAGES_IN_SLICE = 128;
const TAIL_BYTES = 256;
/** Prefix of the fingerprint when the offset is inside a line. */
const WITHIN = "within ";

/** Reads from where indexing stopped. Does not throw for what is on disk: the last report contains it. */
export function* piecesOf(
  reader: TranscriptReader,
  file: SessionFile,
  known: Known | undefined,
  isOver?: () => boolean,
): Generator<Piece> {
  const isWithin = known?.tail.startsWith(WITHIN) === true;
  const isReplaced =
    known !== undefined && known.offset > 0 && tailAt(file, known.offset, isWithin) !== known.tail;
  const begin = known === undefined || isReplaced ? 0 : known.offset;
  const header = reader.headerOf(file, begin === 0 ? "beginning" : "ends");
  const cwd = file.cwd ?? header.cwd;
  const reading = reader.read(
    { ...file, ...(cwd === undefined ? {} : { cwd }) },
    {
      from: begin,
      ...(isWithin && !isReplaced && { isWithin }),
      isOver,
    },
  );
  let from = begin;
  let first = isReplaced;
  let turns: { offset: number; turn: TurnRead }[] = [];
  let passages = 0;
  const most = isOver === undefined ? MOST_PASSAGES : MOST_PASSAGES_IN_SLICE;
  const pieceTo = (to: number, report?: Report): Piece => ({
    file,
    header,
    from,
    isReplaced: first,
    turns: turns.filter(({ offset }) => offset < to).map(({ turn }) => turn),
    open: turns.filter(({ offset }) => offset >= to).map(({ turn }) => turn),
    to,
    tail: tailAt(file, to, report?.isWithin === true),
    report,
  });
  for (const turn of reading) {
    if (turns.length === 0 && from > 0 && reading.report().from === 0 && file.key === undefined) {
      from = 0;
      first = true;
    }
    const isFull = turns.length >= MOST_TURNS || passages >= most;
    // Turns of one line share an offset. A piece that ended between them would cause the first ones to be read twice.
    if (isFull && turn.offset > (turns.at(-1)?.offset ?? Number.POSITIVE_INFINITY)) {
      yield pieceTo(turn.offset);
      from = turn.offset;
      first = false;
      turns = [];
      passages = 0;
    }
    const read = turnRead(turn);
    passages += read.passages.length;
    turns.push({ offset: turn.offset, turn: read });
  }
  const report = reading.report();
  const last = pieceTo(report.failure === undefined ? Math.max(report.resumeAt, from) : from, report);
  const ranges = JSON.stringify(report.otherBranches);
  const before = known === undefined || isReplaced ? "[]" : known.otherBranches;
  yield ranges === before
    ? last
    : { ...last, abandoned: { ranges, turns: abandonedTurns(reader, file, report) } };
}

/** A session that goes back to an earlier point abandons turns that may have been indexed long ago. */
function abandonedTurns(reader: TranscriptReader, file: SessionFile, { otherBranches }: Report): string[] {
  if (otherBranches.length === 0) return [];
  const from = otherBranches.reduce((least, range) => Math.min(least, range.from), Infinity);
  const turns: string[] = [];
  for (const { id, marks } of reader.read(file, { from })) if (marks.otherBranch) turns.push(id);
  return turns;
}

function turnRead(turn: Turn): TurnRead {
  return {
    id: turn.id,
    at: turn.at,
    passages: turn.marks.copied ? passagesOfTurn(turn).map(asCopy) : passagesOfTurn(turn),
    files: turn.calls.flatMap((call) => call.files),
    isPrompt: isPrompt(turn),
    isCompaction: turn.marks.compaction === true,
  };
}

const asCopy = ([turn, kind, time, text]: StoredPassage): StoredPassage => [turn, kind, time, text, 1];

/** Offsets in databases, and in files that are rewritten completely, are not byte offsets, so no bytes precede them. */
function tailAt({ path, key }: SessionFile, offset: number, isWithin: boolean): string {
  if (key !== undefined || !path.endsWith(".jsonl") || offset === 0) return "";
  try {
    const length = Math.min(TAIL_BYTES, offset);
    const before = withFile(path, ({ descriptor }) =>
      fingerprint(readAt(descriptor, offset - length, length).toString("latin1")),
    );
    return isWithin ? WITHIN + before : before;
  } catch (error) {
    if (isSystemError(error)) return "unreadable"; // the report says so too
    throw error;
  }
}
