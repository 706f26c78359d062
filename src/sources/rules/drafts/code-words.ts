import data from "./code-words.json" with { type: "json" };

/** A name that users forbid: which text an edit adds then, and in which files it has that meaning. */

export interface CodeWord {
  /** The text as users write it. */
  readonly literal: string;
  /** A regular expression, searched in each added line. */
  readonly pattern: string;
  readonly files?: readonly string[];
}

interface Known extends CodeWord {
  /** How it is written in a sentence without code marks. */
  readonly said: string;
  /** Recognised only between code marks: without them it is an ordinary word. */
  readonly isCodeOnly?: boolean;
}

const globs = (extensions: string) => extensions.split(" ").map((one) => `**/*.${one}`);

const KNOWN: readonly Known[] = data.known.map(({ files, ...known }) => ({
  ...known,
  files: files === undefined ? undefined : globs(files),
}));

const LANGUAGES: Readonly<Record<string, string>> = data.languages;

/** A pattern for the languages that can be named. */
export const LANGUAGE = Object.keys(LANGUAGES).join("|");

export function filesOf(language: string | undefined): readonly string[] | undefined {
  const files = language === undefined ? undefined : LANGUAGES[language.toLowerCase()];
  return files === undefined ? undefined : globs(files);
}

/** A pattern for words that are known to be code even without code marks. */
export const SAID = KNOWN.filter(({ isCodeOnly }) => isCodeOnly === undefined)
  .map(({ said }) => said)
  .join("|");

/** A known word; undefined for others. */
export function knownWord(text: string, isCode: boolean): CodeWord | undefined {
  return KNOWN.find(
    ({ said, isCodeOnly }) =>
      (isCode || isCodeOnly === undefined) && new RegExp(`^(?:${said})$`, "i").test(text),
  );
}

const FILE =
  /\.(?:[cm]?[jt]sx?|json5?|jsonc|mdx?|ya?ml|toml|lock|py|rb|rs|go|java|kt|cs|css|scss|html?|xml|sh|env|txt|csv|svg|png|jpe?g|sql|php|config)$/i;
const PLACEHOLDER = /\.\.\.|…|\b(?:foo|bar|baz|example|placeholder|xxx+)\b|\b(?:my|your)[A-Z_-]/i;

/**
 * A check for code named in a sentence. Undefined if the text could mean many things in a file: ordinary words, paths,
 * placeholders, single characters.
 */
export function wordOf(code: string): CodeWord | undefined {
  const known = knownWord(code, true);
  if (known !== undefined) return known;
  if (code.length < 3 || code.length > 60 || (code.match(/[A-Za-z0-9]/g)?.length ?? 0) < 3) return undefined;
  if (!/^[\x20-\x7e]+$/.test(code) || code.split(/\s+/).length > 4) return undefined;
  if (PLACEHOLDER.test(code) || FILE.test(code) || /\*|[<>{}|\\"]|^[./~#-]|[a-z]\/|:\s/.test(code)) {
    // A member such as `.Result` or `.unwrap()` begins with a dot.
    if (!/^\.[A-Za-z]\w*(?:\(\))?$/.test(code) || (FILE.test(code) && /^\.[a-z]+$/.test(code)))
      return undefined;
    if (!/[A-Z(]/.test(code)) return undefined;
  }
  if (!isCodeLike(code)) return undefined;
  return { literal: code, pattern: patternOf(code) };
}

/** Lines that import a package or a name. */
export function importOf(code: string): CodeWord | undefined {
  if (!/^[@$]?[\w][\w./-]{1,60}$/.test(code) || FILE.test(code) || PLACEHOLDER.test(code)) return undefined;
  return { literal: `import ${code}`, pattern: `\\b(import|from|require|use)\\b.*${patternOf(code)}` };
}

/** Whether it has a form that prose does not have: a call, a member, an inner capital, an underscore, an at sign. */
function isCodeLike(code: string): boolean {
  return /[a-z][A-Z]|[A-Z]{2}[a-z]|_|\w\.\w|\(|^@\w|^\$|::|=>|^\.\w/.test(code);
}

/** Between word boundaries; a call matches whatever its arguments are; any white space matches white space. */
export function patternOf(code: string): string {
  const name = code.replace(/\(\)?$/, "");
  const isCall = name !== code;
  const start = /^\w/.test(name) ? "\\b" : "";
  const end = isCall ? "\\(" : /\w$/.test(name) ? "\\b" : "";
  return `${start}${escaped(name)}${end}`;
}

export function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&").replace(/\s+/g, "\\s+");
}
