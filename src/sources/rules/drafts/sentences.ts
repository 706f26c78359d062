/** A sentence of a rule, or one that the user typed, with code and quotations replaced by placeholders. */
export interface Sentence {
  readonly text: string;
  /** Code is `\u0001N\u0001`, a quotation `\u0002N\u0002`: N is its index in `pieces`. */
  readonly masked: string;
  readonly pieces: readonly string[];
}

/** Longer texts are documentation: only this much is read. */
const MAX_TEXT = 64 * 1024;
const MAX_SENTENCES = 1_000;
/** A longer sentence says more than a pattern can check. */
const MAX_SENTENCE = 400;

/** "When you write tests:", "Example of bad code": what follows applies only there. */
const NARROWS =
  /\b(?:when|if|while|unless|inside|within|during|only|except|examples?|bad|wrong|before|after|migrat\w*|legacy|deprecated|for|in|on|tests?|testing)\b/i;
const MARKER = /^\s*(?:[-*+•]|\(?\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?/;
const SIGNS = /^(?:(?:\p{So}|\u203c|\u2757|\ufe0f)+\s*)+/u;
/** Tables, quotations, headings, comments and rulers. */
const NOT_PROSE = /^\s*(?:[|>]|<!--|(?:-{3,}|={3,}|\*{3,})\s*$)/;

/**
 * The sentences of a Markdown text. Skips code blocks, tables and quotations, and everything below a heading or a line
 * with a colon that limits when or where it applies.
 */
export function sentencesIn(text: string): Sentence[] {
  const sentences: Sentence[] = [];
  let fence = "";
  let isNarrowHeading = false;
  let isNarrowList = false;
  let isAfterBlank = true;
  for (const line of text.slice(0, MAX_TEXT).split(/\r\n?|\n/)) {
    if (sentences.length >= MAX_SENTENCES) break;
    const [, mark = ""] = /^\s*(?:[-*+]\s+)?(`{3,}|~{3,})/.exec(line) ?? [];
    if (fence !== "") {
      if (mark.startsWith(fence)) fence = "";
      continue;
    }
    if (mark !== "") {
      fence = mark;
      continue;
    }
    if (line.trim() === "") {
      isAfterBlank = true;
      continue;
    }
    const heading = /^\s{0,3}#{1,6}\s+(.*)$/.exec(line)?.[1];
    if (heading !== undefined) {
      isNarrowHeading = NARROWS.test(heading);
      isNarrowList = false;
      continue;
    }
    const isItem = MARKER.test(line);
    if (!isItem && isAfterBlank && /^\S/.test(line)) isNarrowList = false;
    isAfterBlank = false;
    const bare = plain(line.replace(MARKER, ""));
    if (/:$/.test(bare)) {
      isNarrowList = NARROWS.test(bare);
      continue;
    }
    if (isNarrowHeading || isNarrowList || NOT_PROSE.test(line) || /^(?:\t| {4,})(?![-*+\d])/.test(line))
      continue;
    sentences.push(...split(bare));
  }
  return sentences;
}

/** Parses a text that is known to be one sentence. */
export function sentenceOf(text: string): Sentence | undefined {
  return split(plain(text))[0];
}

/** Removes emphasis and leading markers, but not stars inside code. */
function plain(line: string): string {
  return line
    .split(/(`[^`]*`)/)
    .map((part) =>
      part.startsWith("`")
        ? part
        : part.replace(/\*\*|__/g, "").replace(/(?<!\w)[*_](?=\S)|(?<=\S)[*_](?!\w)/g, ""),
    )
    .join("")
    .trim()
    .replace(SIGNS, "");
}

function split(line: string): Sentence[] {
  const pieces: string[] = [];
  const masked = line
    .replace(/[\u0001\u0002]/g, "")
    .replace(
      /(`+)([^`]+)\1/g,
      (_, _ticks: string, code: string) => `\u0001${pieces.push(code.trim()) - 1}\u0001`,
    )
    .replace(
      /"([^"]{1,120})"|“([^”]{1,120})”|(?<=^|\s)'([^']{1,120})'(?=$|[\s.,;:!?)])/g,
      (_, ...found: string[]) => {
        const [straight, curly, single] = found;
        return `\u0002${pieces.push((straight ?? curly ?? single ?? "").trim()) - 1}\u0002`;
      },
    );
  return masked
    .split(/(?<=[.!?。！？](?<!\b(?:e\.g|i\.e|etc|vs)\.))\s+|(?<=[。！？])/)
    .filter((part) => part.length <= MAX_SENTENCE && part.trim() !== "")
    .map((part) => ({ masked: part.trim(), text: unmasked(part.trim(), pieces), pieces }));
}

function unmasked(masked: string, pieces: readonly string[]): string {
  return masked
    .replace(/\u0001(\d+)\u0001/g, (_, at: string) => `\`${pieces[Number(at)] ?? ""}\``)
    .replace(/\u0002(\d+)\u0002/g, (_, at: string) => `"${pieces[Number(at)] ?? ""}"`);
}
