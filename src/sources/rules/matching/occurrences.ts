/** Below this JavaScript's own search cannot become slow: at worst it compares this many characters at each place. */
const SHORT = 32;

/**
 * Where a text holds another one, in time linear in both. JavaScript's search is quick on ordinary texts, and takes the
 * product of the lengths for a long word of equal letters in a long text of them.
 */
export function* occurrences(text: string, word: string): Generator<number> {
  if (word.length <= SHORT) {
    for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) yield at;
    return;
  }
  // Knuth, Morris, Pratt: how much of the word's beginning is still matched when the next character is another.
  const fallback = new Int32Array(word.length);
  for (let i = 1, matched = 0; i < word.length; i++) {
    while (matched > 0 && word[i] !== word[matched]) matched = fallback[matched - 1] ?? 0;
    if (word[i] === word[matched]) matched++;
    fallback[i] = matched;
  }
  for (let i = 0, matched = 0; i < text.length; i++) {
    while (matched > 0 && text[i] !== word[matched]) matched = fallback[matched - 1] ?? 0;
    if (text[i] === word[matched]) matched++;
    if (matched < word.length) continue;
    yield i - word.length + 1;
    matched = fallback[matched - 1] ?? 0;
  }
}

export function holdsText(text: string, word: string): boolean {
  return word.length <= SHORT ? text.includes(word) : occurrences(text, word).next().done !== true;
}
