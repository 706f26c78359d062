/**
 * Whether a text is random rather than written: at least eight characters in a run with digits, or at least twelve that
 * change case more often than names do. Entropy is not used: with twenty characters it cannot distinguish a key from a
 * name.
 */
export function isRandom(text: string): boolean {
  let from = 0;
  for (let at = 0; at <= text.length; at++) {
    const code = at < text.length ? text.charCodeAt(at) : 45;
    const isWithin = (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
    if (isWithin) continue;
    if (at - from >= 8 && isRandomPiece(text.slice(from, at))) return true;
    from = at + 1;
  }
  return false;
}

function isRandomPiece(piece: string): boolean {
  if (/\d/.test(piece)) return !/^(.)\1*$/.test(piece);
  return piece.length >= 12 && wordLength(piece) < 3;
}

/** The average length of a camel-case name's words: at least four in names, about two in random letters. */
function wordLength(letters: string): number {
  return letters.length / (letters.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g)?.length ?? 1);
}

/** How a value is written in the text. */
export type ValueContext =
  /** `"value"` */
  | "quoted"
  /** `NAME=value`, as in env files, shells and queries: the value is literal. */
  | "literal"
  /** `name = value`, `name: value`: the value may be code. */
  | "bare"
  /** "the password is value" */
  | "prose";

const PLACEHOLDER =
  /^(?:\$\{[^}]*\}.{0,3}|\$[A-Za-z_]\w*|\$\(.*|\{\{.*|\{[\w.]*\}|<[^>]*>?|%[A-Za-z_]\w*%|%[sdvr]|\[?redacted\b.*|\[redacted.*|\*+|x{3,}|\.{3}.*|\u2026+|-+|_+|#\{.*|@[\w.]+@|ENC\[.*|op:\/\/.*|vault:.*|arn:.*|ref\+.*|projects\/.*)$/i;
/** Words that placeholders consist of: "your-api-key-here". */
const PLACEHOLDER_WORDS =
  "your my the some a an insert enter put add replace change set use with test fake dummy mock sample example foo bar baz placeholder todo tbd here none null nil undefined true false yes no empty optional required string str number int bool boolean any object text bytes char value default new old current user db database api app admin root key keys secret secrets token tokens password passwords passwd pass pwd passphrase credential credentials auth access private public bearer basic client id me it this of from env var in prod dev hidden masked encrypted plain changeme letmein please generated random long strong super very x xx xxx xxxx";
let placeholderWords: Set<string> | undefined;
const LONGEST_WORD = 12;
const LONGEST_PLACEHOLDER = 60;

/** Whether the value consists of these words. Each position is visited once, so no text makes it slow. */
function consistsOfPlaceholderWords(value: string): boolean {
  const text = value.replace(/\d{0,3}!?$/, "").toLowerCase();
  placeholderWords ??= new Set(PLACEHOLDER_WORDS.split(" "));
  const isReached = new Uint8Array(text.length + 1);
  isReached[0] = 1;
  for (let at = 0; at < text.length; at++) {
    if (isReached[at] === 0) continue;
    if (at > 0 && "-_. ".includes(text.charAt(at))) isReached[at + 1] = 1;
    for (let to = at + 1; to <= Math.min(text.length, at + LONGEST_WORD); to++) {
      if (placeholderWords.has(text.slice(at, to))) isReached[to] = 1;
    }
  }
  return isReached[text.length] === 1;
}

const EXPRESSION = /[()[\]{}]|\$\d+$|=>|->|::|&&|\|\||\?\?|\?\.|^!|^&|^\*|^new /;
const MEMBERS = /^[A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$][\w$]*)+$/;
const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;
/** Words with an occasional small number: identifiers, paths, selectors. */
const WORDS = /^[#.@/~:]{0,3}[A-Za-z]+(?:[-_./:@ ]{1,2}(?:[A-Za-z]+\d{0,2}|\d{1,3}))*\d{0,1}[/:.,!?]?$/;
const NUMBER = /^[\d.,:+TZ/ -]+[a-z%]{0,3}$/;
/** Digits that are part of a word: "sha256", "base64", "v2". */
const KNOWN_DIGITS =
  /(?<![A-Za-z0-9])(?:sha|md|base|utf|aes|rsa|hs|rs|es|oauth|http|v|x|ed|argon|int|uint|float|ec|level|step|k8s|s3|ec2|i18n|l10n|a11y)-?\d{0,4}(?![a-z0-9])|(?<=[a-z])(?:Sha|Base|Utf|Aes|SHA|AES|V)-?\d{1,4}(?![a-z0-9])|^(?:sha|md|base|utf|aes)\d{1,4}(?=[A-Z_-])/g;
const LOCATION = /^(?:[a-z][a-z0-9+.-]*:\/\/|\.{0,2}\/[\w.-]+\/|\.{1,2}\/|~\/|[A-Za-z]:\\)/;

export function isPlaceholder(value: string): boolean {
  return (
    PLACEHOLDER.test(value) ||
    (value.length <= LONGEST_PLACEHOLDER && consistsOfPlaceholderWords(value)) ||
    /^(.)\1*$/.test(value)
  );
}

/** Whether this value of a secret's name is a secret, and not a type, a variable, a placeholder or prose. */
export function isSecretValue(value: string, context: ValueContext, isPassword: boolean): boolean {
  if (value.length < (isPassword ? 5 : 8)) return false;
  if (isPassword && context !== "prose" && /^[a-z]{12,40}\d{1,4}!?$/.test(value)) return true;
  if (isPlaceholder(value) || LOCATION.test(value)) return false;
  if (context === "quoted" && isSalt(value)) return true;
  if (NUMBER.test(value)) return isPassword && /^\d{6,}$/.test(value) && context !== "bare";
  if (value.includes("${") || value.includes("{{") || value.includes("#{")) {
    return isRandom(value.replace(/[$#]?\{{1,3}[^{}]*\}{1,3}/g, " "));
  }
  if (context === "quoted") return isNotWords(value, isPassword);
  // A literal is a secret unless it is plainly code.
  if (context === "literal") {
    if (/^[A-Za-z_$][\w$.]*[([]/.test(value) || /^[[({]/.test(value) || MEMBERS.test(value)) return false;
    return isNotWords(value, isPassword) || (isPassword && value.length >= 8 && !/[-_./:]/.test(value));
  }
  if (MEMBERS.test(value) && !isRandom(value)) return false;
  if (EXPRESSION.test(value))
    return !/^[\w$.]*[([{]/.test(value) && isPassword && /\d/.test(value) && !/[()[\]]/.test(value);
  if (
    IDENTIFIER.test(value) &&
    /^[a-z]+\d?[A-Z][a-z]|[a-z]_[a-z]/.test(value) &&
    !isRandom(value.replace(/_/g, "-"))
  )
    return false;
  return isNotWords(value, isPassword);
}

/** Random keys with all kinds of characters, spaces too, as WordPress generates them. */
function isSalt(value: string): boolean {
  return (
    value.length >= 24 &&
    value.includes(" ") &&
    /\d/.test(value) &&
    /[A-Z]/.test(value) &&
    (value.match(/[!@#$%^&*|;:<>?+=~`{}()[\]-]/g)?.length ?? 0) >= 4 &&
    value.length / value.split(" ").length >= 7 &&
    !/(?:^| )[a-z]{2,12}(?: [a-z]{2,12}){2}/.test(value)
  );
}

/** Whether the value is more than a series of words. */
function isNotWords(value: string, isPassword: boolean): boolean {
  if (/\s/.test(value)) return false;
  if (
    WORDS.test(value) &&
    isPassword &&
    value.split(/[^A-Za-z]+/).some((part) => part.length >= 8 && wordLength(part) < 3)
  )
    return true;
  if (WORDS.test(value)) return isRandom(value) && !/^[\w-]*(?:[-_.][A-Za-z]{2,}){3,}/.test(value);
  const rest = value.replace(KNOWN_DIGITS, "");
  const hasDigit = /\d/.test(rest);
  const hasLetter = /[A-Za-z]/.test(rest);
  if (hasDigit && hasLetter) return true;
  if (!isPassword) return isRandom(value) || /^[A-Za-z0-9+/_-]{24,}={1,2}$/.test(value);
  return (
    hasLetter && /[!@#$%^&*+=~?]/.test(value.slice(1, -1) + value.slice(-1)) && !/[()<>{}[\]|,]/.test(value)
  );
}

/** In prose, only what cannot be a word counts. */
export function isNotAWord(value: string): boolean {
  return (
    value.length >= 6 &&
    ((/\d/.test(value) && /[A-Za-z]/.test(value)) || /[!@#$%^&*=~]/.test(value.slice(0, -1)))
  );
}

/** Several random words: "orbit velvet canyon tulip". */
export function isPhrase(value: string): boolean {
  return /^\w{2,20}(?:[ -]\w{1,20}){3,30}$/.test(value);
}

/** "abcd efgh ijkl mnop": four groups of four letters, as mail services generate app passwords. */
const APP_PASSWORD = /[a-z]{4}(?: [a-z]{4}){3}(?![\w-])/y;
export function endOfAppPassword(text: string, from: number): number | undefined {
  APP_PASSWORD.lastIndex = from;
  const found = APP_PASSWORD.exec(text)?.[0];
  return found === undefined || isSentence(found) ? undefined : from + found.length;
}
export const isAppPassword = (value: string): boolean => endOfAppPassword(value, 0) === value.length;

/** Words that occur in sentences but not in phrases of random words. */
const SENTENCE_WORDS =
  /\b(?:the|that|this|with|from|will|have|your|when|must|been|also|only|need|and|for|are|was|can|not|you|its|which|used)\b/;
export const isSentence = (value: string): boolean => SENTENCE_WORDS.test(value);

/**
 * Words that occur in the place of a password but are not one: from forms, defaults, and "password" in other languages.
 */
const NO_PASSWORD =
  /^(?:required|invalid|incorrect|missing|wrong|unknown|disabled|enabled|optional|visible|forgotten|expired|username|email|login|number|string|textfield|hidden|submit|confirm|verify|update|create|delete|strength|postgres|postgresql|mysql|mariadb|redis|mongo|mongodb|rabbitmq|guest|example|include|manual|prompt|stdin|keychain|keyring|external|internal|bcrypt|scrypt|argon|pbkdf|contrasena|passwort|kennwort|senha|wachtwoord|parola|heslo|salasana|passord|adgangskode|general|message|simple|ldap|kerberos|always|never|never_|interactive|credentials)$/;

/** `password: "sunshine"`: one lower-case word in quotes is a typical password. */
export function isOneWord(value: string): boolean {
  return (
    /^[a-z]{6,40}$/.test(value) &&
    !isPlaceholder(value) &&
    !NO_PASSWORD.test(value) &&
    !/passw|secret|token/.test(value)
  );
}
