/** A text with the matches of a search marked. Ranges are in UTF-16 units, in order, without overlap. */
export function Marked({ text, ranges }: { text: string; ranges: readonly (readonly [number, number])[] }) {
  const pieces = [];
  let at = 0;
  for (const [from, to] of ranges) {
    if (from < at || to > text.length) continue;
    pieces.push(text.slice(at, from), <mark key={from}>{text.slice(from, to)}</mark>);
    at = to;
  }
  return (
    <>
      {pieces}
      {text.slice(at)}
    </>
  );
}
