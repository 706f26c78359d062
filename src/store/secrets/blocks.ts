import type { Span } from "./spans.ts";

const BEGIN = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
const END = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
/** One line of a key, with an indent, quotes, comment characters or escaped line breaks around it. */
const LINE =
  /(?:[\s"'`+,>|#*]|\/\/|\\+[nrt"])*(?:(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset|Content-\w{2,20}): [^\n\\]{0,120}|[A-Za-z0-9+/=]{4,4000}(?=[\s"'`,\\<]|$))/y;
const LEAST = 6;
const PUTTY = /\bPrivate-Lines: \d{1,4}\r?\n(?:[A-Za-z0-9+/=]{1,100}\r?\n?){1,400}/g;

/** Private keys from the first line to the last. Of a truncated key, every remaining line. */
export function findBlocks(text: string, spans: Span[]): void {
  if (text.includes("Private-Lines:")) {
    for (const { index, 0: found } of text.matchAll(PUTTY)) {
      spans.push({ from: index + "Private-Lines: ".length, to: index + found.length, kind: "private-key" });
    }
  }
  if (!text.includes("PRIVATE KEY")) return;
  const ends = [...text.matchAll(END)];
  let next = 0;
  let done = 0;
  for (const { index, 0: found } of text.matchAll(BEGIN)) {
    const body = index + found.length;
    if (body <= done) continue;
    while (next < ends.length && (ends[next]?.index ?? 0) < body) next++;
    const end = ends[next];
    const isWhole =
      end !== undefined && end.index - body < 20_000 && !text.slice(body, end.index).includes("-----B");
    const last = isWhole ? end.index : afterLines(text, body);
    if (text.slice(body, last).replace(/[^A-Za-z0-9+/=]/g, "").length < LEAST) continue;
    done = isWhole ? end.index + end[0].length : last;
    spans.push({ from: index, to: done, kind: "private-key" });
  }
  // The end of a key whose beginning is missing.
  for (const { index, 0: found } of ends) {
    if (index < done) continue;
    const from = beforeLines(text, Math.max(done, index - 20_000), index);
    if (from < index) spans.push({ from, to: index + found.length, kind: "private-key" });
    done = index + found.length;
  }
}

/** Where consecutive lines of a key end. */
export function afterLines(text: string, from: number): number {
  let to = from;
  for (let lines = 0; lines < 2000; lines++) {
    LINE.lastIndex = to;
    const line = LINE.exec(text);
    if (line === null) break;
    to = LINE.lastIndex;
  }
  return to;
}

function beforeLines(text: string, least: number, to: number): number {
  const lines = text.slice(least, to).split("\n");
  let from = to;
  for (let at = lines.length - 1; at >= 0; at--) {
    const line = lines[at] as string;
    const isOfKey =
      /^\s*[A-Za-z0-9+/=]{16,}\s*$/.test(line) || (at === lines.length - 1 && line.trim() === "");
    if (!isOfKey && !(at >= lines.length - 3 && /^\s*[A-Za-z0-9+/=]{2,}\s*$/.test(line))) break;
    from -= line.length + (at === 0 ? 0 : 1);
  }
  return Math.max(least, from);
}
