import { once } from "../../../../base/once.ts";
import type { LearningType } from "../../types.ts";
import de from "./languages/de.json" with { type: "json" };
import en from "./languages/en.json" with { type: "json" };
import es from "./languages/es.json" with { type: "json" };
import fr from "./languages/fr.json" with { type: "json" };
import ja from "./languages/ja.json" with { type: "json" };
import pt from "./languages/pt.json" with { type: "json" };
import zh from "./languages/zh.json" with { type: "json" };

/**
 * Patterns of wishes in seven languages. The words are in `languages/`: a pattern refers to a part as `<NAME>`; `‹a |
 * b›` means whole words, and so does a list of lines. A pattern is compiled on first use, because most people write in
 * one or two languages.
 */

/** A family of phrasings in which people say how they want to work. */
export interface Family {
  readonly name: keyof typeof TYPES;
  readonly type: LearningType;
  readonly confidence: number;
  /** Matched from the beginning of a clause, without leading politeness. The group `rest` is what is learned. */
  readonly pattern: RegExp;
  /** How the clause begins, in lower case, if all matches begin alike. Avoids compiling the pattern. */
  readonly opening?: string | undefined;
  /** The same for text without accents, in languages that have them. */
  readonly plain?: () => RegExp;
}

const TYPES = {
  standing: "pattern",
  preference: "pattern",
  correction: "pattern",
  repeated: "pattern",
  convention: "insight",
  remember: "self_knowledge",
} as const;

export interface Language {
  readonly families: readonly Family[];
  /** Its most frequent words, to distinguish it from other languages in the same script. */
  readonly common?: RegExp;
  /** A pattern that recognises it, if it has its own script. */
  readonly script?: RegExp;
  /** Words before the actual statement, and polite words after it. */
  readonly lead: RegExp;
  readonly tail: RegExp;
  /** A clause after a comma counts only if it begins like this; after a colon or dash any clause counts. */
  readonly resumes: RegExp;
  /** "For the third time:" means that what follows is meant in general. */
  readonly again: RegExp;
  /** "…, that is the rule here" means that what precedes it is lasting. */
  readonly lasts: RegExp;
  /** A reason at the end of a sentence. It is neither part of the wish nor a reason to doubt it. */
  readonly reason: RegExp;
  readonly question: RegExp;
  readonly supposed: RegExp;
  readonly oneOff: RegExp;
  readonly others: RegExp;
  /** References to something said before, tested on what would be learned. */
  readonly pointers: RegExp;
  /** Descriptions, thanks and other sentences that share words with wishes. */
  readonly statements: RegExp;
}

type Text = string | readonly string[];
type Parts = Readonly<Record<string, Text>>;
/** By name and confidence, such as "standing 0.9". */
type Families = Readonly<Record<string, readonly string[]>>;
/** What surrounds a list of words in a pattern. */
type Edges = readonly [before: string, after: string];

/** `\b` knows only English letters. */
const WORDS: Edges = ["(?<![\\p{L}0-9_])", "(?![\\p{L}0-9_])"];
/** In scripts without spaces. */
const SIGNS: Edges = ["", ""];

function expanded(text: Text, parts: Parts, edges: Edges): string {
  const whole = typeof text === "string" ? text : `‹${text.join(" | ")}›`;
  return whole
    .replace(/<([A-Z_\d]+)>/g, (_, name: string) => expanded(parts[name] ?? "", parts, edges))
    .replace(/‹([^‹›]*)›/g, (_, list: string) => `${edges[0]}(?:${list.split(" | ").join("|")})${edges[1]}`);
}

/**
 * Patterns use Unicode's names of letter classes, but mean only the letters of these languages: the real classes take
 * milliseconds to compile at each occurrence, more than a second in total.
 */
function compiled(pattern: string, flags = "i"): RegExp {
  const narrow = pattern
    .replaceAll("[\\p{L}", "[a-z\\u00c0-\\u024f")
    .replaceAll("\\p{L}", "[a-z\\u00c0-\\u024f]")
    .replaceAll("\\p{sc=Han}", "[\\u3400-\\u9fff]");
  return new RegExp(narrow, flags);
}

const anywhere = (pattern: string) => compiled(pattern);
const atStart = (pattern: string) => compiled(`^\\s*(?:${pattern})`);

/** How each text of a language is compiled. */
const COMPILE = {
  common: (pattern: string) => compiled(pattern, "gi"),
  script: anywhere,
  lead: atStart,
  tail: (pattern: string) => compiled(`(?:${pattern})$`),
  resumes: atStart,
  again: atStart,
  // A final clause that consists of it.
  lasts: (pattern: string) =>
    compiled(`(?:^|[,;:.，、；：。]\\s*|\\s[-–—]\\s*|\\s\\()(?:${pattern})[\\s.!。！)]*$`),
  reason: anywhere,
  question: anywhere,
  supposed: anywhere,
  oneOff: anywhere,
  others: anywhere,
  pointers: anywhere,
  statements: anywhere,
};

type Data = { readonly [K in keyof typeof COMPILE]?: Text } & {
  readonly parts: Parts;
  readonly families: Families;
};

function languageOf(data: Data): Language {
  const expand = (text: Text) => expanded(text, data.parts, data.script === undefined ? WORDS : SIGNS);
  const language: Partial<Language> = {
    families: familiesOf(data.families, (text) => {
      const whole = once(() => expand(text));
      return {
        whole: () => compiled(`^(?:${whole()})`),
        plain: once(() => compiled(`^(?:${withoutAccents(whole())})`)),
      };
    }),
  };
  for (const [key, compile] of Object.entries(COMPILE) as [keyof typeof COMPILE, typeof anywhere][]) {
    const text = data[key];
    const get = once(() => compile(expand(text ?? "")));
    if (text !== undefined) Object.defineProperty(language, key, { get, enumerable: true });
  }
  return language as Language;
}

function familiesOf(
  families: Families,
  compile: (pattern: string) => Pick<Family, "opening" | "plain"> & { readonly whole: () => RegExp },
): Family[] {
  return Object.entries(families).flatMap(([key, patterns]) => {
    const [name, confidence] = key.split(" ") as [Family["name"], string];
    return patterns.map((text) => {
      const { whole, ...more } = compile(text);
      const get = once(whole);
      const family = { name, type: TYPES[name], confidence: Number(confidence), ...more };
      return Object.defineProperty(family, "pattern", { get, enumerable: true }) as Family;
    });
  });
}

/** Many people type without accents. Only tried on text that has none. */
export function withoutAccents(text: string): string {
  return text.normalize("NFD").replace(/[\u0300-\u036f]/g, "");
}

/** Japanese before Chinese, because they share characters; the first language in which a sentence is a wish counts. */
export const LANGUAGES: readonly Language[] = [de, fr, es, pt, ja, zh].map((data) => languageOf(data));

/** The family of a repeated wish, however it is phrased. */
export const repeatedWish = (pattern: RegExp): Family => ({
  name: "correction",
  type: TYPES.correction,
  confidence: 0.8,
  pattern,
});

/**
 * Tools that are chosen once per project or person: an instruction to use another one is seldom about a single task.
 */
const TOOLS = en.tools.join(" ").split(" ");
export const TOOL_NAMES: ReadonlySet<string> = new Set(TOOLS);

const EN_PARTS: Parts = {
  ...en.parts,
  TOOL: `(?:${TOOLS.map((name) => name.replaceAll("-", "[- ]")).join("|")})(?![\\w-])`,
};
const inEnglish = (text: Text) => expanded(text, EN_PARTS, SIGNS);
const englishFamilies = (families: Families) =>
  familiesOf(families, (text) => ({
    opening: text.startsWith("<DONT>") ? "do" : /^[a-z]+(?= )/.exec(text)?.[0],
    whole: () => new RegExp(`^${inEnglish(text)}`, text.includes("\\p{") ? "iu" : "i"),
  }));

/** Words for what answers have too much of, as part of a pattern. */
export const FILLER = inEnglish("<FILLER>");

/**
 * English is covered in more detail, so it is parsed differently. Families are tried clause by clause; the first match
 * wins.
 */
export const ENGLISH = {
  common: COMPILE.common(expanded(en.common, {}, WORDS)),
  /** Unlike "a", "me" and "no", these words occur only in English. */
  only: COMPILE.common(expanded(en.only, {}, WORDS)),
  families: englishFamilies(en.families),
  /** A final clause saying that what precedes it is lasting. */
  lasts: repeatedWish(new RegExp(en.lasts, "i")),
  /** Only after "for the third time" and the like: what follows is meant in general, however it is phrased. */
  afterRepeating: englishFamilies(en.afterRepeating),
  /** Only after "as a rule" and the like: otherwise "I want …" is a task. */
  afterRule: englishFamilies(en.afterRule),
  /** Only after a "no": otherwise the same words describe how to do a task, and correct nothing. */
  afterNo: englishFamilies(en.afterNo),
  /** Only after "again", which means that it is meant in general. */
  afterAgain: englishFamilies(en.afterAgain),
  /**
   * Too weak alone: an instruction that sets a limit or a means. If it occurs in several sessions, it is a standing
   * one.
   */
  weak: englishFamilies(en.weak),
};

/** Takes a wish back, or says that there never was one. No sentence of such a message counts as a wish. */
export const WITHDRAWN = new RegExp([en, de, fr, es, pt, zh, ja].map((one) => one.withdrawn).join("|"), "i");

/** Names of tools that are also ordinary words: "make sure", "just ask". */
const ALSO_WORDS = new Set("make just black express solid spaces tabs react rebase squash".split(" "));
/** A plain word, followed by more of the same language: `main ブランチ` and `getUser` begin with a name. */
const WORD = /^[\p{Ll}'’]+(?=[\s,;:–—-]+(?![\u3040-\u9fff])|$)/u;

/** Capitalises the first word, unless it is a name written in lower case: npm, getUser, src/api. */
export function sentenceCase(text: string): string {
  const [first] = WORD.exec(text) ?? [];
  const isWord = first !== undefined && (ALSO_WORDS.has(first) || !TOOL_NAMES.has(first));
  return isWord ? text.charAt(0).toUpperCase() + text.slice(1) : text;
}
