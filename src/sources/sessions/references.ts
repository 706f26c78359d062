import { blankInlineCode } from "../../markdown/inline-code.ts";
import { textBlocks } from "../../markdown/text-blocks.ts";

/** A past session named in a prompt, as written. It may not exist. */
export interface Reference {
  /** With its marks, to identify it in messages. */
  readonly written: string;
  /** An id, a name, or `last`. */
  readonly name: string;
  readonly host?: string;
  /** How many of its ancestors are wanted too. */
  readonly ancestors: number;
  readonly question?: string;
}

interface References {
  readonly used: readonly Reference[];
  /** How many different references exceed the limit. Counting stops at a bound, as the search does. */
  readonly leftOut: number;
}

/** More than this in one prompt is a paste, not a question. */
const MOST_USED = 3;
const MOST_COUNTED = 50;
/** The count means "at least this many". */
export const MOST_LEFT_OUT = MOST_COUNTED - MOST_USED;
const MOST_ANCESTORS = 5;
const LONGEST_QUESTION = 500;

/** References beyond this many characters of a prompt are ignored. */
const LONGEST_PROMPT = 200_000;

const NAME = String.raw`[\p{L}\p{N}_][\p{L}\p{N}\p{M}_./-]{0,199}`;
/**
 * `@@name`, `@@"a name"`, each optionally with a host before and `~2` after it, or `@session:id`. After a word, a dot
 * or another `@` it is part of something else, such as an address.
 */
const reference = () =>
  new RegExp(
    String.raw`(?<![\p{L}\p{N}\p{M}_@.+/\\-])(?:@@(?:([a-z][a-z-]{1,20}):(?=["\p{L}\p{N}_]))?(?:"([^"\n]{1,200})"|(${NAME}))|@session:(${NAME}))(?:~(\d{1,3}))?`,
    "gu",
  );
/** The rest of the line, up to a question mark. */
const QUESTION = /^:[ \t]+([^\n?]{2,}\??)/;

/** The references of a prompt in order, each once. References in code do not count. */
export function findReferences(prompt: string): References {
  if (!mayRefer(prompt)) return { used: [], leftOut: 0 };
  const found = new Map<string, Reference>();
  for (const block of textBlocks(prompt.slice(0, LONGEST_PROMPT))) {
    if (!mayRefer(block.text)) continue;
    // Code is blanked with spaces: offsets stay the same, and a question keeps the code in it.
    const matches = [...blankInlineCode(block.text).matchAll(reference())];
    for (const [i, match] of matches.entries()) {
      const rest = block.text.slice(match.index, matches[i + 1]?.index);
      const one = read(match, rest);
      const key = JSON.stringify({ ...one, written: "", name: one.name.toLowerCase() });
      if (!found.has(key)) found.set(key, one);
      if (found.size >= MOST_COUNTED) return limited(found);
    }
  }
  return limited(found);
}

/** Cheap enough for every prompt: most name no session. */
export function mayRefer(text: string): boolean {
  return text.includes("@@") || text.includes("@session:");
}

/** For a session's own name: with the other session's name in it, both would be found by that name. */
export function withoutReferences(text: string): string {
  return mayRefer(text) ? text.replace(reference(), "another session") : text;
}

/** A reference from elsewhere than a prompt, where the marks are optional. */
export function readReference(text: string): Reference | undefined {
  const trimmed = text.trim();
  const marked = /^@@|^@session:/.test(trimmed) ? trimmed : `@@${trimmed}`;
  const match = new RegExp(`^(?:${reference().source})$`, "u").exec(marked);
  if (match !== null) return read(match, marked);
  // A name as shown in lists, with spaces and punctuation.
  const name = trimmed.replace(/^@@/, "").replace(/\s+/g, " ").slice(0, 200);
  return name === "" ? undefined : { written: marked, name, ancestors: 0 };
}

function read(match: RegExpMatchArray, rest: string): Reference {
  const [, host, quoted, bare, id, ancestors] = match;
  // A full stop or a dash at the end belongs to the sentence.
  const name = quoted?.trim() ?? (bare ?? id ?? "").replace(/[./-]+$/, "");
  const isTrimmed = quoted === undefined && !(bare ?? id ?? "").endsWith(name);
  const question = isTrimmed ? undefined : QUESTION.exec(rest.slice(match[0].length))?.[1]?.trim();
  return {
    written: isTrimmed ? match[0].replace(/[./-]+$/, "") : match[0],
    name,
    host,
    ancestors: Math.min(Number(ancestors ?? 0), MOST_ANCESTORS),
    ...(question !== undefined && { question: question.slice(0, LONGEST_QUESTION).toWellFormed() }),
  };
}

function limited(found: ReadonlyMap<string, Reference>): References {
  const all = [...found.values()];
  return { used: all.slice(0, MOST_USED), leftOut: Math.max(0, all.length - MOST_USED) };
}
