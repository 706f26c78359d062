/** Patterns and texts that make a backtracking engine slow: adjacent stars, repeated groups, near misses. */

/** The same numbers on every machine. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const pick = <T>(from: readonly T[], next: (below: number) => number): T => from[next(from.length)] as T;

const GLOB_PIECES = [
  ..."a b ab aa . .ts / /**/ **/ * ? *a *a*a [ab] [!a] {a,b} {a,aa} @(a|b) @(a|aa) !(a) !(*a) ?(a) ?(aa) +(a) *(a) +(a|b) - é".split(
    " ",
  ),
];

export function globs(count: number): string[] {
  const next = numbers(7);
  return Array.from({ length: count }, () => {
    const piece = pick(GLOB_PIECES, next);
    const repeated = next(3) === 0 ? piece.repeat(1 + next(8)) : "";
    const others = Array.from({ length: 1 + next(8) }, () => pick(GLOB_PIECES, next));
    return others.join("") + repeated + pick(["", "b", ".ts", "/**"], next);
  });
}

/** Near misses of a pattern: its own characters, repeated, with something else at the end. */
export function globTexts(glob: string, count: number): string[] {
  const next = numbers(glob.length * 31 + glob.charCodeAt(0));
  const own = glob.replace(/[^a-z./-]/g, "").replace(/^\/+|\/+$/g, "") || "a";
  return Array.from({ length: count }, (_, i) => {
    const piece = pick(["a", "ab", "aa/", "a/b/", "a.ts/", own, `${own}/`], next);
    const times = i % 4 === 0 ? 1 + next(3) : 1 + next(60);
    return `${piece.repeat(times)}${pick(["", "a", "b", "c", ".ts", "é"], next)}`
      .replace(/^\//, "")
      .slice(0, 400);
  });
}

const REGEX_ATOMS = [
  "a",
  "b",
  "aa",
  ".",
  "\\w",
  "\\s",
  "[ab]",
  "[^b]",
  "(a|b)",
  "(a|aa)",
  "(a|)",
  "(a*)",
  "(a+b?)",
  "\\b",
  "^",
  "$",
];
const REGEX_COUNTS = ["", "", "*", "+", "?", "*?", "{3}", "{2,9}", "{0,20}", "{5,}"];

export function regexes(count: number): string[] {
  const next = numbers(11);
  return Array.from({ length: count }, () => {
    const parts = Array.from({ length: 1 + next(7) }, () => {
      const atom = pick(REGEX_ATOMS, next);
      return `${atom}${/^[\\^$]b?$/.test(atom) ? "" : pick(REGEX_COUNTS, next)}`;
    }).join("");
    return `${next(4) === 0 ? `(${parts})${pick(["*", "+", "{4}"], next)}` : parts}${pick(["", "x", "c$", "zz"], next)}`;
  });
}

export function regexTexts(source: string, count: number): string[] {
  const next = numbers(source.length * 17 + 3);
  return Array.from({ length: count }, () => {
    const piece = pick(["a", "ab", "aab ", "b", "a a", "x", "é"], next);
    return `${piece.repeat(1 + next(150))}${pick(["", "!", "x", "c", "z"], next)}`.slice(0, 500);
  });
}
