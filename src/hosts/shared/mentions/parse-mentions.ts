/** Longer than any file's path. */
const MAX_PATH = 4096;

const QUOTED = new RegExp(`"([^"\\r\\n]{1,${MAX_PATH}})"`, "y");
const BARE = new RegExp(`\\S{1,${MAX_PATH}}`, "y");

/**
 * The mentions in a prompt, in order: for each `@src/cart.ts`, `@"a path with spaces"` or `@src/cart.ts#L1-10` the
 * paths that it may mean, the most exact first. Does not check whether they are files. An `@` inside a word is not a
 * mention. Takes linear time for any prompt.
 */
export function* mentionsIn(prompt: string): Generator<readonly string[]> {
  let next = 0;
  for (let at = prompt.indexOf("@"); at !== -1; at = prompt.indexOf("@", next)) {
    const quoted = matchAt(QUOTED, prompt, at + 1);
    const [bare = ""] = quoted ?? matchAt(BARE, prompt, at + 1) ?? [];
    next = at + 1 + bare.length;
    // `@@name` is a reference to a past session.
    if (!/\s/.test(prompt[at - 1] ?? " ") || bare === "" || bare.startsWith("@")) continue;
    yield quoted?.[1] === undefined ? readings(bare) : [quoted[1]];
  }
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/** As written; without the sentence's punctuation; without the line numbers. */
function readings(written: string): string[] {
  let end = written.length;
  while (end > 0 && !/\w/.test(written[end - 1] ?? "")) end--;
  const path = written.slice(0, end);
  const lines = path.lastIndexOf("#");
  const file = lines === -1 ? path : path.slice(0, lines);
  return [...new Set([written, path, file])].filter((one) => one !== "");
}
