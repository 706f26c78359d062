/**
 * The command that fixes something, by convention at the end of its text: `run: continuo sync`, or `to list all: continuo
 * sync`. It is shown as something to type, so a text that only mentions a command has none.
 */
export function commandIn(mend: string): string | undefined {
  return /(?:^|: )((?:continuo|claude) [\w ./@~=-]+)$/.exec(mend)?.[1];
}
