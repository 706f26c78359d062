/** What users call a source whose name in the code differs from the word in the help. */
const WORDS: Readonly<Record<string, string>> = { memory: "notes", seed: "profile", context: "sets" };

export function sourceWord(source: string): string {
  return WORDS[source] ?? source;
}

/** The source with this name or word. */
export function sourceCalled(said: string, sources: readonly string[]): string | undefined {
  return sources.find((name) => name === said) ?? sources.find((name) => sourceWord(name) === said);
}
