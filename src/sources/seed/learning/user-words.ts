import type { History, TranscriptReader } from "../../../moments/ports/history.ts";
import type { ToolContext } from "../../../moments/ports/tool.ts";
import type { Turn } from "../../../moments/ports/turn.ts";
import { statFile } from "../../../store/read-file.ts";
import { normalise } from "../text.ts";
import type { SessionTranscript } from "./extraction/extract.ts";
import { isPersons, ownSentences, QUOTED } from "./extraction/own-sentences.ts";

/** Whether the user typed a quotation in this session, and where it comes from if not. */
export type Quoted =
  | {
      readonly by: "user";
      readonly turn: string;
      /** The whole sentences that it is from: a part of one may say the opposite. */
      readonly sentences: string;
      readonly saidAt?: number;
    }
  | { readonly by: "tool" | "model" | "pasted" | "injected" | "nobody" | "unread" };

/** A transcript that takes longer is not read to its end. */
const READING_MS = 2000;
const MAX_LINE_BYTES = 1024 * 1024;

/** The transcript of the session that calls a tool; undefined if its host has none that can be read. */
export function transcriptOf(
  { session, cwd, env, transcript }: Pick<ToolContext, "session" | "cwd" | "env" | "transcript">,
  history: History,
): SessionTranscript | undefined {
  const reader = history.get(session.host);
  if (reader === undefined) return undefined;
  const found = transcript === undefined ? undefined : statFile(transcript);
  if (transcript !== undefined && found !== undefined)
    return { reader, file: { host: session.host, id: session.id, path: transcript, cwd, ...found } };
  return ofSession(reader, session.id, env);
}

function ofSession(
  reader: TranscriptReader,
  id: string,
  env: NodeJS.ProcessEnv,
): SessionTranscript | undefined {
  const file = reader.discover(env).find((one) => one.id === id && one.parent === undefined);
  return file === undefined ? undefined : { reader, file };
}

/** Looks for a quotation: case, white space, punctuation and kinds of quotation marks do not matter. */
export function findQuote(
  { reader, file }: SessionTranscript,
  quotation: string,
  isCancelled: () => boolean = () => false,
): Quoted {
  const wanted = normalise(quotation);
  const until = Date.now() + READING_MS;
  const isOver = () => Date.now() > until || isCancelled();
  const reading = reader.read(file, { maxLineBytes: MAX_LINE_BYTES, isOver });
  let other: Quoted = { by: "nobody" };
  for (const turn of reading) {
    const by = whose(turn, wanted);
    if (by === "user")
      return {
        by,
        turn: turn.id,
        sentences: sentencesAround(turn, wanted),
        ...(turn.at === undefined ? {} : { saidAt: turn.at }),
      };
    if (by !== undefined && other.by === "nobody") other = { by };
  }
  return other.by === "nobody" && reading.report().isCut === true ? { by: "unread" } : other;
}

function whose(turn: Turn, wanted: string): Quoted["by"] | undefined {
  if (isPersons(turn) && ownParts(turn).some((part) => holds(part, wanted))) return "user";
  if (turn.injected !== undefined && holds(turn.injected, wanted)) return "injected";
  if (!holds(turn.text, wanted)) return undefined;
  if (turn.role === "assistant") return "model";
  if (turn.role === "tool") return "tool";
  return isPersons(turn) ? "pasted" : "injected";
}

/** The sentences of the user that hold the quotation; all of them if it is from several. */
function sentencesAround(turn: Turn, wanted: string): string {
  const sentences = ownSentences(turn).map(({ text }) => text);
  return sentences.find((text) => holds(text, wanted)) ?? sentences.join(" ");
}

/** What the user typed, without what they pasted or quoted. Nothing is found across a part that was left out. */
function ownParts(turn: Turn): string[] {
  const parts: string[] = [];
  let text = "";
  let masked = "";
  for (const sentence of ownSentences(turn)) {
    text += `${sentence.text} `;
    masked += `${sentence.masked} `;
  }
  let from = 0;
  for (const gap of masked.matchAll(new RegExp(`${QUOTED}+`, "g"))) {
    parts.push(text.slice(from, gap.index));
    from = gap.index + gap[0].length;
  }
  return [...parts, text.slice(from)];
}

function holds(text: string, wanted: string): boolean {
  return ` ${normalise(text)} `.includes(isWord(wanted) ? ` ${wanted} ` : wanted);
}

/** Scripts without spaces have no ends of words to compare. */
function isWord(text: string): boolean {
  return !/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]/u.test(text);
}
