/** Enough for a few sessions that work at the same time. */
const MOST_TEXTS = 8;
/** Larger states are rare, and are parsed each time. */
const MOST_CHARACTERS = 256 * 1024;

const known = new Map<string, { readonly text: string; readonly value: unknown }>();

/**
 * The result of `parse` for the text of this file, cached. A moment reads its session's state several times, and
 * usually finds the same text. Comparing the texts detects changes by any process. Callers share the result, so they
 * must not change it.
 */
export function parseOnce<T>(path: string, text: string, parse: (text: string) => T): T {
  const before = known.get(path);
  if (before?.text === text) return before.value as T;
  const value = parse(text);
  known.delete(path); // moved to the end: the first is the least recently used
  if (text.length <= MOST_CHARACTERS) known.set(path, { text, value });
  const [oldest] = known.keys();
  if (known.size > MOST_TEXTS && oldest !== undefined) known.delete(oldest);
  return value;
}
