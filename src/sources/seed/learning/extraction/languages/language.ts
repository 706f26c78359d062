import type { LearningType } from "../../../types.ts";
import type { Family } from "../family.ts";

/** How wishes are said in one language. English has its own files, since far more of it is known. */
export interface Language {
  readonly name: string;
  /** Its most frequent words, to tell it from others of the same script. */
  readonly common?: RegExp;
  /** What shows it, if it has a script of its own. */
  readonly script?: RegExp;
  /** Words before the actual statement, and polite ones after it. */
  readonly lead: RegExp;
  readonly tail: RegExp;
  /** A clause after a comma counts only if it begins like this; after a colon or dash any does. */
  readonly resumes: RegExp;
  readonly families: readonly Family[];
  /** "For the third time:": whoever repeats something means what follows in general. */
  readonly again: RegExp;
  /** "…, that is the rule here": what stands before it is meant to last. */
  readonly lasts: RegExp;
  /** A reason at the end of a sentence. It is not part of the wish, and no reason to doubt it. */
  readonly reason: RegExp;
  readonly question: RegExp;
  readonly supposed: RegExp;
  readonly oneOff: RegExp;
  readonly others: RegExp;
  /** What refers to something said before. Tried on what would be learned. */
  readonly pointers: RegExp;
  /** Descriptions, thanks and other sentences that share words with wishes. */
  readonly statements: RegExp;
}

/** `\b` knows only English letters. */
const BEFORE = "(?<![\\p{L}0-9_])";
const AFTER = "(?![\\p{L}0-9_])";

/**
 * Patterns name classes of letters as Unicode does, but mean only those of these languages: the real classes take
 * milliseconds to compile wherever they occur, together more than a second.
 */
function compiled(pattern: string, flags = "i"): RegExp {
  const narrow = pattern
    .replaceAll("[\\p{L}", "[a-z\\u00c0-\\u024f")
    .replaceAll("\\p{L}", "[a-z\\u00c0-\\u024f]")
    .replaceAll("\\p{sc=Han}", "[\\u3400-\\u9fff]");
  return new RegExp(narrow, flags);
}

/** Alternatives, separated by ` | ` or line ends, as whole words. */
export function words(text: string): string {
  return `${BEFORE}(?:${alternatives(text)})${AFTER}`;
}

/** The same for scripts without spaces. */
export function signs(text: string): string {
  return `(?:${alternatives(text)})`;
}

function alternatives(text: string): string {
  return text
    .trim()
    .split(/\s*\n\s*|\s+\|\s+/)
    .filter((one) => one !== "" && one !== "|")
    .map((one) => one.replace(/^\|\s*|\s*\|$/g, ""))
    .join("|");
}

export function counted(text: string): RegExp {
  return compiled(words(text), "gi");
}

export function anywhere(pattern: string): RegExp {
  return compiled(pattern);
}

export function atStart(pattern: string): RegExp {
  return compiled(`^\\s*(?:${pattern})`);
}

export function atEnd(pattern: string): RegExp {
  return compiled(`(?:${pattern})$`);
}

/** A last clause that consists of one of these. */
export function lastClause(pattern: string): RegExp {
  return compiled(`(?:^|[,;:.，、；：。]\\s*|\\s[-–—]\\s*|\\s\\()(?:${pattern})[\\s.!。！)]*$`);
}

/** Many people type without accents. Only tried on text that has none. */
export function withoutAccents(text: string): string {
  return text.normalize("NFD").replace(/[\u0300-\u036f]/g, "");
}

/** Patterns from the beginning of a clause; a group named `rest` is what is learned. */
export function family(
  name: Family["name"],
  type: LearningType,
  confidence: number,
  ...patterns: readonly string[]
): Family[] {
  return patterns.map((pattern) => {
    let made: RegExp | undefined;
    let plain: RegExp | undefined;
    return {
      name,
      type,
      confidence,
      // Made when it is first tried: most people write in one or two languages.
      get pattern() {
        made ??= compiled(`^(?:${pattern})`);
        return made;
      },
      plain: () => {
        plain ??= compiled(`^(?:${withoutAccents(pattern)})`);
        return plain;
      },
    };
  });
}
