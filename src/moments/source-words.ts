/** What people call a source whose name is older than the words in the help. */
const WORDS: Readonly<Record<string, string>> = { memory: "notes", seed: "profile", context: "sets" };

export function sourceWord(source: string): string {
  return WORDS[source] ?? source;
}

/** The source that somebody means, by its name or by its word. */
export function sourceCalled(said: string, sources: readonly string[]): string | undefined {
  return sources.find((name) => name === said) ?? sources.find((name) => sourceWord(name) === said);
}
