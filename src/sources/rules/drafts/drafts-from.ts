import { fingerprint } from "../../../base/fingerprint.ts";
import { once } from "../../../base/once.ts";
import { type CodeWord, escaped, filesOf, importOf, knownWord, wordOf } from "./code-words.ts";
import { commandPattern, flagPattern, isCommand, isFlag } from "./command-words.ts";
import { FORMS, type Form, IN_FOLDER, IN_LANGUAGE, LEAD, NOUNS } from "./forms.ts";
import otherLanguages from "./other-languages.json" with { type: "json" };
import type { DraftCheck } from "./records.ts";
import { type Sentence, sentenceOf, sentencesIn } from "./sentences.ts";

interface Where {
  /** `rule`: the Markdown text of a rule. `said`: one sentence that the user typed. */
  readonly as: "rule" | "said";
  /** The globs of the rule. */
  readonly globs?: readonly string[];
}

export interface Drafted {
  readonly check: DraftCheck;
  readonly sentence: string;
  /** Whether the sentence says nothing else. */
  readonly isWhole: boolean;
}

/** More would be a style guide, which nobody reviews item by item. */
const MAX_DRAFTS = 20;

/**
 * The checks that a text states clearly enough. Precision before recall: a sentence that could mean something else, or
 * applies only in some cases, gives none. Nothing is enforced without being accepted.
 */
export function draftsFrom(text: string, where: Where): Drafted[] {
  const drafted = new Map<string, Drafted>();
  const said = where.as === "said" ? sentenceOf(text) : undefined;
  const sentences = where.as === "rule" ? sentencesIn(text) : said === undefined ? [] : [said];
  for (const sentence of sentences) {
    const { checks, isWhole } = checksIn(sentence, where);
    for (const check of checks) {
      const key = checkKey(check);
      if (!drafted.has(key)) drafted.set(key, { check, sentence: sentence.text, isWhole });
      if (drafted.size >= MAX_DRAFTS) return [...drafted.values()];
    }
  }
  return [...drafted.values()];
}

/**
 * Equal for the same check, whichever sentence it comes from, so that a rejected check is not suggested in other words.
 */
export function checkKey({ on, never, before, ran, place }: DraftCheck): string {
  return fingerprint(JSON.stringify([on, never, before, ran, ...(place === undefined ? [] : [place])]));
}

interface Checks {
  readonly checks: readonly DraftCheck[];
  readonly isWhole: boolean;
}

const NO_CHECKS: Checks = { checks: [], isWhole: false };

function checksIn(sentence: Sentence, where: Where): Checks {
  if (/[?？]\s*$/.test(sentence.masked)) return NO_CHECKS;
  const clauses = clausesOf(sentence.masked);
  for (const { masked, language } of clauses) {
    for (const form of FORMS) {
      const match = form.pattern.exec(masked);
      const items = match?.groups?.["items"];
      if (match === null || items === undefined) continue;
      const rest = masked.slice(match[0].length);
      const nouns = NOUNS.exec(rest);
      const [place, after] = placeIn(rest.slice(nouns?.[0].length ?? 0), sentence, form.kind);
      if (narrows(after, form.kind)) continue;
      const only = { files: filesOf(language ?? nouns?.groups?.["language"]), place };
      const checks = checksOf(form, items, match.groups ?? {}, sentence, where, only);
      const isWhole = masked === clauses[0]?.masked && /^[\s.!]*$/.test(after);
      if (checks.length > 0) return { checks, isWhole };
    }
  }
  const elsewhere = forbiddenElsewhere(sentence.masked);
  if (elsewhere === undefined) return NO_CHECKS;
  return { checks: uses(elsewhere, sentence, where, {}, false), isWhole: true };
}

/**
 * The folder at the beginning of the rest, and what follows it: "in src", "in `packages/api/src`", "in the db folder".
 */
function placeIn(rest: string, { pieces }: Sentence, kind: Form["kind"]): [string | undefined, string] {
  const found = kind === "use" ? IN_FOLDER.exec(rest) : null;
  const { code, path, name, named } = found?.groups ?? {};
  const folder = code === undefined ? (path ?? name ?? named) : pieces[Number(code)];
  const isFolder = folder !== undefined && /^(?:\.\/)?[\w-]+(?:\/[\w-]+)*\/?$/.test(folder);
  // Between code marks a word may be anything: a folder must be a path, a known name, or be called a folder.
  if (
    found === null ||
    !isFolder ||
    (code !== undefined && !/\/|^(?:src|lib|app)$/.test(folder) && !/\w$/.test(found[0]))
  )
    return [undefined, rest];
  return [folder.replace(/^\.\/|\/$/g, ""), rest.slice(found[0].length)];
}

interface Clause {
  readonly masked: string;
  readonly language?: string | undefined;
}

/** An introduction that limits what follows. */
const CONDITION =
  /^(?:when|whenever|if|in|inside|within|for|on|with|during|after|before|unless|while|where|as|once|at|from|under|outside|by default|ideally|usually|generally|normally|try|consider|maybe|perhaps|prefer)\b/i;
const LABEL = /^(?:[\p{L}\p{N}][\p{L}\p{N} /&+.()-]{0,50}):\s+/u;
const NARROW_LABEL =
  /\b(?:in|when|if|for|on|tests?|testing|specs?|production|prod|legacy|server|client|deprecated|old|new|examples?|bad|wrong|detection|cause|symptoms?|problem|issue|error|note|before|after)\b/i;

const WITHIN = /\b(?:inside|within|when|if|while|during|where|unless|for example|e\.g)\b|\(/i;

/**
 * The sentence without its introduction, and what follows a semicolon or a dash. Empty if the introduction limits it.
 */
function clausesOf(masked: string): Clause[] {
  const label = LABEL.exec(masked)?.[0] ?? "";
  if (label !== "" && NARROW_LABEL.test(label)) return [];
  const start = masked.slice(label.length).replace(LEAD, "");
  const [, language] = IN_LANGUAGE.exec(start) ?? [];
  if (language !== undefined) return [{ masked: start.replace(IN_LANGUAGE, ""), language }];
  if (CONDITION.test(start)) return [];
  const marks = [...start.matchAll(/; |, (?:and |but )?(?=never\b|do not\b|don['’]t\b|avoid\b)|\s[—–-]\s/gi)];
  // What follows a place or an example is about that.
  const later = marks
    .filter(({ index }) => !WITHIN.test(start.slice(0, index)))
    .map(({ index, 0: mark }) => start.slice(index + mark.length))
    // "Return this, never `that`" is about what to return.
    .filter((clause) => !/^never \u0001/i.test(clause) || /^(?:use|prefer|strict)\b/i.test(start));
  return [start, ...later].map((one) => ({ masked: one.replace(LEAD, "") }));
}

/** Words that make an exception, anywhere. */
const EXCEPT =
  /\b(?:unless|except|excluding|with exceptions?|other than|apart from|besides|without (?:a|an|good|explicit|asking|my|permission)|only|sparingly|unnecessar\w*|excessive\w*|where possible|if possible|when possible|too many|too much)\b/i;
/** A reason, or what to do instead: it may have its own conditions. */
const INSTEAD =
  /^\s*[,;:.!—–(-]*\s*(?:-\s*)?(?:use|prefer|instead|rather|always|it|they|this|that|these|because|since|as (?:it|they|this)|which|so|i|we|you|the|favou?r|choose|write|create|return|throw|run|let|keep|see|not|nor|but use|and use|and prefer)\b/i;
const ENDS = /^\s*(?:[.!,;:—–(-]|$)/;

/** Whether what follows the items limits when, where or how they are meant. */
function narrows(rest: string, kind: Form["kind"]): boolean {
  if (EXCEPT.test(rest)) return true;
  if (/^[\s.!]*$/.test(rest)) return false;
  if (kind === "before")
    return !/^\s*(?:[.!,;:—–(-]|to (?:make sure|ensure|check|verify|catch)|and (?:fix|make sure|ensure)|so that|because)/.test(
      rest,
    );
  if (INSTEAD.test(rest) && (ENDS.test(rest) || /^\s+(?:because|since|as (?:it|they|this))\b/i.test(rest)))
    return false;
  return !/^\s*(?:[.!]+(?=[\s"'”’)]|$)|[;—–]|-\s|:\s)(?!.*\b(?:when|if|where|while|for|in)\b)/i.test(rest);
}

function checksOf(
  { kind }: Form,
  items: string,
  { when = "", verb, doing }: Readonly<Record<string, string | undefined>>,
  sentence: Sentence,
  where: Where,
  only: Only,
): DraftCheck[] {
  if (kind === "use") return uses(items, sentence, where, only, /^import/i.test(verb ?? doing ?? ""));
  const texts = itemsOf(items, sentence).map(({ text }) => text);
  if (kind === "say") return all(texts, sayCheck);
  if (kind === "run") return all(texts, runCheck);
  return all(texts, (command) => beforeCheck(command, when));
}

/** What the sentence says about where it applies. */
interface Only {
  readonly files?: readonly string[] | undefined;
  readonly place?: string | undefined;
}

interface Item {
  readonly text: string;
  readonly isCode: boolean;
}

function itemsOf(items: string, { pieces }: Sentence): Item[] {
  return items
    .split(/,? (?:or|and|nor|oder|und|ou|et|o|y|e) |, |、|或|和|や|\/(?=\u0001|\u0002)/)
    .map((item) => item.trim())
    .filter((item) => item !== "")
    .map((item) => {
      const [, at] = /[\u0001\u0002](\d+)[\u0001\u0002]/.exec(item) ?? [];
      const isCode = item.includes("\u0001");
      const bare = item.replace(/^(?:the|an?|any(?= \S)|raw|plain|explicit|bare) /i, "");
      const piece = pieces[Number(at)] ?? "";
      // A quotation may contain the sentence's own full stop.
      return {
        text: at === undefined ? bare : isCode ? piece : piece.replace(/(?<=[\w)])[.,;:!?]+$/, ""),
        isCode,
      };
    });
}

/** All of them or none: half of a list is not what was said. */
function all<T>(items: readonly T[], make: (item: T) => DraftCheck | undefined): DraftCheck[] {
  const made = items.map(make);
  return made.includes(undefined) ? [] : made.flatMap((one) => one ?? []);
}

/** Documentation may mention what code must not contain. */
const NOT_IN_DOCS = ["!**/*.md", "!**/*.mdx", "!**/*.txt"];

function uses(
  items: string,
  sentence: Sentence,
  where: Where,
  { files: language, place }: Only,
  isImport: boolean,
): DraftCheck[] {
  const own = (where.globs ?? []).filter((glob) => !/^[*/]+$/.test(glob));
  // It is unknown which files match both the rule's globs and the sentence's folder.
  if (place !== undefined && own.length > 0) return [];
  return all(itemsOf(items, sentence), ({ text, isCode }) => {
    if (isCode && !isImport && (isCommand(text, false) || isFlag(text)))
      return place === undefined ? runCheck(text) : undefined;
    const word = isImport
      ? importOf(text)
      : isCode || /^\w+\(\)$/.test(text)
        ? wordOf(text)
        : knownWord(text, false);
    if (word === undefined || isForeign(word, own)) return undefined;
    const files = own.length > 0 ? undefined : within(place, language ?? word.files ?? NOT_IN_DOCS);
    return {
      on: "edits" as const,
      never: word.pattern,
      ...(files === undefined ? { ruleFiles: own } : { files }),
      ...(place === undefined ? {} : { place }),
      literal: word.literal,
    };
  });
}

/** A folder given by one name may be in any package. */
function within(place: string | undefined, files: readonly string[]): readonly string[] {
  if (place === undefined) return files;
  const folder = place.includes("/") ? place : `**/${place}`;
  const include = files.filter((glob) => !glob.startsWith("!"));
  return [
    ...(include.length === 0 ? [`${folder}/**`] : include.map((glob) => `${folder}/${glob}`)),
    ...files.filter((glob) => glob.startsWith("!")),
  ];
}

/** The rule is about other languages than the word: in shell scripts, for example, `eval` is written differently. */
function isForeign({ files }: CodeWord, globs: readonly string[]): boolean {
  const extensions = globs.flatMap((glob) =>
    [...glob.matchAll(/\.(\w+)|[{,](\w+)(?=[,}])/g)].map((found) => found[1] ?? found[2]),
  );
  if (files === undefined || extensions.length === 0) return false;
  return !files.some((file) => extensions.includes(file.slice(file.lastIndexOf(".") + 1)));
}

function runCheck(command: string): DraftCheck | undefined {
  if (isFlag(command)) return { on: "commands", never: flagPattern(command), literal: command };
  if (!isCommand(command, false)) return undefined;
  return { on: "commands", never: commandPattern(command), literal: command };
}

function beforeCheck(command: string, when: string): DraftCheck | undefined {
  if (!isCommand(command, true)) return undefined;
  const ran = commandPattern(command);
  if (/commit/i.test(when))
    return { on: "commands", before: "^git commit(\\s|$)", ran, literal: `git commit|${command}` };
  if (/push/i.test(when))
    return { on: "commands", before: "^git push(\\s|$)", ran, literal: `git push|${command}` };
  if (/\bprs?\b|pull request/i.test(when))
    return { on: "commands", before: "^gh pr create(\\s|$)", ran, literal: `gh pr create|${command}` };
  if (/done|finish|complet/i.test(when)) return { on: "done", ran, literal: command };
  return undefined;
}

function sayCheck(phrase: string): DraftCheck | undefined {
  const text = phrase.replace(/[\s.!,…]+$/, "");
  if (text.length < 6 || text.length > 80 || !/^[\p{L}]/u.test(text)) return undefined;
  const [first = ""] = text;
  const either =
    first.toLowerCase() === first.toUpperCase()
      ? escaped(first)
      : `[${first.toUpperCase()}${first.toLowerCase()}]`;
  return {
    on: "answer",
    never: `${either}${escaped(text.slice(first.length)).replaceAll(/['’]/g, "['’]")}`,
    literal: text,
  };
}

/** The form "do not use `code`" in the six other languages in which wishes are recognised. */
const ELSEWHERE = once(() =>
  Object.values(otherLanguages.forms)
    .flat()
    // Only whole sentences: what follows may limit it, and is not parsed in these languages.
    .map((form) => new RegExp(`^${form.replace("<ITEMS>", otherLanguages.items)}[\\s.!。！]*$`, "iu")),
);

/** The items that a sentence forbids, as in its masked text. */
function forbiddenElsewhere(masked: string): string | undefined {
  for (const pattern of ELSEWHERE()) {
    const items = pattern.exec(masked.trim())?.groups?.["items"];
    if (items !== undefined) return items;
  }
  return undefined;
}
