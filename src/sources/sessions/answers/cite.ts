import { attribute, quote } from "../../../compose/escape.ts";
import { stretchOf } from "../../../search/passages.ts";
import { termsOf } from "../../../search/words.ts";
import { oneLine } from "../labels.ts";
import type { Passage } from "../session.ts";
import type { Citation } from "./quotes.ts";

/** What a model says that an answer comes from; it may be anything. */
export interface Claim {
  readonly entryId: string;
  readonly excerpt: string;
}

export interface Checked {
  /** Turns that are there, with their own words. */
  readonly citations: readonly Citation[];
  /** How many turns are not there. */
  readonly invented: number;
  /** How many excerpts do not stand in the turn that was named; the turn's own words are cited instead. */
  readonly misquoted: number;
}

const MOST_CITED = 8;
const LONGEST_EXCERPT = 280;
/** A shorter excerpt is shown with the words around it. */
const SHORT_EXCERPT = 40;

/** Holds a model's claims against the session. What is cited are never the model's words: they only say where to look. */
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

/** By their ids as a model was shown them. */
function turnsIn(passages: readonly Passage[]): Map<string, CitedTurn> {
  const turns = new Map<string, CitedTurn>();
  for (const { turn, role, time, text, isCalls, isLeft } of passages) {
    const id = attribute(turn);
    const before = turns.get(id);
    turns.set(id, {
      head: before?.head ?? {
        entryId: turn,
        role,
        ...(time !== undefined && { at: time }),
        ...(isLeft && { isLeft }),
      },
      // The passages of what was said are one text again.
      text: `${before?.text ?? ""}${isCalls ? "\n" : ""}${quote(text)}`,
    });
  }
  return turns;
}

/**
 * The words of an excerpt as they stand in a text: other signs, spaces and cases than there make no difference, and of an
 * excerpt with something left out the longest part counts. undefined when they do not stand there.
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
  // A sentence is shown with the sign that ends it.
  const sign = /^[^\p{L}\p{N}\p{M}\s]{0,3}/u.exec(text.slice(last.to))?.[0] ?? "";
  return text.slice(from.from, last.to) + sign;
}

function wordsIn(text: string): { readonly word: string; readonly from: number; readonly to: number }[] {
  return [...text.matchAll(/[\p{L}\p{N}\p{M}]+/gu)].map(({ 0: word, index }) => ({
    word: word.toLowerCase(),
    from: index,
    to: index + word.length,
  }));
}
