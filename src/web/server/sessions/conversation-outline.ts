import { oneLine } from "../../../base/for-terminal.ts";
import { clip } from "../../../base/text.ts";
import type { Turn } from "../../../moments/ports/turn.ts";
import type { Broken } from "../../../moments/state/ledger.ts";
import { ledgerFiles, sessionLines } from "../../../moments/state/ledger-files.ts";
import type { SessionKey } from "../../../sources/sessions/session.ts";
import type { Home } from "../../../store/home.ts";
import { redact } from "../../../store/redact.ts";
import type { Outline, OutlineMark, PromptTotals } from "../../api/conversation.ts";
import { brokenRule } from "../given/broken.ts";
import { later, type Place, type Transcripts } from "./conversation-pages.ts";

/** More than a user has open. */
const MOST_KEPT = 8;
/** One request reads for about this long; the page repeats it for the rest. */
const MOST_MS = 1_000;
const AT_ONCE = 500;
const MOST_MARKS = 1_000;
const MOST_PROMPTS = 1_000;
const MOST_TEXT = 120;

interface Totals {
  readonly turn: string;
  readonly place: number;
  readonly began: number | undefined;
  last: string;
  ended: number | undefined;
  readonly answers: Map<string, NonNullable<Turn["usage"]>>;
}

/** What was read of one session so far. The last turn may come again, extended. */
interface Read {
  readonly files: string;
  at: Place;
  readonly places: Map<string, number>;
  readonly times: { readonly turn: string; readonly place: number; readonly at: number }[];
  readonly marks: Map<string, OutlineMark>;
  readonly prompts: Map<string, Totals>;
  current: Totals | undefined;
  /** A subagent's session consists of turns that count as a side chain elsewhere. */
  isSide: boolean | undefined;
  isEnd: boolean;
  broken: { readonly stamp: string; readonly lines: readonly (Broken & { readonly at: string })[] };
}

/** Outlines of sessions. A transcript is read once; later requests read what was added. */
export function createOutlines(home: Home): (key: SessionKey, of: Transcripts) => Promise<Outline> {
  const kept = new Map<string, Promise<Read>>();
  const readOn = async (before: Read | undefined, transcripts: Transcripts): Promise<Read> => {
    const files = JSON.stringify(transcripts.files.map(({ path, key }) => [path, key]));
    let read = before?.files === files ? before : nothingRead(files);
    const until = performance.now() + MOST_MS;
    for (;;) {
      const page = await later(transcripts, read.at, AT_ONCE);
      if (page.isReset) read = nothingRead(files);
      else {
        for (const { turn } of page.turns) add(read, turn);
        read.at = page.after;
      }
      read.isEnd = page.isEnd;
      if (read.isEnd || performance.now() > until) return read;
    }
  };
  return async (key, transcripts) => {
    const name = JSON.stringify([key.host, key.id]);
    // One reading at a time, because each continues where the previous one ended.
    const before = kept.get(name)?.catch(() => undefined);
    const reading = Promise.resolve(before).then((read) => readOn(read, transcripts));
    kept.delete(name);
    kept.set(name, reading);
    for (const oldest of [...kept.keys()].slice(0, -MOST_KEPT)) kept.delete(oldest);
    const read = await reading;
    const marks = [...read.marks.values(), ...(await brokenIn(home, key, read))];
    return {
      turns: read.places.size,
      marks: marks.sort((a, b) => a.place - b.place).slice(-MOST_MARKS),
      prompts: [...read.prompts.values()].slice(-MOST_PROMPTS).map(totalsOf),
      ...(read.isEnd ? {} : { isPart: true as const }),
    };
  };
}

const nothingRead = (files: string): Read => ({
  files,
  at: { file: 0, offset: 0 },
  places: new Map(),
  times: [],
  marks: new Map(),
  prompts: new Map(),
  current: undefined,
  isSide: undefined,
  isEnd: false,
  broken: { stamp: "", lines: [] },
});

function add(read: Read, turn: Turn): void {
  const { id, at, role, marks } = turn;
  const place = read.places.get(id) ?? read.places.size;
  const isNew = place === read.places.size;
  read.places.set(id, place);
  if (isNew && at !== undefined) read.times.push({ turn: id, place, at });
  const kind = markOf(turn);
  if (kind !== undefined) read.marks.set(id, { kind, turn: id, place, text: lineOf(turn.text), at });
  if (role === "user" && marks.injected !== true && marks.machineMade !== true) {
    read.isSide ??= marks.sidechain === true;
    if (isNew && (marks.sidechain === true) === read.isSide) {
      read.current = { turn: id, place, began: at, last: id, ended: at, answers: new Map() };
      read.prompts.set(id, read.current);
    }
  }
  const { current } = read;
  if (current === undefined) return;
  // A subagent and a copied turn were paid for in other sessions.
  const isElsewhere = marks.copied === true || (marks.sidechain === true) !== read.isSide;
  if (turn.usage !== undefined && !isElsewhere) current.answers.set(turn.group ?? id, turn.usage);
  if (role !== "assistant" && role !== "tool") return;
  current.last = id;
  if (at !== undefined) current.ended = Math.max(at, current.ended ?? at);
}

function markOf({ role, marks, answers }: Turn): OutlineMark["kind"] | undefined {
  if (role === "summary" && marks.compaction === true) return "compaction";
  if (marks.error === true) return "error";
  return answers.some(({ failed, rejected }) => failed === true && rejected !== true) ? "failed" : undefined;
}

const lineOf = (text: string): string =>
  clip(
    oneLine(
      redact(text.slice(0, 10 * MOST_TEXT))
        .trim()
        .split("\n", 1)[0] ?? "",
    ),
    MOST_TEXT,
  );

/** A host that records no tokens has turns without usage, or only zeros. */
function totalsOf({ turn, place, last, began, ended, answers }: Totals): PromptTotals {
  const all = [...answers.values()];
  const sum = (of: (one: (typeof all)[number]) => number): number => all.reduce((n, one) => n + of(one), 0);
  const tokens = {
    requests: all.length,
    input: sum(({ input, cacheRead, cacheWrite }) => input + cacheRead + cacheWrite),
    cached: sum(({ cacheRead }) => cacheRead),
    output: sum(({ output }) => output),
  };
  return {
    ...{ turn, place, last },
    at: began,
    ...(began === undefined || ended === undefined || ended <= began ? {} : { ms: ended - began }),
    ...(tokens.input + tokens.output === 0 ? {} : { tokens }),
  };
}

/** The ledger knows when a rule was broken; the mark is put at the last turn that had begun by then. */
async function brokenIn(home: Home, key: SessionKey, read: Read): Promise<OutlineMark[]> {
  const stamp = ledgerFiles(home)
    .map(({ name, size, modified }) => `${name} ${size} ${modified}`)
    .join();
  if (read.broken.stamp !== stamp) {
    const lines = await sessionLines(home, key);
    read.broken = { stamp, lines: lines.filter((line) => line.kind === "broken").slice(-MOST_MARKS) };
  }
  return read.broken.lines.flatMap((line) => {
    const at = Date.parse(line.at);
    const found = read.times.findLast((one) => one.at <= at);
    if (found === undefined) return [];
    return [{ kind: "broken", turn: found.turn, place: found.place, at, text: brokenRule(line).name }];
  });
}
