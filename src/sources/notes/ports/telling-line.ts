import { clip, collapse } from "../../../base/text.ts";
import { countTokens } from "../../../compose/tokens.ts";
import { type TextBlock, textBlocks } from "../../../markdown/text-blocks.ts";
import { weightOf as tellingWeight } from "../../../search/telling.ts";
import { redact } from "../../../store/redact.ts";

/** The part of a note that was read. */
export interface Told {
  readonly title: string;
  /** Its text, or the beginning of it. */
  readonly body: string;
}

export interface Telling {
  readonly sentence: string;
  /** Whether it begins with the title, which was cut from it: it is then shown instead of the title. */
  readonly extendsTitle?: boolean;
  /** From 0 to 1: how much the sentence looks like something that a later session should know. */
  readonly weight: number;
}

/** The limits: characters of a note, and sentences in them. */
const MAX_TEXT = 8 * 1024;
const MAX_SENTENCES = 80;
const MAX_SENTENCE = 400;
const MAX_TELLING = 5;
const LEAST_WORDS = 4;
/** A shorter title is not recognised as the beginning of a sentence. */
const LEAST_TITLE = 12;
const CHARACTERS_PER_TOKEN = 4;

/** Words that indicate that something was decided or must be done. */
const DECIDED =
  /\b(?:we|is|are|was|were) (?:chose|use|decided|agreed|keep|rejected|forbidden|required|not allowed)\b|\b(?:must(?: not)?|never|always|do not|don't|only|instead of|rather than|rejected|decided|decision|chose|chosen|required?s?|mandatory|no longer|forbidden|policy)\b/i;
const STRONG_HEADING =
  /decision|fix|resolution|solution|root cause|cause|gotcha|pitfall|rule|policy|convention|lesson|outcome/i;
const WEAK_HEADING =
  /context|background|alternative|symptom|history|timeline|links?|references?|see also|todo|example/i;
const LABEL = /^(?:status|date|author|owner|tags?|project|created|updated|related|see|links?|source)\s*:/i;

/** `Decision: …`: a label that repeats what the sentence says anyway. */
const LEAD =
  /^(?:decision|decided|resolution|root cause|cause|fix|rules?|policy|gotcha|outcome|note|important)\s*:\s+/i;

/**
 * The sentences of a note that are most useful to someone who begins to work: decisions, causes, rules. Never repeats
 * the title.
 */
export function tellingOf({ title, body }: Told): Telling[] {
  // Redacted before it is cut, because half a secret would not be recognised.
  const text = redact(body.slice(0, 2 * MAX_TEXT)).slice(0, MAX_TEXT);
  const said = wordsOf(title);
  const all: Telling[] = [];
  let heading = "";
  for (const block of textBlocks(text)) {
    if (block.kind === "heading") {
      heading = block.text;
      continue;
    }
    for (const sentence of sentencesOf(block)) {
      if (all.length === MAX_SENTENCES) break;
      const extendsTitle = isLonger(sentence, title);
      const weight = extendsTitle ? 1 : weightOf(sentence, said, heading, all.length);
      all.push({ sentence, weight, ...(extendsTitle ? { extendsTitle } : {}) });
    }
  }
  return all
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight)
    .slice(0, MAX_TELLING);
}

/** Whether the title is the beginning of the sentence, for example because it was derived from it. */
function isLonger(sentence: string, title: string): boolean {
  const start = plainTitle(title)
    .replace(/(?:…|\.{3})$/u, "")
    .toLowerCase();
  const rest = sentence.toLowerCase().startsWith(start) ? sentence.slice(start.length) : "";
  return start.length >= LEAST_TITLE && /[\p{L}\p{N}]/u.test(rest);
}

function weightOf(sentence: string, title: ReadonlySet<string>, heading: string, at: number): number {
  const words = wordsOf(sentence);
  if (words.size < LEAST_WORDS || LABEL.test(sentence) || sentence.endsWith("?")) return 0;
  const fresh = [...words].filter((word) => !title.has(word)).length;
  if (fresh < LEAST_WORDS / 2 || fresh / words.size < 0.3) return 0;
  // Relative to the length, because what does not fit into a line is lost.
  const density = tellingWeight(sentence) / (sentence.length / CHARACTERS_PER_TOKEN + 4) ** 0.6;
  const weight =
    Math.min(0.6, density * 0.3) +
    (DECIDED.test(sentence) ? 0.15 : 0) +
    (STRONG_HEADING.test(heading) ? 0.2 : 0) -
    (WEAK_HEADING.test(heading) ? 0.15 : 0) -
    (/(?:[:,]|then|and|with)$/i.test(sentence) ? 0.2 : 0) -
    // The beginning of a note usually says what it is about.
    Math.min(0.15, at * 0.015);
  return Math.max(0.01, Math.min(1, weight));
}

/** Long paragraphs are cut first, so that no expression processes more than it needs. */
function sentencesOf({ text }: TextBlock): string[] {
  return plain(text.slice(0, MAX_TEXT))
    .split(/(?<=[.!?。！？])\s+(?=[^a-z\s])|(?<=[。！？])/u)
    .map((one) => clip(one.trim().replace(LEAD, ""), MAX_SENTENCE))
    .filter((one) => one !== "");
}

/** Without Markdown characters, on one line. */
function plain(text: string): string {
  const linked = text
    .replace(
      /!?\[\[([^[\]|#]*)(?:#[^[\]|]*)?(?:\|([^[\]]*))?\]\]/g,
      (_, target: string, alias?: string) => alias || target,
    )
    .replace(/!?\[([^[\]]*)\]\([^()\s]*\)/g, "$1");
  return collapse(linked.replace(/\*\*|__|~~|^\[[ xX]\] /g, "").replace(/`/g, ""));
}

function wordsOf(text: string): Set<string> {
  return new Set(
    text
      .slice(0, MAX_SENTENCE)
      .toLowerCase()
      .match(/[\p{L}\p{N}]{2,}/gu) ?? [],
  );
}

/** A sentence that fits whole is preferred to a stronger one that does not, unless it is much weaker. */
const WORTH_CUTTING = 0.1;

/**
 * `- title: sentences`, with at most this many tokens. The title is complete if possible, because a note is opened by
 * it. Then the best sentence that fits, and further ones; otherwise the beginning of the best one.
 */
export function lineOf(title: string, all: readonly Telling[], tokens: number): string {
  const longer = all.find(({ extendsTitle }) => extendsTitle === true);
  const tellings = all.filter((one) => one !== longer);
  const name = within(longer?.sentence ?? plainTitle(title), (text) => `- ${text}`, tokens);
  const [best] = tellings;
  if (best === undefined || name.endsWith(CUT)) return `- ${name}`;
  const framed = (text: string): string => `- ${name}${longer === undefined ? ":" : "."} ${text}`;
  const cuts = tellings
    .map(({ sentence, weight }) => ({ said: within(sentence, framed, tokens), weight }))
    .filter(({ said }) => wordsOf(said).size >= LEAST_WORDS);
  const whole = cuts.find(({ said, weight }) => best.weight - weight <= WORTH_CUTTING && !said.endsWith(CUT));
  const { said } = whole ?? cuts[0] ?? { said: "" };
  if (said === "") return `- ${name}`;
  if (said.endsWith(CUT)) return framed(said);
  // The remaining space is used for further sentences that fit whole.
  let text = said;
  for (const { sentence } of tellings) {
    const next = sentence.replace(/[.。]$/, "");
    const longerText = `${text}. ${next}`;
    if (!text.includes(next) && countTokens(framed(longerText)) <= tokens) text = longerText;
  }
  return framed(text);
}

function plainTitle(title: string): string {
  return plain(redact(title.slice(0, 2 * MAX_SENTENCE)))
    .slice(0, MAX_SENTENCE)
    .toWellFormed();
}

const CUT = "…";

/** As many whole words as fit, with an ellipsis if some are left out; cut after a clause if that keeps most of it. */
function within(text: string, framed: (text: string) => string, tokens: number): string {
  if (countTokens(framed(text)) <= tokens) return text.replace(/[.。]$/, "");
  const ends = [...text.matchAll(/\s+|(?<=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])/gu)].map(
    ({ index }) => index,
  );
  let low = 0;
  let high = ends.length;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (countTokens(framed(`${text.slice(0, ends[middle - 1])}${CUT}`)) <= tokens) low = middle;
    else high = middle - 1;
  }
  const cut = text.slice(0, low === 0 ? 0 : ends[low - 1]).trimEnd();
  const clause = /^[\s\S]*[,;:)–—](?=\s)/u.exec(cut)?.[0] ?? "";
  const kept = clause.length > cut.length * 0.6 ? clause : cut;
  return kept.replace(/[\s,;:–—.]+$/u, "").toWellFormed() + CUT;
}
