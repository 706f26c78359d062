import { STOP_WORDS } from "../../../search/stop-words.ts";
import type { Passage, PastSession } from "../session.ts";

const MOST = 12;
const MOST_CONCEPTS = 5;
const MOST_CHARACTERS = 80;

/** Branch, tickets, files, and the words that the person used most: never one that is not there. */
export function tagsOf(
  session: PastSession,
  passages: readonly Passage[],
  edited: readonly string[],
): string[] {
  const asked = passages.filter(({ role, isCalls }) => role === "user" && !isCalls).map(({ text }) => text);
  const tags = [
    ...(session.branch === undefined ? [] : [`branch:${session.branch}`]),
    ...tickets(`${session.branch ?? ""}\n${asked.join("\n")}`),
    ...edited.slice(0, 3).map((path) => `file:${path}`),
    ...concepts(asked),
    session.host,
    ...(session.label === undefined ? [] : [session.label]),
  ];
  return [...new Set(tags.map((tag) => tag.slice(0, MOST_CHARACTERS).toWellFormed()))].slice(0, MOST);
}

function tickets(text: string): string[] {
  const keys = text.match(/\b[A-Z][A-Z0-9]{1,9}-\d{1,6}\b/g) ?? [];
  const numbers = [...text.matchAll(/(?:^|[\s(])#(\d{1,6})\b/g)].map(([, number]) => `#${number}`);
  return [...new Set([...keys, ...numbers])].slice(0, 3).map((one) => `ticket:${one}`);
}

function concepts(texts: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const text of texts) {
    // Once for each request: a pasted log says one word a thousand times.
    const words = new Set(
      text
        .slice(0, 4000)
        .toLowerCase()
        .match(/\p{L}[\p{L}\p{N}_-]{3,30}/gu) ?? [],
    );
    for (const word of words) if (!STOP_WORDS.has(word)) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return [...counts]
    .sort((a, b) => b[1] - a[1] || b[0].length - a[0].length || (a[0] < b[0] ? -1 : 1))
    .slice(0, MOST_CONCEPTS)
    .map(([word]) => word);
}
