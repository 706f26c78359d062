import { attribute, quote } from "../../../compose/escape.ts";
import { redact } from "../../../store/redact.ts";
import type { Passage } from "../session.ts";

/** One turn's words. */
export interface Said {
  readonly turn: string;
  readonly by: Passage["role"];
  readonly text: string;
  /** Milliseconds since 1970. */
  readonly time?: number;
  /** On a branch that the session has left. */
  readonly isLeft?: true;
}

export interface SaidOptions {
  readonly maxBytes: number;
  /** When there is not room for all: `recent` keeps the end; `ends` the beginning, compactions' summaries and the end. */
  readonly keep: "recent" | "ends";
  /** With the turns' ids, for answers that cite them. */
  readonly ids?: boolean;
}

/** The words of a session, a turn each. Calls of tools are none. Redacted once more: an index may be older than a pattern. */
export function saidIn(passages: readonly Passage[]): Said[] {
  const said: Said[] = [];
  for (const { turn, role, text, isCalls, time, isLeft } of passages) {
    if (isCalls) continue;
    const last = said.at(-1);
    // Passages of one turn together are its text.
    if (last?.turn === turn && last.by === role) said[said.length - 1] = { ...last, text: last.text + text };
    else said.push({ turn, by: role, text, ...(time !== undefined && { time }), ...(isLeft && { isLeft }) });
  }
  // Quoted first: a secret with something invisible in it would be whole again afterwards.
  return said
    .map((one) => ({ ...one, text: redact(quote(one.text)).trim() }))
    .filter(({ text }) => text !== "");
}

/**
 * What a model is given of a session: its words as quoted data, from which no word gets out. Never more than `maxBytes`.
 * What is left out is told where it stood.
 */
export function saidText(said: readonly Said[], { maxBytes, keep, ids = false }: SaidOptions): string {
  const whole = said.map((one) => framed(one, ids));
  const room = maxBytes - bytesOf(FRAME.join("\n\n"));
  if (sizeOf(whole) <= room) return inFrame(whole);
  // A pasted log must not be all that is left of a session.
  const longest = Math.min(LONGEST_TURN, Math.floor(maxBytes / 8));
  const short = said.map((one, at) =>
    bytesOf(whole[at] ?? "") <= longest ? (whole[at] ?? "") : framed(shortened(one, longest), ids),
  );
  if (sizeOf(short) <= room) return inFrame(short);
  const chosen = choose(short, said, room, keep);
  const lines: string[] = [];
  for (let at = 0, left = 0; at <= short.length; at++) {
    const isChosen = chosen.has(at);
    if ((isChosen || at === short.length) && left > 0) lines.push(gap(left));
    left = isChosen ? 0 : left + 1;
    if (isChosen) lines.push(short[at] ?? "");
  }
  return inFrame(lines);
}

const FRAME = ["<continuo-session>", "</continuo-session>"] as const;
const LONGEST_TURN = 4_000;
/** Of the room, for the beginning and for summaries: most of it belongs to what was said last. */
const SHARE = 0.2;

/** Which turns have room. Each pays for the gap that may stand before it. */
function choose(texts: readonly string[], said: readonly Said[], room: number, keep: SaidOptions["keep"]) {
  const chosen = new Set<number>();
  let left = room - bytesOf(gap(texts.length)) - 1;
  const take = (at: number, least: number): boolean => {
    const cost = bytesOf(texts[at] ?? "") + 1 + bytesOf(gap(texts.length)) + 1;
    if (chosen.has(at)) return true;
    if (left - cost < least) return false;
    left -= cost;
    chosen.add(at);
    return true;
  };
  if (keep === "ends") {
    const afterBeginning = left - room * SHARE;
    for (let at = 0; at < texts.length && take(at, afterBeginning); at++);
    const afterSummaries = left - room * SHARE;
    // The last one stands for those before it.
    for (let at = texts.length - 1; at >= 0; at--) if (said[at]?.by === "summary") take(at, afterSummaries);
  }
  for (let at = texts.length - 1; at >= 0 && take(at, 0); at--);
  return chosen;
}

function framed({ turn, by, text, isLeft }: Said, ids: boolean): string {
  const id = ids ? ` id="${attribute(turn)}"` : "";
  return `<continuo-turn by="${by}"${id}${isLeft ? ' left="yes"' : ""}>\n${quote(text)}\n</continuo-turn>`;
}

function gap(turns: number): string {
  return `<continuo-gap turns="${turns}"/>`;
}

function inFrame(lines: readonly string[]): string {
  return [FRAME[0], ...lines, FRAME[1]].join("\n");
}

/** Its beginning and its end. */
function shortened(one: Said, bytes: number): Said {
  const all = Buffer.from(quote(one.text));
  const half = Math.max(0, Math.floor((bytes - 150) / 2));
  const to = back(all, half);
  const from = Math.max(to, back(all, all.length - half));
  const left = all.toString("utf8", to, from).length;
  return {
    ...one,
    text: `${all.toString("utf8", 0, to)}\n[… ${left} characters left out …]\n${all.toString("utf8", from)}`,
  };
}

/** The last beginning of a character at or before a byte. */
function back(bytes: Buffer, at: number): number {
  let place = Math.max(0, at);
  while (place > 0 && ((bytes[place] ?? 0) & 0xc0) === 0x80) place--;
  return place;
}

const bytesOf = (text: string): number => Buffer.byteLength(text);
const sizeOf = (texts: readonly string[]): number => texts.reduce((sum, text) => sum + bytesOf(text) + 1, 0);
