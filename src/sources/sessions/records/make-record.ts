import { STOP_WORDS } from "../../../search/stop-words.ts";
import { redact } from "../../../store/redact.ts";
import { isOfAnySession } from "../indexing/telling.ts";
import type { Passage, PastSession } from "../session.ts";
import { EXTRACTED, EXTRACTION, type OwnRecord, type SessionRecord } from "./files.ts";
import { outlineOf } from "./outline.ts";
import { descriptionOf, summaryOf } from "./texts.ts";
import { ticketsIn } from "./tickets.ts";

interface Material {
  readonly session: PastSession;
  readonly passages: readonly Passage[];
  /** Last edited first. */
  readonly edited: readonly string[];
  readonly lastTurn: string;
  readonly parentFile: string | undefined;
}

/** Makes a record by extraction from the session. `before` is the record that it replaces. */
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
    ...(parentFile === undefined ? {} : { parentSessionFile: parentFile }),
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
      ...(session.branch === undefined ? {} : { branch: session.branch }),
      files: edited.slice(0, 50),
      made: EXTRACTION,
    },
  };
}

const MOST = 12;
const MOST_CONCEPTS = 5;
const MOST_CHARACTERS = 80;
/** More different words than a language commonly uses: the rest are not words. */
const MOST_WORDS = 20_000;
/** Tags from the session itself: branch, tickets, files, and the words that the person used most. */
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

/** The person's most frequent words, weighted by how often the whole session uses them. */
function concepts(asked: readonly string[], passages: readonly Passage[]): string[] {
  const used = timesIn(asked);
  const spoken = timesIn(passages.map(({ text }) => text));
  const weight = (word: string): number => (used.get(word) ?? 0) * Math.log2(1 + (spoken.get(word) ?? 0));
  return [...used.keys()]
    .sort((a, b) => weight(b) - weight(a) || b.length - a.length || (a < b ? -1 : 1))
    .slice(0, MOST_CONCEPTS);
}

/** Each text counts a word once: a pasted log repeats one a thousand times. */
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
