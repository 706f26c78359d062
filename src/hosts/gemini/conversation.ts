import { parseBounded } from "../../base/json.ts";
import type { Shows } from "../../moments/types.ts";
import { readAt, readText, withFile } from "../../store/read-file.ts";
import { type LineKind, shownIn } from "../shared/history/shown.ts";

export interface Conversation {
  readonly transcript: string;
  /** The user's settings file, then the project's. */
  readonly settings: readonly string[];
  /** A tool was just called, so the next request ends with its result rather than a prompt. */
  readonly isMidTurn: boolean;
}

/**
 * Whether the next request will contain this text, which was delivered at `since`. No event reports a compression:
 * `PreCompress` comes before every request. But the transcript always ends with the current conversation, and the
 * tokens of the last request show whether Gemini CLI will compress before the next one. Text delivered now is not
 * compressed. Until the model has answered, a text may be missing in the transcript.
 */
export function willHold(conversation: Conversation, text: string, since = 0): boolean {
  const lines = endOf(conversation.transcript);
  if (lines === "" || !hasAnsweredSince(lines, since)) return true;
  const history = currentHistory(lines);
  const at = history.lastIndexOf(asWritten(text));
  if (at === -1) return false;
  return !isCompressionDue(lines, conversation.settings) || isKept(history, at, conversation.isMidTurn);
}

const ANSWER = '","type":"gemini"';
const TIMESTAMP_LENGTH = "2026-11-15T21:34:27.440Z".length;

function hasAnsweredSince(lines: string, since: number): boolean {
  const at = lines.lastIndexOf(ANSWER);
  // An answer with an unreadable time counts as later, so that only the conversation decides.
  return since === 0 || (at !== -1 && !(Date.parse(lines.slice(at - TIMESTAMP_LENGTH, at)) <= since));
}

/** Gemini CLI uses this limit for every Gemini model. */
const TOKEN_LIMIT = 1_048_576;
const USUAL_THRESHOLD = 0.5;

function isCompressionDue(lines: string, settings: readonly string[]): boolean {
  const last = lines.lastIndexOf('"tokens":{"input":');
  const tokens = Number(/\d+/.exec(lines.slice(last, last + 60))?.[0] ?? 0);
  return last !== -1 && tokens >= thresholdIn(settings) * TOKEN_LIMIT;
}

/** Searched by its key, because the files may have comments. The project's setting overrides the user's. */
function thresholdIn(settings: readonly string[]): number {
  const found = settings.flatMap((file) => {
    const value = /"compressionThreshold"\s*:\s*([\d.eE+-]+)/.exec(settingsText(file))?.[1];
    return value === undefined ? [] : [Number(value)];
  });
  return found.at(-1) || USUAL_THRESHOLD;
}

const MAX_SETTINGS_BYTES = 1024 * 1024;

function settingsText(file: string): string {
  try {
    return readText(file, { maxBytes: MAX_SETTINGS_BYTES });
  } catch {
    return ""; // usual: most projects have no settings
  }
}

/**
 * Gemini CLI keeps the newest 30 % of a conversation that it compresses, starting at a prompt; in the middle of a turn
 * it keeps at least the last prompt and what follows. It measures differently, so this assumes slightly less.
 */
const KEPT_FROM = 0.75;

function isKept(history: string, at: number, isMidTurn: boolean): boolean {
  if (isMidTurn && at > history.lastIndexOf('"type":"user","content":[{"text"')) return true;
  return history.lastIndexOf('"type":"user"', at) >= history.length * KEPT_FROM;
}

/** Gemini writes angle brackets of hook context as entities. */
function asWritten(text: string): string {
  return text.replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

const REPLACING = '{"$set":{"messages":[';

/**
 * The part of the transcript from the last line that replaces all messages. A line with only one message is the
 * greeting of a process that just started. Searched backwards and without splitting the text, which may have many
 * megabytes while a tool call waits.
 */
export function currentHistory(transcript: string): string {
  let at = transcript.lastIndexOf(REPLACING);
  while (at > 0) {
    const end = transcript.indexOf("\n", at);
    const isLine = transcript[at - 1] === "\n";
    if (isLine && messagesIn(transcript.slice(at, end === -1 ? undefined : end)) > 1) break;
    at = transcript.lastIndexOf(REPLACING, at - 1);
  }
  return at > 0 ? transcript.slice(at) : transcript;
}

function messagesIn(line: string): number {
  try {
    const value = parseBounded(line) as { $set?: { messages?: unknown[] } } | null;
    return value?.$set?.messages?.length ?? 0;
  } catch {
    return 0; // a line that is still being written
  }
}

/** Longer than any current conversation; of a longer transcript only the end is read. */
const MAX_BYTES = 24 * 1024 * 1024;

function endOf(path: string): string {
  try {
    return withFile(path, ({ descriptor, stats: { size } }) => {
      const length = Math.min(size, MAX_BYTES);
      return readAt(descriptor, size - length, length).toString("utf8");
    });
  } catch {
    return ""; // a session has no transcript before its first message
  }
}

/** Lines begin with an id, the time and their type. A line with all messages is a copy. */
const MESSAGE = /^\{"id":"[^"]*","timestamp":"([^"]+)","type":"(user|gemini)"/;

/** Gemini CLI stores what hooks added for the model inside the prompt and the tool's result. */
export function shownInChat(path: string): Shows {
  return shownIn(path, {
    kindOf(line): LineKind | undefined {
      const type = MESSAGE.exec(line)?.[2];
      return type === undefined ? undefined : type === "user" ? "input" : "answer";
    },
    timeOf: (line) => Date.parse(MESSAGE.exec(line)?.[1] ?? "") || undefined,
    written: (text) => JSON.stringify(asWritten(text)).slice(1, -1),
  });
}
