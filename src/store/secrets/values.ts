import { isRandom, wordLength } from "./random.ts";

/** How a value stands in the text. */
export type Stands =
  /** `"value"` */
  | "quoted"
  /** `NAME=value`, as in env files, shells, queries: what stands there is meant literally. */
  | "literal"
  /** `name = value`, `name: value`: may as well be code. */
  | "bare"
  /** "the password is value" */
  | "prose";

const STANDS_FOR_ONE =
  /^(?:\$\{[^}]*\}.{0,3}|\$[A-Za-z_]\w*|\$\(.*|\{\{.*|\{[\w.]*\}|<[^>]*>?|%[A-Za-z_]\w*%|%[sdvr]|\[?redacted\b.*|\[redacted.*|\*+|x{3,}|\.{3}.*|…+|-+|_+|#\{.*|@[\w.]+@|ENC\[.*|op:\/\/.*|vault:.*|arn:.*|ref\+.*|projects\/.*)$/i;
/** Words of which placeholders are made: "your-api-key-here". */
const WORDS_FOR_ONE =
  "your my the some a an insert enter put add replace change set use with test fake dummy mock sample example foo bar baz placeholder todo tbd here none null nil undefined true false yes no empty optional required string str number int bool boolean any object text bytes char value default new old current user db database api app admin root key keys secret secrets token tokens password passwords passwd pass pwd passphrase credential credentials auth access private public bearer basic client id me it this of from env var in prod dev hidden masked encrypted plain changeme letmein please generated random long strong super very x xx xxx xxxx";
let wordsForOne: Set<string> | undefined;
const LONGEST_WORD = 12;
const LONGEST_PLACEHOLDER = 60;

/** Can it be put together from these words? Each place is reached once, so no text makes it slow. */
function isMadeOfThem(value: string): boolean {
  const text = value.replace(/\d{0,3}!?$/, "").toLowerCase();
  wordsForOne ??= new Set(WORDS_FOR_ONE.split(" "));
  const isReached = new Uint8Array(text.length + 1);
  isReached[0] = 1;
  for (let at = 0; at < text.length; at++) {
    if (isReached[at] === 0) continue;
    if (at > 0 && "-_. ".includes(text.charAt(at))) isReached[at + 1] = 1;
    for (let to = at + 1; to <= Math.min(text.length, at + LONGEST_WORD); to++) {
      if (wordsForOne.has(text.slice(at, to))) isReached[to] = 1;
    }
  }
  return isReached[text.length] === 1;
}

const EXPRESSION = /[()[\]{}]|\$\d+$|=>|->|::|&&|\|\||\?\?|\?\.|^!|^&|^\*|^new /;
const MEMBERS = /^[A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$][\w$]*)+$/;
const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;
/** Words with a small number here and there: names of things, paths, selectors. */
const WORDS = /^[#.@/~:]{0,3}[A-Za-z]+(?:[-_./:@ ]{1,2}(?:[A-Za-z]+\d{0,2}|\d{1,3}))*\d{0,1}[/:.,!?]?$/;
const NUMBER = /^[\d.,:+TZ/ -]+[a-z%]{0,3}$/;
/** Digits that belong to a word: "sha256", "base64", "v2". */
const KNOWN_DIGITS =
  /(?<![A-Za-z0-9])(?:sha|md|base|utf|aes|rsa|hs|rs|es|oauth|http|v|x|ed|argon|int|uint|float|ec|level|step|k8s|s3|ec2|i18n|l10n|a11y)-?\d{0,4}(?![a-z0-9])|(?<=[a-z])(?:Sha|Base|Utf|Aes|SHA|AES|V)-?\d{1,4}(?![a-z0-9])|^(?:sha|md|base|utf|aes)\d{1,4}(?=[A-Z_-])/g;
const LOCATION = /^(?:[a-z][a-z0-9+.-]*:\/\/|\.{0,2}\/[\w.-]+\/|\.{1,2}\/|~\/|[A-Za-z]:\\)/;

export function isPlaceholder(value: string): boolean {
  return (
    STANDS_FOR_ONE.test(value) ||
    (value.length <= LONGEST_PLACEHOLDER && isMadeOfThem(value)) ||
    /^(.)\1*$/.test(value)
  );
}

/** Whether what stands behind a name that says "secret" is one, and not a type, a variable, a placeholder, prose. */
export function isSecretValue(value: string, stands: Stands, isPassword: boolean): boolean {
  if (value.length < (isPassword ? 5 : 8)) return false;
  if (isPassword && stands !== "prose" && /^[a-z]{12,40}\d{1,4}!?$/.test(value)) return true;
  if (isPlaceholder(value) || LOCATION.test(value)) return false;
  if (stands === "quoted" && isSalt(value)) return true;
  if (NUMBER.test(value)) return isPassword && /^\d{6,}$/.test(value) && stands !== "bare";
  if (value.includes("${") || value.includes("{{") || value.includes("#{")) {
    return isRandom(value.replace(/[$#]?\{{1,3}[^{}]*\}{1,3}/g, " "));
  }
  if (stands === "quoted") return isDrawn(value, isPassword);
  // Of a literal only what is plainly code is none.
  if (stands === "literal") {
    if (/^[A-Za-z_$][\w$.]*[([]/.test(value) || /^[[({]/.test(value) || MEMBERS.test(value)) return false;
    return isDrawn(value, isPassword) || (isPassword && value.length >= 8 && !/[-_./:]/.test(value));
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
  return isDrawn(value, isPassword);
}

/** Keys that are drawn from all signs, blanks too, as WordPress draws them. */
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

/** Not made of words alone. */
function isDrawn(value: string, isPassword: boolean): boolean {
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

/** In prose only what cannot be a word. */
export function isTold(value: string): boolean {
  return (
    value.length >= 6 &&
    ((/\d/.test(value) && /[A-Za-z]/.test(value)) || /[!@#$%^&*=~]/.test(value.slice(0, -1)))
  );
}

/** Several words that were drawn: "orbit velvet canyon tulip". */
export function isPhrase(value: string): boolean {
  return /^\w{2,20}(?:[ -]\w{1,20}){3,30}$/.test(value);
}

/** Words that stand where a password would, and are none: of forms, defaults, and the word itself in other languages. */
const NO_PASSWORD =
  /^(?:required|invalid|incorrect|missing|wrong|unknown|disabled|enabled|optional|visible|forgotten|expired|username|email|login|number|string|textfield|hidden|submit|confirm|verify|update|create|delete|strength|postgres|postgresql|mysql|mariadb|redis|mongo|mongodb|rabbitmq|guest|example|include|manual|prompt|stdin|keychain|keyring|external|internal|bcrypt|scrypt|argon|pbkdf|contrasena|passwort|kennwort|senha|wachtwoord|parola|heslo|salasana|passord|adgangskode|general|message|simple|ldap|kerberos|always|never|never_|interactive|credentials)$/;

/** `password: "sunshine"`: one word of small letters, in quotes, is a password as people choose them. */
export function isOneWord(value: string): boolean {
  return (
    /^[a-z]{6,40}$/.test(value) &&
    !isPlaceholder(value) &&
    !NO_PASSWORD.test(value) &&
    !/passw|secret|token/.test(value)
  );
}
