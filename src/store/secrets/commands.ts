import { afterLines } from "./blocks.ts";
import { COMMANDS, compiled, IN_OTHER_SCRIPTS, type Judge, LINES, type Line, SHAPES } from "./patterns.ts";
import type { Span } from "./spans.ts";
import { isNotAWord, isPlaceholder, isRandom, isSentence } from "./values.ts";

/** For each pattern, a text that it must contain, for the scan. A number in `seen` is an index of this list. */
export const HINTS: readonly string[] = [...COMMANDS, ...LINES, ...SHAPES].map(({ has }) => has);

export function findShapes(text: string, seen: readonly number[], spans: Span[]): void {
  for (const number of seen) {
    if (!text.includes(HINTS[number] ?? "")) continue;
    const command = COMMANDS[number];
    const line = LINES[number - COMMANDS.length];
    const shape = SHAPES[number - COMMANDS.length - LINES.length];
    if (command !== undefined) findPasswords(text, compiled(command.pattern), command.isPair, spans);
    else if (line !== undefined) findInLines(text, line, spans);
    else if (shape !== undefined) findGroups(text, compiled(shape.pattern), shape.kind, spans);
  }
}

/** Characters beyond Latin. Fast for texts without any: engines store those with one byte per character. */
const OTHER_SCRIPT = /[\u0100-\uffff]/;

export function findInOtherScripts(text: string, spans: Span[]): void {
  if (OTHER_SCRIPT.test(text)) findInLines(text, IN_OTHER_SCRIPTS, spans);
}

function findPasswords(text: string, pattern: RegExp, isPair: boolean, spans: Span[]): void {
  for (const match of text.matchAll(pattern)) {
    const value = match[1] ?? match[2] ?? match[3] ?? "";
    const within = match[0].lastIndexOf(value);
    const colon = isPair ? value.search(/[:%]/) + 1 : 0;
    // `-u KEY:X`: some services take the key as the user name, so the key comes first.
    const isUser = isPair && colon >= 16 && value.length - colon <= 2 && isRandom(value.slice(0, colon));
    const secret = isUser ? value : value.slice(colon);
    if (
      (isPair && colon === 0) ||
      secret.length < 3 ||
      (isPlaceholder(secret) && !/\d{2}$/.test(secret)) ||
      /^[-$]/.test(secret)
    )
      continue;
    const from = match.index + within + (isUser ? 0 : colon);
    spans.push({ from, to: from + secret.length, kind: "password" });
  }
}

function findInLines(text: string, { kind, judge, pattern }: Line, spans: Span[]): void {
  let done = 0;
  for (const match of text.matchAll(compiled(pattern))) {
    const secret = match[1] ?? match[0];
    const from = match.index + match[0].length - secret.length;
    if (from < done || !isJudged(secret, judge)) continue;
    done = judge === "key" ? afterLines(text, from + secret.length) : from + secret.length;
    spans.push({ from, to: done, kind });
  }
}

function isJudged(value: string, judge: Judge): boolean {
  if (judge === "sure" || judge === "key") return true;
  if (judge === "random") return isRandom(value);
  if (judge === "phrase") return !isSentence(value);
  if (judge === "mixed") return !isPlaceholder(value) && isNotAWord(value) && !/[({<[]|^https?:/.test(value);
  const decoded = Buffer.from(value, "base64").toString("latin1");
  if (judge === "basic")
    return /^[\x20-\x7e]{1,200}:[\x20-\x7e]/.test(decoded) || /[A-Z]\w*\d\w*[a-z]\w*[A-Z]/.test(value);
  return /key|pass|secret|token|auth|[A-Z_]{3}=/i.test(decoded) || isRandom(decoded);
}

function findGroups(text: string, pattern: RegExp, kind: string, spans: Span[]): void {
  for (const match of text.matchAll(pattern)) {
    const secret = match[1] ?? match[0];
    const from = match.index + match[0].length - secret.length;
    if (isRandom(secret)) spans.push({ from, to: from + secret.length, kind });
  }
}
