/** What people forbid by name: which text an edit adds then, and in which files it means that. */

export interface CodeWord {
  /** As people read it. */
  readonly literal: string;
  /** A regular expression, searched in each added line. */
  readonly pattern: string;
  readonly files?: readonly string[];
}

const TYPESCRIPT = ["**/*.ts", "**/*.tsx", "**/*.mts", "**/*.cts"];
const JAVASCRIPT = [...TYPESCRIPT, "**/*.js", "**/*.jsx", "**/*.mjs", "**/*.cjs"];
const PYTHON = ["**/*.py"];

interface Known {
  /** How it is written in a sentence, without code marks. */
  readonly said: string;
  readonly literal: string;
  readonly pattern: string;
  readonly files?: readonly string[];
  /** Only between code marks: without them the word is an ordinary one. */
  readonly isCodeOnly?: true;
}

const KNOWN: readonly Known[] = [
  { said: "any", literal: "any", pattern: "\\bany\\b", files: TYPESCRIPT },
  { said: "as any", literal: "as any", pattern: "\\bas any\\b", files: TYPESCRIPT },
  { said: "@?ts-ignore", literal: "@ts-ignore", pattern: "@ts-ignore\\b", files: JAVASCRIPT },
  {
    said: "@?ts-expect-error",
    literal: "@ts-expect-error",
    pattern: "@ts-expect-error\\b",
    files: JAVASCRIPT,
  },
  { said: "@?ts-nocheck", literal: "@ts-nocheck", pattern: "@ts-nocheck\\b", files: JAVASCRIPT },
  { said: "eslint-disable", literal: "eslint-disable", pattern: "\\beslint-disable", files: JAVASCRIPT },
  {
    said: "console\\.logs?(?:\\(\\))?",
    literal: "console.log",
    pattern: "\\bconsole\\.log\\b",
    files: JAVASCRIPT,
  },
  { said: "debugger", literal: "debugger", pattern: "\\bdebugger\\b", files: JAVASCRIPT },
  { said: "var", literal: "var", pattern: "\\bvar\\b", files: JAVASCRIPT },
  {
    said: "default exports?|export default",
    literal: "export default",
    pattern: "\\bexport\\s+default\\b",
    files: JAVASCRIPT,
  },
  { said: "==", literal: "==", pattern: "(^|[^=!<>])==([^=]|$)", files: JAVASCRIPT, isCodeOnly: true },
  { said: "enum", literal: "enum", pattern: "\\benum\\b", files: TYPESCRIPT, isCodeOnly: true },
  {
    said: "namespace",
    literal: "namespace",
    pattern: "\\bnamespace\\b",
    files: TYPESCRIPT,
    isCodeOnly: true,
  },
  { said: "React\\.FC", literal: "React.FC", pattern: "\\bReact\\.FC\\b", files: ["**/*.tsx"] },
  { said: "print(?:\\(\\)| statements?| calls?)", literal: "print(", pattern: "\\bprint\\(", files: PYTHON },
  { said: "print\\(?", literal: "print(", pattern: "\\bprint\\(", files: PYTHON, isCodeOnly: true },
  { said: "(?:# )?type: ignore", literal: "type: ignore", pattern: "#\\s*type:\\s*ignore", files: PYTHON },
  { said: "(?:# )?noqa", literal: "noqa", pattern: "#\\s*noqa\\b", files: PYTHON },
  { said: "import \\*", literal: "import *", pattern: "\\bimport\\s+\\*", files: PYTHON, isCodeOnly: true },
  { said: "(?:\\.)?unwrap(?:\\(\\))?", literal: "unwrap()", pattern: "\\.unwrap\\(\\)", files: ["**/*.rs"] },
  { said: "unsafe", literal: "unsafe", pattern: "\\bunsafe\\b", files: ["**/*.rs"], isCodeOnly: true },
  {
    said: "dynamic",
    literal: "dynamic",
    pattern: "\\bdynamic\\b",
    files: ["**/*.dart", "**/*.cs"],
    isCodeOnly: true,
  },
  { said: "async void", literal: "async void", pattern: "\\basync\\s+void\\b", files: ["**/*.cs"] },
  { said: "puts", literal: "puts", pattern: "\\bputs\\b", files: ["**/*.rb"], isCodeOnly: true },
  {
    said: "eval(?:\\(\\))?",
    literal: "eval(",
    pattern: "\\beval\\(",
    files: [...JAVASCRIPT, ...PYTHON, "**/*.rb", "**/*.php"],
  },
  {
    said: "goto",
    literal: "goto",
    pattern: "\\bgoto\\b",
    files: ["**/*.c", "**/*.cc", "**/*.cpp", "**/*.h", "**/*.go", "**/*.cs", "**/*.php"],
  },
  {
    said: "!important",
    literal: "!important",
    pattern: "!\\s*important\\b",
    files: ["**/*.css", "**/*.scss", "**/*.less"],
  },
  {
    said: "@apply",
    literal: "@apply",
    pattern: "@apply\\b",
    files: ["**/*.css", "**/*.scss"],
    isCodeOnly: true,
  },
  { said: "SELECT \\*", literal: "SELECT *", pattern: "\\b[Ss][Ee][Ll][Ee][Cc][Tt]\\s+\\*" },
  { said: "TODOs?|TODO comments", literal: "TODO", pattern: "\\bTODO\\b" },
  { said: "FIXMEs?|FIXME comments", literal: "FIXME", pattern: "\\bFIXME\\b" },
];

const LANGUAGES: Readonly<Record<string, readonly string[]>> = {
  typescript: TYPESCRIPT,
  ts: TYPESCRIPT,
  javascript: JAVASCRIPT,
  js: JAVASCRIPT,
  python: PYTHON,
  rust: ["**/*.rs"],
  go: ["**/*.go"],
  java: ["**/*.java"],
  kotlin: ["**/*.kt", "**/*.kts"],
  swift: ["**/*.swift"],
  ruby: ["**/*.rb"],
  php: ["**/*.php"],
  dart: ["**/*.dart"],
  css: ["**/*.css", "**/*.scss"],
  sql: ["**/*.sql"],
};

/** As part of a pattern: the languages that can be named. */
export const LANGUAGE = Object.keys(LANGUAGES).join("|");

export function filesOf(language: string | undefined): readonly string[] | undefined {
  return language === undefined ? undefined : LANGUAGES[language.toLowerCase()];
}

/** As part of a pattern: what is known to be code also without marks. */
export const SAID = KNOWN.filter(({ isCodeOnly }) => isCodeOnly === undefined)
  .map(({ said }) => said)
  .join("|");

/** A word that is known; undefined for others. */
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
 * A check for code that a sentence names. Undefined if the text could mean many things in a file: ordinary words, paths,
 * placeholders, single signs.
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

/** It has a form that prose does not have: a call, a member, an inner capital, an underscore, an at sign. */
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
