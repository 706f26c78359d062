import type { Pattern } from "../rule.ts";
import { type Extent, extentOf, readBraces, writeOut } from "./braces.ts";
import { quickLength } from "./glob-matcher.ts";

/**
 * Globs as regular expressions. Braces are written out first, so `{a,b}` means exactly the two patterns; what is left
 * is made the same in spelling (slashes, `**`, brackets) and compiled by picomatch. docs/rules.md tells the semantics.
 */
export async function toPatterns(text: string): Promise<Pattern[] | undefined> {
  const globs = writtenOut(toSlashes(text.trim()))?.map(rooted);
  return globs === undefined ? undefined : compile(text, globs.flatMap(placed));
}

/** Branches are no paths: a name without a wildcard is that name, and `*` stays within one part of it. */
export async function toBranchPatterns(text: string): Promise<Pattern[] | undefined> {
  const globs = writtenOut(text)?.map((tokens): Placed => ["*", tokens.join("")]);
  return globs === undefined ? undefined : compile(text, globs);
}

/**
 * How many characters a pattern is compiled to, and of an ordinary one not more. It is counted, not made, so that those
 * who have many patterns can refuse them before they have cost anything.
 */
export function compiledLength(text: string): number {
  const braces = bracesOf(toSlashes(text.trim()));
  if (braces === undefined || !isFitting(extentOf(braces, () => 1))) return text.length; // refused for that alone
  const { count, size } = extentOf(braces, compiledTo);
  const glued = text.match(/[^/*]\*\*/g)?.length ?? 0;
  return (size + count * AROUND) * 2 ** Math.min(glued, MAX_GLUED_GLOBSTARS);
}

/** `^(?:` and `)$`. */
const AROUND = 6;

/** What picomatch makes of a token is at least as long; a star stands for a class, two for a lookahead. */
function compiledTo(token: string): number {
  return token.startsWith("**") ? 35 : token === "*" ? 6 : 1;
}

/** More than any sane pattern has: what a few braces are written out to must be read, kept and matched. */
const MAX_LENGTH = 1000;
const MAX_ALTERNATIVES = 256;
const MAX_TOKENS = 16_000;
/** Each `**` that is glued to a text doubles the pattern. */
const MAX_GLUED_GLOBSTARS = 4;

/** A backslash before a sign takes its meaning away; before anything else it is a Windows separator. */
function toSlashes(text: string): string {
  const isWindows = !text.includes("/") && /\\\\|\\[^[\]{}()!@+,|]|\\$/.test(text);
  return text.replace(isWindows ? /\\+/g : /\\\\+|\\(?![[\]{}()!@+,|])/g, "/");
}

/** Escapes, classes, runs of stars, single characters. */
const TOKEN = /\\.|\[[!^]?\]?(?:\\.|\[:[a-z]+:\]|[^\]\\])*\]|\*+|./gs;

function tokensOf(text: string): string[] {
  return text.match(TOKEN) ?? [];
}

function writtenOut(text: string): string[][] | undefined {
  const braces = bracesOf(text);
  if (braces === undefined || !isFitting(extentOf(braces, () => 1))) return undefined;
  const globs: string[][] = [];
  let size = 0;
  for (const one of writeOut(braces)) {
    const made = spelled(one);
    if (made === undefined) return undefined;
    globs.push(...made);
    size += made.length * one.length;
    if (!isFitting({ count: globs.length, size })) return undefined;
  }
  return globs;
}

function bracesOf(text: string): ReturnType<typeof readBraces> {
  if (text === "" || text.length > MAX_LENGTH || /[\0-\x1f\x7f]/.test(text)) return undefined;
  // Web frameworks name folders `[...slug]`: as a class of characters it would make no sense.
  const literal = text.replace(/\[\[\.{3}\w+\]\]|\[\.{3}\w+\]/g, (name) => name.replace(/[[\]]/g, "\\$&"));
  return readBraces(tokensOf(literal));
}

/** `size` is in tokens. */
function isFitting({ count, size }: Extent): boolean {
  return count <= MAX_ALTERNATIVES && size <= MAX_TOKENS;
}

/**
 * The same pattern with every token meaning the same to picomatch as to a reader: parentheses and bars only in extended
 * globs, and `**` glued to text crossing folders. undefined where brackets do not close or repetitions are ambiguous.
 */
function spelled(tokens: readonly string[]): string[][] | undefined {
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
      put("[^/]"); // to picomatch it would make the group optional
    else put(token.replace(/^\[!/, "[^")); // picomatch knows only this way to negate a class
  }
  return open.some(({ extended }) => extended) ? undefined : all;
}

/** A repeated group must be read in one way only: of others picomatch makes something else. */
function isUnambiguous(inner: readonly string[]): boolean {
  const firsts = inner.filter((_, i) => i === 0 || inner[i - 1] === "|");
  if (inner.length === 0 || inner.at(-1) === "|" || firsts.includes("|")) return false;
  if (inner.some((token) => /^[*?(]/.test(token))) return false;
  const areDistinct = new Set(firsts).size === firsts.length && firsts.every((first) => first.length === 1);
  return firsts.length === 1 || areDistinct;
}

/** Relative to the project; without a slash at any depth, with one at its end all that is below. */
function rooted(tokens: readonly string[]): string {
  const written = tokens.join("");
  const path = written.replace(/\/(\.?\/)+/g, "/").replace(/^(\.?\/)+/, "");
  if (path === "" || path.endsWith("/")) return `${path}**`;
  return tokens.includes("/") || path === "**" ? path : `**/${path}`;
}

type Placed = readonly [bucket: string, glob: string];

async function compile(text: string, globs: readonly Placed[]): Promise<Pattern[] | undefined> {
  // Only needed when a rule file changed: hooks test the cached expressions.
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
 * A glob with what is true of every path that it matches. A file whose whole name is `.ts` has no extension, though
 * `*.ts` matches it: such a glob is taken apart into two.
 */
function placed(glob: string): Placed[] {
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

/** The folders that a glob names before its first wildcard: most patterns can be told apart by them. */
function startOf(glob: string): string {
  const [plain = ""] = /^(?:[\w.-]+\/)*/.exec(glob) ?? [];
  // To picomatch a `**` also stands for nothing, together with the slash before it.
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
