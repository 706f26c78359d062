import { attribute, quote } from "../../../compose/escape.ts";
import { stretchOf } from "../../../search/passages.ts";
import { termsOf } from "../../../search/words.ts";
import { oneLine } from "../labels.ts";
import type { Citation } from "../quotes.ts";
import type { Passage } from "../session.ts";

/** A citation claimed by a model; it may be anything. */
export interface Claim {
  readonly entryId: string;
  readonly excerpt: string;
}

interface Checked {
  /** Turns that exist, with their own words. */
  readonly citations: readonly Citation[];
  /** How many cited turns do not exist. */
  readonly invented: number;
  /** How many excerpts are not in the cited turn; the turn's own words are cited instead. */
  readonly misquoted: number;
}

const MOST_CITED = 8;
const LONGEST_EXCERPT = 280;
/** A shorter excerpt is shown with the words around it. */
const SHORT_EXCERPT = 40;

/**
 * Checks a model's claims against the session. A citation never contains the model's words: they only say where to
 * look.
 */
export function checkClaims(claims: readonly Claim[], passages: readonly Passage[]): Checked {
  const turns = turnsIn(passages);
  const cited = new Map<string, Citation>();
  let invented = 0;
  let misquoted = 0;
  for (const { entryId, excerpt } of claims.slice(0, MOST_CITED)) {
    const turn = turns.get(entryId.trim());
    if (turn === undefined) {
      invented++;
      continue;
    }
    const there = wordsThere(turn.text, excerpt);
    if (there === undefined) misquoted++;
    const shown =
      there !== undefined && there.length >= SHORT_EXCERPT
        ? there
        : stretchOf(turn.text, new Set(termsOf(excerpt)), LONGEST_EXCERPT - 4);
    const citation = { ...turn.head, excerpt: oneLine(shown, LONGEST_EXCERPT) };
    cited.set(`${citation.entryId} ${citation.excerpt}`, citation);
  }
  return { citations: [...cited.values()], invented, misquoted };
}

interface CitedTurn {
  readonly head: Omit<Citation, "excerpt">;
  readonly text: string;
}

/** By id, as shown to the model. */
function turnsIn(passages: readonly Passage[]): Map<string, CitedTurn> {
  const turns = new Map<string, CitedTurn>();
  for (const { turn, role, time, text, isCalls, isLeft } of passages) {
    const id = attribute(turn);
    const before = turns.get(id);
    turns.set(id, {
      head: before?.head ?? {
        entryId: turn,
        role,
        at: time,
        ...(isLeft && { isLeft }),
      },
      // The passages of one turn become one text again.
      text: `${before?.text ?? ""}${isCalls ? "\n" : ""}${quote(text)}`,
    });
  }
  return turns;
}

/**
 * The words of an excerpt as they are in the text; undefined if they are not there. Ignores punctuation, spaces and
 * case; for an excerpt with omissions, its longest part counts.
 */
function wordsThere(text: string, excerpt: string): string | undefined {
  const parts = excerpt.slice(0, 2 * LONGEST_EXCERPT).split(/…|\.\.\.|\[redacted:[\w-]+\]/);
  const wanted = parts
    .map((part) => wordsIn(part).map(({ word }) => word))
    .reduce((longest, some) => (some.join("").length > longest.join("").length ? some : longest), []);
  const words = wordsIn(text);
  if (wanted.length === 0) return undefined;
  const first = words.findIndex((_, at) => wanted.every((word, i) => words[at + i]?.word === word));
  const [from, last] = [words[first], words[first + wanted.length - 1]];
  if (from === undefined || last === undefined) return undefined;
  // Includes the punctuation that ends the sentence.
  const punctuation = /^[^\p{L}\p{N}\p{M}\s]{0,3}/u.exec(text.slice(last.to))?.[0] ?? "";
  return text.slice(from.from, last.to) + punctuation;
}

function wordsIn(text: string): { readonly word: string; readonly from: number; readonly to: number }[] {
  return [...text.matchAll(/[\p{L}\p{N}\p{M}]+/gu)].map(({ 0: word, index }) => ({
    word: word.toLowerCase(),
    from: index,
    to: index + word.length,
  }));
}
