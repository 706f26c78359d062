import { STOP_WORDS } from "../../../search/words.ts";
import { redact } from "../../../store/redact.ts";
import { isOfAnySession } from "../indexing/telling.ts";
import type { Passage, PastSession } from "../session.ts";
import { EXTRACTED, EXTRACTION, type OwnRecord, type SessionRecord } from "./files.ts";
import { outlineOf } from "./outline.ts";
import { descriptionOf, summaryOf } from "./texts.ts";

interface Material {
  readonly session: PastSession;
  readonly passages: readonly Passage[];
  /** Last edited first. */
  readonly edited: readonly string[];
  readonly lastTurn: string;
  readonly parentFile: string | undefined;
}

/** Makes a record by extraction from the session. `before`: the record that it replaces. */
export function makeRecord(
  { session, passages, edited, lastTurn, parentFile }: Material,
  before: SessionRecord | undefined,
  now: number,
): OwnRecord {
  const outline = outlineOf(passages, edited);
  const at = new Date(now).toISOString();
  return {
    schemaVersion: 1,
    sessionId: session.id,
    sessionFile: session.path,
    parentSessionFile: parentFile,
    name: session.name,
    description: redact(descriptionOf(session, outline)),
    summary: redact(summaryOf(outline)) || "Nothing was said.",
    tags: tagsOf(session, passages, edited),
    cwd: session.cwd ?? "",
    createdAt: before?.createdAt ?? at,
    updatedAt: at,
    model: EXTRACTED,
    lastIndexedLeafId: lastTurn,
    continuo: {
      host: session.host,
      namedBy: session.namedBy,
      branch: session.branch,
      files: edited.slice(0, 50),
      made: EXTRACTION,
    },
  };
}

const MOST = 12;
const MOST_CONCEPTS = 5;
const MOST_CHARACTERS = 80;
/** More different words than a language commonly uses: further ones are not words. */
const MOST_WORDS = 20_000;
/** Tags from the session itself: branch, tickets, files, and the user's most frequent words. */
export function tagsOf(
  session: PastSession,
  passages: readonly Passage[],
  edited: readonly string[],
): string[] {
  const asked = passages.filter(({ role, isCalls }) => role === "user" && !isCalls).map(({ text }) => text);
  const tags = [
    ...(session.branch === undefined ? [] : [`branch:${session.branch}`]),
    ...ticketsIn(session.branch ?? "", `${session.name}\n${asked.join("\n")}`).map((one) => `ticket:${one}`),
    ...edited.slice(0, 3).map((path) => `file:${path}`),
    ...concepts(asked, passages),
    session.host,
    ...(session.label === undefined ? [] : [session.label]),
  ];
  return [...new Set(tags.map((tag) => tag.slice(0, MOST_CHARACTERS).toWellFormed()))].slice(0, MOST);
}

/** The user's most frequent words, weighted by their frequency in the whole session. */
function concepts(asked: readonly string[], passages: readonly Passage[]): string[] {
  const used = timesIn(asked);
  const spoken = timesIn(passages.map(({ text }) => text));
  const weight = (word: string): number => (used.get(word) ?? 0) * Math.log2(1 + (spoken.get(word) ?? 0));
  return [...used.keys()]
    .sort((a, b) => weight(b) - weight(a) || b.length - a.length || (a < b ? -1 : 1))
    .slice(0, MOST_CONCEPTS);
}

/** Counts a word once per text, because a pasted log may repeat one a thousand times. */
function timesIn(texts: readonly string[]): Map<string, number> {
  const times = new Map<string, number>();
  for (const text of texts) {
    const words = new Set(
      text
        .slice(0, 4000)
        .toLowerCase()
        .match(/\p{L}[\p{L}\p{N}_-]{3,}/gu)
        ?.filter(({ length }) => length <= 40) ?? [],
    );
    for (const word of words)
      if (!STOP_WORDS.has(word) && !isOfAnySession(word)) {
        const before = times.get(word);
        if (before !== undefined || times.size < MOST_WORDS) times.set(word, (before ?? 0) + 1);
      }
  }
  return times;
}

const MOST_TICKETS = 3;
/** Words before a number that look like a ticket's key: encodings, hashes, standards, models, protocols. */
const NO_TRACKER =
  /^(?:utf|ucs|sha|md|aes|rsa|hs|rs|es|ecma|iso|iec|ieee|rfc|pep|din|ansi|cp|win|gpt|llama|qwen|http|tls|ssl|usb|ipv|base|x|h|hdmi|ddr|arm|cortex|covid|top|part|step|phase|task|fix|test|tests|version|round|take|try|attempt|draft|day|week|chapter|section|option|level|tier|node|python|java|php|go|rc|alpha|beta|review|feature|agent|session|chunk|line|lines|stage|wave|batch|sprint)$/i;
const KEY = /\b([A-Z][A-Z0-9]{1,9})-(\d{1,6})\b/g;
/** In a branch and after the name of a tracker, keys are often in lower case. */
const SMALL_IN_BRANCH = /(?:^|[/_-])([a-z][a-z0-9]{1,9})-(\d{1,6})(?=[/_-]|$)/gi;
const SMALL_IN_TEXT =
  /\b(?:linear|jira|youtrack|shortcut|ticket|issue|story|tracker)[\s:]+([a-z][a-z0-9]{1,9})-(\d{1,6})\b/gi;
/** Six digits are a colour. */
const NUMBER = /(?:^|[\s(])#(\d{1,5})\b/g;
/** Smaller numbers are list positions, unless a word says otherwise. */
const LEAST_NUMBER = 10;
const NUMBERED =
  /\b(?:issue|issues|ticket|bug report|pr|pull request|mr|closes?|closed|fix(?:es|ed)?|resolves?|refs?|see)[\s:]+#(\d{1,5})\b/gi;

/** The tickets, issues and pull requests in a session: those in its branch, then the most frequently mentioned ones. */
export function ticketsIn(branch: string, text: string): string[] {
  const times = new Map<string, number>();
  const count = (key: string, weight = 1): void => void times.set(key, (times.get(key) ?? 0) + weight);
  const countKeys = (where: string, pattern: RegExp, weight = 1): void => {
    for (const [, tracker = "", number = ""] of where.matchAll(pattern))
      if (!NO_TRACKER.test(tracker)) count(`${tracker.toUpperCase()}-${number}`, weight);
  };
  countKeys(branch, SMALL_IN_BRANCH, 1000);
  countKeys(text, KEY);
  countKeys(text, SMALL_IN_TEXT);
  for (const [, number = ""] of text.matchAll(NUMBER))
    if (Number(number) >= LEAST_NUMBER) count(`#${number}`);
  for (const [, number = ""] of text.matchAll(NUMBERED))
    if (Number(number) < LEAST_NUMBER) count(`#${number}`);
  return [...times]
    .sort(([, a], [, b]) => b - a)
    .slice(0, MOST_TICKETS)
    .map(([key]) => key);
}
