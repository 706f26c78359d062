/** A range of a text that is a secret. */
export interface Span {
  readonly from: number;
  readonly to: number;
  readonly kind: string;
}

/** Overlapping spans become one, with the kind of the first. */
export function replaceSpans(
  text: string,
  spans: readonly Span[],
  replacement: (secret: string, kind: string) => string,
): string {
  const sorted = [...spans].sort((a, b) => a.from - b.from || b.to - a.to);
  const parts: string[] = [];
  let done = 0;
  for (let at = 0; at < sorted.length; ) {
    const { from, kind } = sorted[at] as Span;
    let to = from;
    for (; at < sorted.length && ((sorted[at] as Span).from < to || to === from); at++) {
      to = Math.max(to, (sorted[at] as Span).to);
    }
    parts.push(text.slice(done, from), replacement(text.slice(from, to), kind));
    done = to;
  }
  parts.push(text.slice(done));
  return parts.join("");
}

const LEAST = 6;

/** Drops what was already redacted. A span that contains such a mark and more is extended to the whole mark. */
export function withoutMarks(text: string, spans: Span[]): Span[] {
  if (spans.length === 0 || !text.includes("[redacted:")) return spans;
  const marks = [...text.matchAll(/\[redacted:[\w-]{1,40}\]/g)].map(
    ({ index, 0: mark }) => [index, index + mark.length] as const,
  );
  const sorted = [...spans].sort((a, b) => a.from - b.from);
  let first = 0;
  return sorted.flatMap((span) => {
    while (first < marks.length && (marks[first]?.[1] ?? 0) <= span.from) first++;
    let { from, to } = span;
    let own = to - from;
    for (let at = first; at < marks.length && (marks[at]?.[0] ?? 0) < span.to; at++) {
      const [begin, end] = marks[at] ?? [0, 0];
      own -= Math.min(end, span.to) - Math.max(begin, span.from);
      from = Math.min(from, begin);
      to = Math.max(to, end);
    }
    return own < Math.min(LEAST, span.to - span.from) ? [] : [{ ...span, from, to }];
  });
}
