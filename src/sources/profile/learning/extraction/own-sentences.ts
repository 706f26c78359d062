import { wordsOf } from "../../../../moments/own-words.ts";
import type { Turn } from "../../../../moments/ports/turn.ts";

/** One sentence that the user typed. */
export interface Sentence {
  readonly text: string;
  /** As long as the text, with code and quotations masked, because they are not the user's own words. */
  readonly masked: string;
  /** Whether it is a list item. Most lists specify a task. */
  readonly isListed: boolean;
}

/** These replace each character of code, and of a quotation, in `masked`. */
export const CODE = "\u0001";
export const QUOTED = "\u0002";

/** Longer prompts are specifications, plans and pasted reviews, whatever words they contain. */
const MAX_PROMPT = 2000;

/** A line of at least this length was wrapped if the next line continues in lower case. */
const WRAPPED_AT = 60;

/** Whether the user wrote this turn, to the agent of this session. */
export function isPersons({ role, marks }: Turn): boolean {
  return (
    role === "user" &&
    !(marks.injected || marks.machineMade || marks.sidechain || marks.copied || marks.otherBranch) &&
    !(marks.compaction || marks.error)
  );
}

/** The sentences that the user typed in this turn, without what they pasted, quoted or wrote as code. */
export function ownSentences(turn: Turn): Sentence[] {
  if (!isPersons(turn)) return [];
  const { own } = wordsOf(turn.text);
  if (own.length > MAX_PROMPT || DOCUMENT.test(own)) return [];
  return linesOf(own).flatMap(({ text, isListed }) => sentencesOf(text, isListed));
}

/**
 * Texts with headings, prompts that hosts write in the user's role, commands with arguments, and anything that begins
 * with a tag.
 */
const DOCUMENT =
  /^\s*(?:<|\/[a-z]|\[|Implement the following plan\b|This session is being continued\b|Base directory for this skill\b|Caveat: |Operation stopped by hook\b|System: )|^ {0,3}#{1,6} \S|^(?:={3,}|-{3,})\s*$/im;

/** A line that introduces another person's or program's words. */
const INTRODUCES =
  /\b(?:said|says|wrote|writes|comments?|commented|feedback|review|message|errors?|output|logs?|prompt|docs?|email|slack|issue|ticket|this|following|suggest(?:ed|s|ion)|got|get|see|reads?|replied|from)\b[^.!?]{0,40}:\s*$/i;

/** The same in other languages. */
const INTRODUCES_ELSEWHERE =
  /(?:sagte?|schrieb|schreibt|meinte?|kommentar|fehler|ausgabe|meldung|dit|écrit|commentaire|erreur|sortie|dice|dijo|escribió|comentario|salida|diz|disse|escreveu|comentário|erro|saída|mensaje|message|mensagem|nachricht)[^.!?]{0,40}:\s*$|(?:auszug|zitat|laut|extrait|citation|extracto|cita|trecho|citação)[^.!?]{0,40}:\s*$|(?:一段|原文|如下|写着|寫著|规定|手册|摘录|抜粋|引用|以下|说|說|写道|评论|評論|报错|输出|消息|言った|コメント|エラー|出力|メッセージ)[^。！？]{0,20}[:：]\s*$/i;

/** Code, tables, listings and terminal output. */
const NOT_PROSE =
  /^(?:\t| {4})|^\s*(?:[|│├└┌╭╰•●✓✗❯$+@]|>|-{2,}|\/\/|#|\*\*)|[{};│]\s*$|^\s*[\w./-]+:\d+|^\s*\S+\s*=\s*\S/;

function linesOf(own: string): { text: string; isListed: boolean }[] {
  const lines: { text: string; isListed: boolean }[] = [];
  let isOpen = false;
  for (const line of own.split("\n")) {
    // A multi-line quotation: all of its lines are skipped, including the first and the last.
    const opens = (line.match(/"/g)?.length ?? 0) % 2 === 1;
    if (opens) isOpen = !isOpen;
    if (isOpen || opens || line.trim() === "" || NOT_PROSE.test(line)) continue;
    if (INTRODUCES.test(line) || INTRODUCES_ELSEWHERE.test(line)) break;
    const point = /^\s*(?:[-*]|\(?\d{1,2}[.)])\s+/.exec(line)?.[0];
    const last = lines.at(-1);
    if (point === undefined && last !== undefined && last.text.length >= WRAPPED_AT && /^[a-z]/.test(line)) {
      lines[lines.length - 1] = { ...last, text: `${last.text} ${line.trim()}` };
    } else lines.push({ text: line.slice(point?.length ?? 0).trim(), isListed: point !== undefined });
  }
  return lines;
}

function sentencesOf(line: string, isListed: boolean): Sentence[] {
  const masked = mask(line);
  const sentences: Sentence[] = [];
  let from = 0;
  const add = (to: number) => {
    const text = line.slice(from, to).trimEnd();
    if (text !== "") sentences.push({ text, masked: masked.slice(from, from + text.length), isListed });
  };
  // "No! Use the other": the "no" belongs to what follows.
  for (const end of masked.matchAll(
    /(?<!\b(?:e\.g|i\.e|vs|etc|z\.b|p\. ?ex|bzw|ca)|^(?:no|nope|wrong|nein|non))[.!?]+["')»”]*\s+|[。！？]+[」』”）)]*\s*/gi,
  )) {
    add(end.index + end[0].length);
    from = end.index + end[0].length;
  }
  add(line.length);
  return sentences;
}

/** Masks code between backticks, and quotations of three words or more: a shorter one is a name for something. */
function mask(line: string): string {
  const quoted = (whole: string) =>
    /\S\s+\S+\s+\S|[\u3040-\u9fff]{5}/.test(whole) ? QUOTED.repeat(whole.length) : whole;
  return line
    .replace(/`+[^`]*(?:`+|$)/g, (code) => CODE.repeat(code.length))
    .replace(/"[^"]*"|“[^”]*(?:”|$)|«[^»]*(?:»|$)|„[^“”]*(?:[“”]|$)/g, quoted)
    .replace(/「[^」]{5,}(?:」|$)|『[^』]{5,}(?:』|$)/g, (whole) => QUOTED.repeat(whole.length))
    .replace(/(?<=^|[\s(:])['‘].+?['’](?=$|[\s.,;:!?)])/g, quoted);
}
