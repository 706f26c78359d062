import { collapse } from "../../../base/text.ts";
import type { Call, Turn } from "../../../moments/ports/turn.ts";
import { passagesOf } from "../../../search/passages.ts";
import { redact } from "../../../store/redact.ts";
import type { Database } from "../../../store/sqlite/types.ts";

/** Enough to compress well, few enough to decompress for a single passage. */
export const FULL_UNIT = 16;
/**
 * A unit's number contains its session's number, so that ranking need not look it up, and the unit's position in the
 * session. Position 0 is the session's head: its name, branch and files, as words only.
 */
const PLACE_BITS = 12;
const PLACES = 1 << PLACE_BITS;
export const LAST_PLACE = PLACES - 1;
export const MOST_SESSIONS = (0x7fffffff >> PLACE_BITS) - 1;

export const unitId = (session: number, place: number): number => session * PLACES + place;
export const sessionOfUnit = (unit: number): number => unit >> PLACE_BITS;

export interface Unit {
  readonly id: number;
  readonly transcript: number;
  readonly settled: number;
  readonly passages: readonly StoredPassage[];
}

interface Row {
  readonly id: number;
  readonly transcript: number;
  readonly settled: number;
  readonly data: Uint8Array;
}

/** Not imported, because notes are searched with code from the same bundle and do not need it. */
const zlib = () => process.getBuiltinModule("node:zlib");

/** Compressed lightly: better compression would take longer than finding the words, for little gain. */
export function packed(passages: readonly StoredPassage[]): Uint8Array {
  return zlib().deflateRawSync(JSON.stringify(passages), { level: 1 });
}

function unitOf({ id, transcript, settled, data }: Row): Unit {
  return { id, transcript, settled, passages: JSON.parse(zlib().inflateRawSync(data).toString("utf8")) };
}

export function unitById(db: Database, id: number): Unit | undefined {
  const row = db.get<Row>("SELECT id, transcript, settled, data FROM unit WHERE id = ?", [id]);
  return row && unitOf(row);
}

/** If a session has more than `most` units, the first quarter of that number and the last three. */
export function* unitsOf(
  db: Database,
  session: number,
  most: number = Number.POSITIVE_INFINITY,
): Generator<Unit> {
  const end = most > PLACES ? 0 : (lastUnit(db, session)?.id ?? 0);
  const gap = { from: unitId(session, Math.floor(most / 4)), to: end - Math.ceil((most * 3) / 4) };
  let last = unitId(session, 0);
  for (;;) {
    const row = db.get<Row>(
      "SELECT id, transcript, settled, data FROM unit WHERE id > ? AND id < ? ORDER BY id LIMIT 1",
      [last, unitId(session + 1, 0)],
    );
    if (row === undefined) return;
    last = row.id >= gap.from && row.id < gap.to ? gap.to : row.id;
    yield unitOf(row);
  }
}

/** The last unit, which may have room for more passages. */
export function lastUnit(db: Database, session: number): Unit | undefined {
  return unitBefore(db, session, unitId(session + 1, 0));
}

/** The last unit of a session before this number. */
export function unitBefore(db: Database, session: number, before: number): Unit | undefined {
  const row = db.get<Row>(
    "SELECT id, transcript, settled, data FROM unit WHERE id >= ? AND id < ? ORDER BY id DESC LIMIT 1",
    [unitId(session, 1), before],
  );
  return row && unitOf(row);
}

export function unitCount(db: Database, session: number): number {
  const range = [unitId(session, 1), unitId(session + 1, 0)];
  return db.get<{ n: number }>("SELECT count(*) AS n FROM unit WHERE id >= ? AND id < ?", range)?.n ?? 0;
}

/** How many passages of the session precede a unit. */
export function passagesBefore(db: Database, id: number): number {
  const row = db.get<{ n: number }>("SELECT total(count) AS n FROM unit WHERE id >= ? AND id < ?", [
    unitId(sessionOfUnit(id), 0),
    id,
  ]);
  return row?.n ?? 0;
}

/** The position in the session of each unit's first passage, and how many passages there are. */
export function unitStarts(
  db: Database,
  session: number,
): { readonly byUnit: ReadonlyMap<number, number>; readonly total: number } {
  const byUnit = new Map<number, number>();
  let total = 0;
  for (const { id, count } of db.all<{ id: number; count: number }>(
    "SELECT id, count FROM unit WHERE id >= ? AND id < ? ORDER BY id",
    [unitId(session, 0), unitId(session + 1, 0)],
  )) {
    byUnit.set(id, total);
    total += count;
  }
  return { byUnit, total };
}

/** As stored in a unit. A list, because field names would be written hundreds of thousands of times. */
export type StoredPassage = readonly [
  turn: string,
  kind: Kind,
  time: number | null,
  text: string,
  isCopy?: 1,
];

/** The text of a copy is searchable only in one of the two sessions. */
export function searchableTexts(passages: readonly StoredPassage[]): string[] {
  return passages.map(([, , , text, isCopy]) => (isCopy === 1 ? "" : text));
}

/** User, assistant, summary; `c`: the tool calls of one or more turns, one per line. */
export type Kind = "u" | "a" | "s" | "c";

/**
 * Of a longer turn, such as a pasted log, the beginning and the end are stored. Words in its middle are not searchable.
 */
const MOST_CHARACTERS = 24_000;
const KEPT_END = 4_000;
const MOST_OF_A_COMMAND = 300;

/** Whether the user asked for something in this turn. */
export function isPrompt({ role, text, marks }: Turn): boolean {
  return role === "user" && text !== "" && !marks.machineMade && !marks.injected && !marks.sidechain;
}

/** The searchable text of a turn. Omits what was injected, returned by a tool, or generated by the host. */
export function passagesOfTurn(turn: Turn): StoredPassage[] {
  const kind = kindOf(turn);
  const time = turn.at ?? null;
  const passages: StoredPassage[] = [];
  if (kind !== undefined && turn.text !== "") {
    for (const text of passagesOf(bounded(redact(turn.text)))) {
      if (text.trim() !== "") passages.push([turn.id, kind, time, text]);
    }
  }
  if (turn.calls.length > 0) passages.push([turn.id, "c", time, turn.calls.map(callLine).join("\n")]);
  return passages;
}

function kindOf({ role, marks }: Turn): Kind | undefined {
  if (marks.machineMade || marks.injected || marks.error) return undefined;
  if (role === "user") return "u";
  if (role === "assistant") return "a";
  return role === "summary" ? "s" : undefined;
}

function bounded(text: string): string {
  if (text.length <= MOST_CHARACTERS) return text;
  return `${text.slice(0, MOST_CHARACTERS - KEPT_END)}\n…\n${text.slice(-KEPT_END)}`;
}

/** The name of the tool with its files or its command. */
function callLine({ name, input, files }: Call): string {
  const command = input["command"] ?? input["cmd"];
  const ran = Array.isArray(command) ? command.join(" ") : command;
  const about = typeof ran === "string" ? oneLine(ran) : redact(files.map(({ path }) => path).join(" "));
  return about === "" ? name : `${name} ${about}`;
}

/** Redacted before it is cut, and while its lines are still separate. */
function oneLine(text: string): string {
  return collapse(redact(text.slice(0, MOST_CHARACTERS)).slice(0, MOST_OF_A_COMMAND));
}

/** Consecutive calls without text between them form one passage, because most have only a few words. */
export function appendPassages(list: StoredPassage[], more: readonly StoredPassage[]): void {
  for (const next of more) {
    const last = list.at(-1);
    const isOne = last?.[1] === "c" && next[1] === "c" && last[4] === next[4];
    if (isOne && last[3].length + next[3].length < 1500) {
      const text = `${last[3]}\n${next[3]}`;
      list[list.length - 1] =
        last[4] === 1 ? [last[0], "c", last[2], text, 1] : [last[0], "c", last[2], text];
    } else list.push(next);
  }
}
