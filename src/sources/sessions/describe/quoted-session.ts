import { attribute, quote } from "../../../compose/escape.ts";
import { redact } from "../../../store/redact.ts";
import type { Passage } from "../session.ts";

/** The text of one turn. */
export interface TurnText {
  readonly turn: string;
  readonly by: Passage["role"];
  readonly text: string;
  /** Milliseconds since 1970. */
  readonly time?: number;
  /** On an abandoned branch. */
  readonly isAbandoned?: true;
}

interface QuoteOptions {
  readonly maxBytes: number;
  /**
   * What to keep if not everything fits. `recent`: the end; `ends`: the beginning, summaries of compactions, and the
   * end.
   */
  readonly keep: "recent" | "ends";
  /** Include the turns' ids, for answers that cite them. */
  readonly ids?: boolean;
}

/**
 * The texts of a session, one per turn, without tool calls. Redacted again, because the index may be older than a
 * redaction pattern.
 */
export function turnTexts(passages: readonly Passage[]): TurnText[] {
  const texts: TurnText[] = [];
  for (const { turn, role, text, isCalls, time, isLeft } of passages) {
    if (isCalls) continue;
    const last = texts.at(-1);
    // The passages of one turn together are its text.
    if (last?.turn === turn && last.by === role)
      texts[texts.length - 1] = { ...last, text: last.text + text };
    else
      texts.push({
        turn,
        by: role,
        text,
        time,
        ...(isLeft && { isAbandoned: isLeft }),
      });
  }
  // Quoted first, because quoting removes invisible characters that could hide a secret from redaction.
  return texts
    .map((one) => ({ ...one, text: redact(quote(one.text)).trim() }))
    .filter(({ text }) => text !== "");
}

/**
 * A session as quoted data for a model, never more than `maxBytes`. No text can break out of the quotation, and gaps
 * are marked.
 */
export function quotedSession(
  texts: readonly TurnText[],
  { maxBytes, keep, ids = false }: QuoteOptions,
): string {
  const whole = texts.map((one) => framed(one, ids));
  const room = maxBytes - bytesOf(FRAME.join("\n\n"));
  if (sizeOf(whole) <= room) return inFrame(whole);
  // A pasted log must not use up all the space.
  const longest = Math.min(LONGEST_TURN, Math.floor(maxBytes / 8));
  const short = texts.map((one, at) =>
    bytesOf(whole[at] ?? "") <= longest ? (whole[at] ?? "") : framed(shortened(one, longest), ids),
  );
  if (sizeOf(short) <= room) return inFrame(short);
  const chosen = choose(short, texts, room, keep);
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
/** The share for the beginning and for summaries; most of the space belongs to the end. */
const SHARE = 0.2;

/** The turns that fit. Each one includes the cost of a gap before it. */
function choose(
  framed: readonly string[],
  texts: readonly TurnText[],
  room: number,
  keep: QuoteOptions["keep"],
) {
  const chosen = new Set<number>();
  let left = room - bytesOf(gap(framed.length)) - 1;
  const take = (at: number, least: number): boolean => {
    const cost = bytesOf(framed[at] ?? "") + 1 + bytesOf(gap(framed.length)) + 1;
    if (chosen.has(at)) return true;
    if (left - cost < least) return false;
    left -= cost;
    chosen.add(at);
    return true;
  };
  if (keep === "ends") {
    const afterBeginning = left - room * SHARE;
    for (let at = 0; at < framed.length && take(at, afterBeginning); at++);
    const afterSummaries = left - room * SHARE;
    // The last summary covers those before it.
    for (let at = framed.length - 1; at >= 0; at--) if (texts[at]?.by === "summary") take(at, afterSummaries);
  }
  for (let at = framed.length - 1; at >= 0 && take(at, 0); at--);
  return chosen;
}

function framed({ turn, by, text, isAbandoned }: TurnText, ids: boolean): string {
  const id = ids ? ` id="${attribute(turn)}"` : "";
  return `<continuo-turn by="${by}"${id}${isAbandoned ? ' left="yes"' : ""}>\n${quote(text)}\n</continuo-turn>`;
}

function gap(turns: number): string {
  return `<continuo-gap turns="${turns}"/>`;
}

function inFrame(lines: readonly string[]): string {
  return [FRAME[0], ...lines, FRAME[1]].join("\n");
}

/** Keeps the beginning and the end. */
function shortened(one: TurnText, bytes: number): TurnText {
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

/** The start of the character at or before a byte offset. */
function back(bytes: Buffer, at: number): number {
  let place = Math.max(0, at);
  while (place > 0 && ((bytes[place] ?? 0) & 0xc0) === 0x80) place--;
  return place;
}

const bytesOf = (text: string): number => Buffer.byteLength(text);
const sizeOf = (texts: readonly string[]): number => texts.reduce((sum, text) => sum + bytesOf(text) + 1, 0);
