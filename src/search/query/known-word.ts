import { wordOf } from "../words.ts";

/**
 * Words of developers that the table of meaning does not have as one piece, by stem, and that are one edit from a common
 * one: "login" is not "logic".
 */
const DEVELOPERS: ReadonlySet<string> = new Set(
  `append async compaction config const constructor decode delete diff discard embed encode facet helper indent
  initialize iterate linter lint loader locale logger login logout middleware mutex normalise normalize notify param parse
  parser payload posix preact readme rebase redact refactor regex rewind rewrite rewritten schema sharded simplify stash
  stderr stdin stdout struct subagent summarise summarize todo tuple uncommitted unref watcher webhook wrapper`
    .split(/\s+/)
    .map((word) => wordOf(word).term),
);

/**
 * Whether a word exists in any form: "cloned" and "cloning" do if `isWord` knows "clone". Its stem is what Porter leaves,
 * which misses an "e" or has an "i" for a "y".
 */
export function isKnownWord(word: string, isWord: (word: string) => boolean): boolean {
  const { term } = wordOf(word);
  const bases = [word, term, `${term}e`, ...(term.endsWith("i") ? [`${term.slice(0, -1)}y`] : [])];
  return DEVELOPERS.has(term) || bases.some(isWord);
}
