import { fingerprint } from "../../../base/fingerprint.ts";
import { isSystemError } from "../../../base/system-error.ts";
import type { Header, Report, SessionFile, TranscriptReader } from "../../../moments/ports/history.ts";
import type { Turn } from "../../../moments/ports/turn.ts";
import type { FileAccess } from "../../../moments/working-set.ts";
import { readAt, withFile } from "../../../store/read-file.ts";
import { isPrompt, passagesOfTurn, type StoredPassage } from "./units.ts";

/** What the index needs of one turn. */
export interface TurnRead {
  readonly id: string;
  readonly at: number | undefined;
  readonly passages: readonly StoredPassage[];
  readonly files: readonly FileAccess[];
  readonly isPrompt: boolean;
  readonly isCompaction: boolean;
}

/** A stretch of a transcript that is written to the index at once. */
export interface Piece {
  readonly file: SessionFile;
  readonly header: Header;
  /** Where the index was when this was read; 0 when reading began anew. */
  readonly from: number;
  /** The file is another one than that which was indexed: what is known of it goes. */
  readonly isAnew: boolean;
  /** These will not come again. */
  readonly turns: readonly TurnRead[];
  /** These may, with more in them. */
  readonly open: readonly TurnRead[];
  readonly to: number;
  readonly tail: string;
  /** Set with the last piece. */
  readonly report?: Report;
  /** Turns of the whole transcript that are on branches which the session has left; unless they are as before. */
  readonly left?: Left;
}

interface Left {
  /** As the reader told them, as JSON. */
  readonly ranges: string;
  readonly turns: readonly string[];
}

export interface Known {
  readonly offset: number;
  readonly tail: string;
  readonly otherBranches: string;
}

/** A piece ends past so many turns or passages: then it is written, and somebody else has a turn. */
const MOST_TURNS = 1000;
const MOST_PASSAGES = 512;
/** Fewer while somebody waits: each word of a transcript may be another one, and takes a hundred times its length. */
const MOST_PASSAGES_IN_SLICE = 128;
const TAIL_BYTES = 256;
/** Before the fingerprint of what stands before an offset that is inside a line. */
const WITHIN = "within ";

/** Reads on where the index stopped. Nothing here throws for what lies on the disk: the last report says it. */
export function* piecesOf(
  reader: TranscriptReader,
  file: SessionFile,
  known: Known | undefined,
  isOver?: () => boolean,
): Generator<Piece> {
  const isWithin = known?.tail.startsWith(WITHIN) === true;
  const isAnew =
    known !== undefined && known.offset > 0 && tailAt(file, known.offset, isWithin) !== known.tail;
  const begin = known === undefined || isAnew ? 0 : known.offset;
  const header = reader.headerOf(file, begin === 0 ? "beginning" : "ends");
  const cwd = file.cwd ?? header.cwd;
  const reading = reader.read(
    { ...file, ...(cwd === undefined ? {} : { cwd }) },
    {
      from: begin,
      ...(isWithin && !isAnew && { isWithin }),
      ...(isOver !== undefined && { isOver }),
    },
  );
  let from = begin;
  let first = isAnew;
  let turns: { offset: number; turn: TurnRead }[] = [];
  let passages = 0;
  const most = isOver === undefined ? MOST_PASSAGES : MOST_PASSAGES_IN_SLICE;
  const pieceTo = (to: number, report?: Report): Piece => ({
    file,
    header,
    from,
    isAnew: first,
    turns: turns.filter(({ offset }) => offset < to).map(({ turn }) => turn),
    open: turns.filter(({ offset }) => offset >= to).map(({ turn }) => turn),
    to,
    tail: tailAt(file, to, report?.isWithin === true),
    ...(report === undefined ? {} : { report }),
  });
  for (const turn of reading) {
    if (turns.length === 0 && from > 0 && reading.report().from === 0 && file.key === undefined) {
      from = 0;
      first = true;
    }
    const isFull = turns.length >= MOST_TURNS || passages >= most;
    // Turns of one line share an offset: going on between them would read the first ones twice.
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
  const before = known === undefined || isAnew ? "[]" : known.otherBranches;
  yield ranges === before ? last : { ...last, left: { ranges, turns: leftTurns(reader, file, report) } };
}

/** A session that goes back to an earlier point leaves turns which were read long ago. */
function leftTurns(reader: TranscriptReader, file: SessionFile, { otherBranches }: Report): string[] {
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

/** Databases and files that are rewritten whole have offsets of another kind: nothing stands before those. */
function tailAt({ path, key }: SessionFile, offset: number, isWithin: boolean): string {
  if (key !== undefined || !path.endsWith(".jsonl") || offset === 0) return "";
  try {
    const length = Math.min(TAIL_BYTES, offset);
    const before = withFile(path, ({ descriptor }) =>
      fingerprint(readAt(descriptor, offset - length, length).toString("latin1")),
    );
    return isWithin ? WITHIN + before : before;
  } catch (error) {
    if (isSystemError(error)) return "unreadable"; // as the report says too
    throw error;
  }
}
