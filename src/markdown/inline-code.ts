/**
 * Replaces code between backticks by spaces, so that offsets stay the same. As in CommonMark, a run of backticks is
 * closed by the next run of the same length, a backslash outside code escapes the first backtick, and a run that is
 * never closed is text.
 */
export function blankInlineCode(text: string): string {
  if (!text.includes("`")) return text;
  const runs = [...text.matchAll(/`+/g)].map((run) => ({ from: run.index, length: run[0].length }));
  // For every run, the next run of the same length: computed backwards, so that each run is visited once.
  const closing = new Array<number | undefined>(runs.length);
  const lastOfLength = new Map<number, number>();
  for (let i = runs.length - 1; i >= 0; i--) {
    const { length = 0 } = runs[i] ?? {};
    closing[i] = lastOfLength.get(length);
    lastOfLength.set(length, i);
  }
  const parts: string[] = [];
  let done = 0;
  for (let i = 0; i < runs.length; i++) {
    const run = runs[i];
    // An escaped run lacks its first backtick. What remains rarely opens code, so it is treated as text.
    if (run === undefined || isEscaped(text, run.from, done)) continue;
    const end = closing[i];
    const close = end === undefined ? undefined : runs[end];
    if (end === undefined || close === undefined) continue;
    const after = close.from + close.length;
    parts.push(text.slice(done, run.from), " ".repeat(after - run.from));
    done = after;
    i = end;
  }
  return parts.join("") + text.slice(done);
}

function isEscaped(text: string, at: number, from: number): boolean {
  let slashes = 0;
  while (at - slashes > from && text[at - slashes - 1] === "\\") slashes++;
  return slashes % 2 === 1;
}
