import { basename } from "node:path";
import { count, localTime } from "../../../base/when.ts";
import { countTokens } from "../../../compose/tokens.ts";
import { chooseTelling } from "../../../search/telling.ts";
import { oneLine } from "../labels.ts";
import type { Ending, Told } from "./ending.ts";

/** A past session that gets a line. */
export interface LastSession {
  readonly host: string;
  readonly id: string;
  readonly name: string;
  /** When something was last said in it. */
  readonly at: number;
  readonly ending: Ending;
  /** Files that it edited, the last one first. */
  readonly edited?: readonly string[];
}

/** What the whole section may cost, with its frame, by a real tokenizer. */
export const MOST_TOKENS = 135;
/** The section's heading and its sentence on quoted data. */
const FRAME_TOKENS = 25;
const MOST = { name: 14, sentence: 38, files: 9, olderName: 14 };
const LONGEST_NAME = 80;
const LONGEST_TEXT = 400;
/** Whether it was asked or answered, where that changes. */
const SPEAKERS_TOKENS = 10;
/** An unanswered request this young may just be in work. */
export const IN_WORK_MS = 10 * 60_000;

/** One line each, the session to go on with first: the others get what it leaves. `uncommitted`: of that one. */
export function lastSessionsLines(
  [first, ...others]: readonly LastSession[],
  uncommitted: readonly string[],
  now: number,
): string[] {
  if (first === undefined) return [];
  let left = MOST_TOKENS - FRAME_TOKENS;
  const detailed = detailedLine(first, uncommitted, left, now);
  const lines = [detailed.text];
  left -= detailed.cost;
  for (const one of others) {
    const { text, cost } = shortLine(one);
    if (cost > left) continue;
    left -= cost;
    lines.push(text);
  }
  return lines;
}

interface Line {
  readonly text: string;
  readonly cost: number;
}

/** When, where, its name, what was said at its end, and files that it left uncommitted. */
function detailedLine(session: LastSession, uncommitted: readonly string[], room: number, now: number): Line {
  const { host, at, ending } = session;
  const reference = referenceTo(session, MOST.name);
  const head = `${dayOf(at)} ${host} ${reference.text}`;
  const tail = tailOf(session, uncommitted);
  // Two for the mark of the list and the line feed.
  const cost = countTokens(`${dayOf(at)} ${host} `) + reference.cost + tokenBound(tail) + 2;
  const said = saidText(ending, session.name, room - cost, now - at < IN_WORK_MS);
  return { text: said === "" ? `${head}${tail}` : `${head}: ${said}${tail}`, cost: cost + tokenBound(said) };
}

function shortLine(session: LastSession): Line {
  const reference = referenceTo(session, MOST.olderName);
  const head = `${dayOf(session.at)} ${session.host} `;
  return { text: head + reference.text, cost: countTokens(head) + reference.cost + 2 };
}

/** Of a session that stopped before an answer, the files say where it was, also if git has no changes of them. */
function tailOf({ ending, edited = [] }: LastSession, uncommitted: readonly string[]): string {
  const files = filesText(uncommitted);
  if (files !== "") return ` Left uncommitted: ${files}`;
  const worked = ending.isOpen ? filesText(edited) : "";
  return worked === "" ? "" : ` Worked on: ${worked}`;
}

/** The sentences that say most, with who said them. */
function saidText({ told, isOpen }: Ending, name: string, room: number, isYoung: boolean): string {
  const last = told.findLast(({ by }) => by === "user");
  const choices = told.map((one) => ({
    of: one,
    text: clipToTokens(oneLine(one.text, LONGEST_TEXT), MOST.sentence),
    weight: one.weight,
  }));
  const chosen = chooseTelling(
    choices.filter(({ text }) => text !== ""),
    room - SPEAKERS_TOKENS,
    (text) => tokenBound(text) + 2,
    name,
  );
  let speaker = "";
  let said = "";
  for (const { of, text } of chosen) {
    const by = saidHow(of, isOpen && of === last, isYoung);
    // The agent's words need no label unless a request came before them.
    const label = by === ANSWER && said === "" ? "" : `${by}: `;
    said += by === speaker ? ` ${text}` : `${said === "" ? "" : " | "}${label}${text}`;
    speaker = by;
  }
  return said;
}

const ANSWER = "answered";

function saidHow({ by }: Told, isUnanswered: boolean, isYoung: boolean): string {
  if (by === "agent") return ANSWER;
  if (!isUnanswered) return "asked";
  return isYoung ? "asked, in progress" : "asked, unanswered";
}

function dayOf(at: number): string {
  return localTime(at).slice(0, 10);
}

/** Names without folders: the agent sees the paths in git. */
function filesText(files: readonly string[]): string {
  const shown: string[] = [];
  for (const file of files) {
    const name = oneLine(basename(file), LONGEST_TEXT);
    if (tokenBound([...shown, name].join(", ")) > MOST.files) break;
    shown.push(name);
  }
  const more = files.length - shown.length;
  if (shown.length === 0) return more === 0 ? "" : count(more, "file");
  return `${shown.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

/**
 * What `query_session` accepts, and a person after `@@`. A cut name still finds its session, by its beginning; a name that says
 * nothing is replaced by the id.
 */
function referenceTo({ name, id }: Pick<LastSession, "name" | "id">, most: number): Line {
  const plain = clipToTokens(oneLine(name, LONGEST_NAME).replaceAll('"', "'"), most);
  const text = /[\p{L}\p{N}]/u.test(plain)
    ? `"${plain}"`
    : `${clipToTokens(oneLine(id, LONGEST_NAME), most).replace(/ …$/, "")}`;
  return { text, cost: tokenBound(text) };
}

/** How much too low the estimate of ordinary text may be. */
const MARGIN = 1.05;
/** Letters that are no word, such as a key or a name of one piece: only a few of them share a token. */
const NO_WORD = /[a-z]{17,}|[a-z]*[bcdfghjklmnpqrstvwxz]{5}[a-z]*|[A-Z]{5,}/g;
const NO_WORD_COST = 0.65;
/** Mixed punctuation, which no text needs. */
const SIGNS = /[!-/:-@[-`{-~]{3,}/g;

/**
 * About the most tokens that a text can cost, for a limit that must hold for any text: `countTokens` is right for ordinary
 * text, but rare characters and letters that form no words cost several times its estimate.
 */
function tokenBound(text: string): number {
  let plain = "";
  let others = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    if (code < 0x80) plain += character;
    else others += costOf(code);
  }
  const noWords = lengthOf(plain, NO_WORD) * NO_WORD_COST;
  return Math.ceil(countTokens(plain) * MARGIN + noWords + lengthOf(plain, SIGNS) + others);
}

function lengthOf(text: string, pattern: RegExp): number {
  return text.match(pattern)?.join("").length ?? 0;
}

/** Of o200k, each character for itself: the mean of its script, and what single rare ones cost more. */
function costOf(code: number): number {
  if (code < 0x100) return 1.1;
  if (code >= 0x10000) return 4;
  if (code >= 0x3040 && code < 0x3100) return 1.3; // kana
  if (code >= 0xac00 && code < 0xd7b0) return 2.5; // Hangul
  if (code >= 0x2190 && code < 0x2e80) return 3; // symbols
  return 2.1;
}

/** The beginning of a text that costs at most `most`, cut after a word if possible; "" if nothing fits. */
function clipToTokens(text: string, most: number): string {
  if (tokenBound(text) <= most) return text;
  let characters = [...text];
  for (;;) {
    // Each step removes a tenth: the bound is not linear.
    characters = characters.slice(0, Math.floor(characters.length * 0.9));
    if (characters.length < 4) return "";
    const cut = `${atWord(characters.join(""))} …`;
    if (tokenBound(cut) <= most) return cut;
  }
}

function atWord(text: string): string {
  const word = /^[\s\S]*\S(?=\s)/.exec(text)?.[0] ?? "";
  return (word.length > text.length * 0.6 ? word : text).replace(/[\s,;:–-]+$/, "");
}
