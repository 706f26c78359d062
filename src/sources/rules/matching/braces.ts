/**
 * Brace expansion of a glob. The size of the expansion is computed first, because a few braces can stand for millions
 * of patterns.
 */
type Part = string | Range | readonly Sequence[];
type Sequence = readonly Part[];

/** `{1..12}` or `{a..e}`. */
interface Range {
  readonly from: number;
  readonly to: number;
  /** Minimum number of digits; undefined for letters. */
  readonly width: number | undefined;
}

/** The number of expanded patterns and their total size. */
export interface Extent {
  readonly count: number;
  readonly size: number;
}

/** Returns undefined if a brace is not closed. */
export function readBraces(tokens: readonly string[]): Sequence | undefined {
  let at = 0;
  const whole = sequence(false);
  return at < tokens.length ? undefined : whole;

  function sequence(isInside: boolean): Part[] | undefined {
    const parts: Part[] = [];
    for (; at < tokens.length; ) {
      const token = tokens[at] ?? "";
      if (token === "}" || (isInside && token === ",")) break;
      at++;
      const read = token === "{" ? choice() : [token];
      if (read === undefined) return undefined;
      for (const part of read) parts.push(part);
    }
    return parts;
  }

  function choice(): Part[] | undefined {
    const options: Part[][] = [];
    for (let end: string | undefined = ","; end === ","; end = tokens[at++]) {
      const option = sequence(true);
      if (option === undefined || at >= tokens.length) return undefined;
      options.push(option);
    }
    if (options.length > 1) return [options.map(trimmed)];
    const [only = []] = options;
    const range = toRange(only);
    // Braces around anything else without a comma are literal.
    return range === undefined ? ["\\{", ...only, "\\}"] : [range];
  }
}

export function extentOf(sequence: Sequence, sizeOf: (token: string) => number): Extent {
  let [count, size] = [1, 0];
  for (const part of sequence) {
    const one = extentOfPart(part, sizeOf);
    size = size * one.count + one.size * count;
    count *= one.count;
  }
  return { count, size };
}

function extentOfPart(part: Part, sizeOf: (token: string) => number): Extent {
  if (typeof part === "string") return { count: 1, size: sizeOf(part) };
  if ("from" in part) {
    const count = part.to - part.from + 1;
    return { count, size: count * String(part.to).length };
  }
  let [count, size] = [0, 0];
  for (const option of part) {
    const one = extentOf(option, sizeOf);
    count += one.count;
    size += one.size;
  }
  return { count, size };
}

/** Every pattern that the braces stand for, in order. Check the extent first. */
export function expandBraces(sequence: Sequence): string[][] {
  return sequence.reduce<string[][]>(
    (all, part) => {
      if (typeof part !== "string")
        return all.flatMap((head) => expandPart(part).map((tail) => [...head, ...tail]));
      for (const one of all) one.push(part);
      return all;
    },
    [[]],
  );
}

function expandPart(part: Exclude<Part, string>): string[][] {
  if (!("from" in part)) return part.flatMap(expandBraces);
  const { from, to, width } = part;
  return Array.from({ length: to - from + 1 }, (_, i) =>
    width === undefined ? [String.fromCharCode(from + i)] : [...String(from + i).padStart(width, "0")],
  );
}

function toRange(inner: Sequence): Range | undefined {
  const [, from = "", to = ""] =
    /^(\d{1,4}|[a-z]|[A-Z])\.\.(\d{1,4}|[a-z]|[A-Z])$/.exec(inner.join("")) ?? [];
  const isNumbers = /^\d/.test(from) && /^\d/.test(to);
  if (from === "" || (!isNumbers && /^\d/.test(from + to))) return undefined;
  const [a, b] = isNumbers ? [Number(from), Number(to)] : [from.charCodeAt(0), to.charCodeAt(0)];
  const isPadded = /^0\d/.test(from) || /^0\d/.test(to);
  const width = isNumbers ? (isPadded ? Math.max(from.length, to.length) : 0) : undefined;
  return { from: Math.min(a, b), to: Math.max(a, b), width };
}

function trimmed(parts: Part[]): Part[] {
  const isText = (part: Part) => part !== " ";
  return parts.slice(Math.max(0, parts.findIndex(isText)), parts.findLastIndex(isText) + 1);
}
