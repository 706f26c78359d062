import type { Pattern } from "../rule.ts";
import { type Extent, expandBraces, extentOf, readBraces } from "./braces.ts";
import { quickLength } from "./glob-matcher.ts";

/**
 * Compiles a glob to regular expressions. Braces are expanded first, so `{a,b}` means exactly the two patterns. The
 * results are normalized (slashes, `**`, brackets) and compiled by picomatch. docs/rules.md describes the semantics.
 */
export async function toPatterns(text: string): Promise<Pattern[] | undefined> {
  const globs = expandAndNormalize(toSlashes(text.trim()))?.map(rooted);
  return globs === undefined ? undefined : compile(text, globs.flatMap(withBuckets));
}

/** Branches are not paths: a name without a wildcard matches only itself, and `*` does not cross a slash. */
export async function toBranchPatterns(text: string): Promise<Pattern[] | undefined> {
  const globs = expandAndNormalize(text)?.map((tokens): GlobInBucket => ["*", tokens.join("")]);
  return globs === undefined ? undefined : compile(text, globs);
}

/**
 * An estimate of the length of a compiled pattern, never too high for an ordinary one. Does not compile, so that
 * refusing a rule with too many patterns costs almost nothing.
 */
export function compiledLength(text: string): number {
  const braces = bracesOf(toSlashes(text.trim()));
  if (braces === undefined || !isFitting(extentOf(braces, () => 1))) return text.length; // refused anyway
  const { count, size } = extentOf(braces, compiledTo);
  const glued = text.match(/[^/*]\*\*/g)?.length ?? 0;
  return (size + count * AROUND) * 2 ** Math.min(glued, MAX_GLUED_GLOBSTARS);
}

/** The length of `^(?:` and `)$`. */
const AROUND = 6;

/** The minimum length of a compiled token: a star becomes a class, two stars a lookahead. */
function compiledTo(token: string): number {
  return token.startsWith("**") ? 35 : token === "*" ? 6 : 1;
}

/** More than any reasonable pattern needs. Expanded braces are parsed, cached and matched. */
const MAX_LENGTH = 1000;
const MAX_ALTERNATIVES = 256;
const MAX_TOKENS = 16_000;
/** Each `**` that is attached to text doubles the pattern. */
const MAX_GLUED_GLOBSTARS = 4;

/** A backslash before a special character escapes it; before any other character it is a Windows separator. */
function toSlashes(text: string): string {
  const isWindows = !text.includes("/") && /\\\\|\\[^[\]{}()!@+,|]|\\$/.test(text);
  return text.replace(isWindows ? /\\+/g : /\\\\+|\\(?![[\]{}()!@+,|])/g, "/");
}

/** Matches escapes, classes, runs of stars, and single characters. */
const TOKEN = /\\.|\[[!^]?\]?(?:\\.|\[:[a-z]+:\]|[^\]\\])*\]|\*+|./gs;

function tokensOf(text: string): string[] {
  return text.match(TOKEN) ?? [];
}

function expandAndNormalize(text: string): string[][] | undefined {
  const braces = bracesOf(text);
  if (braces === undefined || !isFitting(extentOf(braces, () => 1))) return undefined;
  const globs: string[][] = [];
  let size = 0;
  for (const one of expandBraces(braces)) {
    const made = normalize(one);
    if (made === undefined) return undefined;
    globs.push(...made);
    size += made.length * one.length;
    if (!isFitting({ count: globs.length, size })) return undefined;
  }
  return globs;
}

function bracesOf(text: string): ReturnType<typeof readBraces> {
  if (text === "" || text.length > MAX_LENGTH || /[\0-\x1f\x7f]/.test(text)) return undefined;
  // Web frameworks name folders `[...slug]`; a character class would make no sense there.
  const literal = text.replace(/\[\[\.{3}\w+\]\]|\[\.{3}\w+\]/g, (name) => name.replace(/[[\]]/g, "\\$&"));
  return readBraces(tokensOf(literal));
}

/** `size` is a number of tokens. */
function isFitting({ count, size }: Extent): boolean {
  return count <= MAX_ALTERNATIVES && size <= MAX_TOKENS;
}

/**
 * Rewrites a pattern so that picomatch interprets each token as a person would: parentheses and bars are special only
 * in extended globs, and `**` attached to text crosses folders. Returns undefined if a bracket is not closed or a
 * repetition is ambiguous.
 */
function normalize(tokens: readonly string[]): string[][] | undefined {
  let all: string[][] = [[]];
  const open: { at: number; extended: boolean }[] = [];
  const put = (...written: string[]) => {
    for (const one of all) one.push(...written);
  };
  for (const [i, token] of tokens.entries()) {
    const inside = open.at(-1)?.extended ?? false;
    if (token === "[" || token === "]" || /^\[[!^]?\]$/.test(token)) return undefined;
    if (token === "(") {
      const extended = /^[?*+@!]$/.test(tokens[i - 1] ?? "");
      open.push({ at: i, extended });
      put(extended ? "(" : "\\(");
    } else if (token === ")") {
      const opened = open.pop();
      const repeats = /^[*+]$/.test(tokens[(opened?.at ?? 0) - 1] ?? "");
      if (opened?.extended && repeats && !isUnambiguous(tokens.slice(opened.at + 1, i))) return undefined;
      put(opened?.extended ? ")" : "\\)");
    } else if (token === "|" || token === '"') put(inside && token === "|" ? "|" : `\\${token}`);
    else if (token.startsWith("**")) {
      const [before, after] = [tokens[i - 1] ?? "/", tokens[i + 1] ?? "/"];
      const isStart = before === "/" || (inside && /^[(|]$/.test(before));
      const isEnd = after === "/" || (inside && /^[)|]$/.test(after));
      if (isStart) put(...(isEnd ? ["**"] : ["**", "/", "*"]));
      else if (inside) put("*");
      else
        all = all.flatMap((one) => [
          [...one, "*"],
          [...one, "*", "/", "**", "/", "*"],
        ]);
      if (all.length > 2 ** MAX_GLUED_GLOBSTARS) return undefined;
    } else if (token === "?" && tokens[i - 1] === ")")
      put("[^/]"); // picomatch would make the group optional
    else put(token.replace(/^\[!/, "[^")); // the only way to negate a class in picomatch
  }
  return open.some(({ extended }) => extended) ? undefined : all;
}

/** Picomatch compiles a repeated group correctly only if it is unambiguous. */
function isUnambiguous(inner: readonly string[]): boolean {
  const firsts = inner.filter((_, i) => i === 0 || inner[i - 1] === "|");
  if (inner.length === 0 || inner.at(-1) === "|" || firsts.includes("|")) return false;
  if (inner.some((token) => /^[*?(]/.test(token))) return false;
  const areDistinct = new Set(firsts).size === firsts.length && firsts.every((first) => first.length === 1);
  return firsts.length === 1 || areDistinct;
}

/** Relative to the project. Without a slash it matches at any depth; with a trailing slash, everything below. */
function rooted(tokens: readonly string[]): string {
  const written = tokens.join("");
  const path = written.replace(/\/(\.?\/)+/g, "/").replace(/^(\.?\/)+/, "");
  if (path === "" || path.endsWith("/")) return `${path}**`;
  return tokens.includes("/") || path === "**" ? path : `**/${path}`;
}

type GlobInBucket = readonly [bucket: string, glob: string];

async function compile(text: string, globs: readonly GlobInBucket[]): Promise<Pattern[] | undefined> {
  // Imported only when a rule file changed: hooks test the cached expressions.
  const { default: picomatch } = await import("picomatch");
  const byBucket = new Map<string, Set<string>>();
  const starts = new Map<string, string>();
  try {
    for (const [bucket, glob] of globs) {
      const { source } = picomatch.makeRe(glob, {
        dot: true,
        nobrace: true,
        nonegate: true,
        regex: false,
        strictSlashes: true,
        fastpaths: false,
        debug: true,
      });
      starts.set(bucket, byBucket.has(bucket) ? "" : startOf(glob));
      byBucket.set(bucket, (byBucket.get(bucket) ?? new Set()).add(source));
    }
  } catch {
    return undefined; // the caller refuses the rule and shows the pattern
  }
  const patterns: Pattern[] = [];
  for (const [bucket, sources] of byBucket) {
    const regex = [...sources].join("|");
    const quick = quickLength(regex);
    if (quick === undefined) return undefined;
    patterns.push({ text, regex, start: starts.get(bucket) ?? "", quick, bucket });
  }
  return patterns;
}

/**
 * A glob with its bucket (see `Pattern.bucket`). A file named just `.ts` has no extension although `*.ts` matches it, so
 * such a glob is split into two.
 */
function withBuckets(glob: string): GlobInBucket[] {
  const tokens = tokensOf(glob);
  const start = tokens.lastIndexOf("/") + 1;
  const name = tokens.slice(start);
  const tail = name.slice(name.findLastIndex((token) => /^(\[|[*?()])/.test(token)) + 1).map(unescaped);
  if (hasSlashInGroup(tokens)) return [["*", glob]];
  if (tail.length === name.length) return [[`=${tail.join("")}`, glob]];
  const dot = tail.lastIndexOf(".");
  if (dot < 0 || dot === tail.length - 1) return [["*", glob]];
  const extension = tail.slice(dot).join("");
  const before = name.slice(0, name.length - tail.length + dot);
  if (!before.every((token) => token.startsWith("*")))
    return [[before.includes("(") ? "*" : extension, glob]];
  const folder = tokens.slice(0, start).join("");
  return [
    [extension, `${folder}?${tokens.slice(start).join("")}`],
    [`=${extension}`, folder + name.slice(before.length).join("")],
  ];
}

/** The folders before the first wildcard: a cheap test that rules out most patterns. */
function startOf(glob: string): string {
  const [plain = ""] = /^(?:[\w.-]+\/)*/.exec(glob) ?? [];
  // In picomatch `**` can also match nothing, including the slash before it.
  return glob.startsWith("**", plain.length) ? plain.slice(0, -1) : plain;
}

function hasSlashInGroup(tokens: readonly string[]): boolean {
  let depth = 0;
  return tokens.some((token) => {
    if (token === "(") depth++;
    if (token === ")") depth--;
    return depth > 0 && token === "/";
  });
}

function unescaped(token: string): string {
  return token.length === 2 && token.startsWith("\\") ? token.slice(1) : token;
}
