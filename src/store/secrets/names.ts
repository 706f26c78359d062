/** What a name says about its value. */
export type NameMeaning = "password" | "token" | "header" | "cookie" | undefined;

/** A set of words, created on first use: hooks that redact nothing do not pay for it. */
function words(list: string): { test(word: string): boolean } {
  let set: Set<string> | undefined;
  return {
    test(word) {
      set ??= new Set(list.split(" "));
      return set.has(word);
    },
  };
}

const PASSWORD = words(
  "password passwd passwort pwd pass passphrase passcode userpass pgpassword mysqlpwd sshpass psw contrasena mdp pw psk",
);
const PASSWORD_END = /(?:password|passwd|passphrase|passwort)$/;
const TOKEN = words(
  "secret secrets token apikey apikeys apitoken apisecret accesskey secretkey privatekey accountkey encryptionkey signingkey masterkey authkey authtoken accesstoken refreshtoken idtoken clientsecret sharedsecret webhooksecret appsecret credential credentials creds auth mnemonic authorization pat jwt bearer salt sharedaccesskey sas instrumentationkey",
);
const TOKEN_END = /(?:secret|token|apikey|accesskey|secretkey|privatekey|authkey)$/;
/** Words before "key" that make it a secret. */
const OF_KEY = words(
  "api access private secret encryption encrypt decryption signing signature sign account auth authentication master shared storage session service admin deploy ssh hmac aes crypto cipher subscription jwt webhook client license server rsa write ingest ingestion function functions host primary secondary bot application app integration consumer rest live openai anthropic gemini stripe aws gcp azure dd datadog sendgrid mailgun twilio algolia pinecone cohere mistral groq sas salt base pem vapid csrf cookie flask django rails preshared pre unseal",
);
const WEAK =
  /^(?:primary|secondary|host|app|application|server|client|service|base|write|rest|live)[_-]?keys?$/i;

/** Whether the name usually belongs to something else. */
export function isWeak(name: string): boolean {
  return WEAK.test(name);
}

/** A name that ends with one of these words is about a secret, or about something else, but does not hold a secret. */
const ABOUT = words(
  "id ids name names count counts counter file files filename path paths dir url uri urls type types length len size limit limits max min field fields label labels hint ttl expiry expires expire expiration policy error errors message msg status provider manager store service handler list usage used pattern regex regexp format prefix suffix header headers param params env var ref arn version mode enabled required strength reset input box kind budget text at rotation endpoint changed updated created column page form validator rule rules schema generator hasher class tag tags selector placeholder title description help doc docs option options index idx pos position offset span stream method scheme location source vault engine cache map table info data only based less free like ing ization izer fn func callback confirmation confirm visible toggle show code codes algorithm alg bits usages ops word words cost costs price rate window per s",
);
const NOT_SECRET = words(
  "no has is use uses show hide max min num total next prev previous page continuation sync cursor cancellation cancel design sort foreign public partition cache idempotency csrf xsrf forgot reset count missing invalid expected unexpected syntax parse current last first left right opening closing eof start end stop special pad unk mask color theme spacing prompt completion output reasoning thinking cached about with without by skip allow disable enable need needs require requires",
);

/** What a secret's name contains. The scan searches for the first three letters. */
export const KEYWORD =
  /pass|pwd|psw|psk|secret|token|key|cred|auth|cookie|salt|mnemonic|jwt|sig(?:nature)?(?![a-z])|pat(?![a-z])|sas(?![a-z])/iy;
export const KEYWORD_BEGINNINGS = [
  "pas",
  "pwd",
  "psw",
  "psk",
  "sec",
  "tok",
  "key",
  "cre",
  "aut",
  "coo",
  "sal",
  "mne",
  "jwt",
  "sig",
  "pat",
  "sas",
];

function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1-$2")
    .replace(/([A-Z]+)([A-Z][a-z])/g, "$1-$2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "");
}

const known = new Map<string, NameMeaning>();
const MOST_KNOWN = 500;

/** What a name says about its value; undefined if it is not a secret's name. Cached, because names recur. */
export function meaningOfName(name: string): NameMeaning {
  const before = known.get(name);
  if (before !== undefined || known.has(name)) return before;
  if (known.size >= MOST_KNOWN) known.clear();
  const meaning = readName(name);
  known.set(name, meaning);
  return meaning;
}

function readName(name: string): NameMeaning {
  // `config.master.key`: if the last part is only "key", the part before it tells which key.
  const part = name.lastIndexOf(".", /\.keys?$/.test(name) ? name.lastIndexOf(".") - 1 : name.length);
  const words = wordsOf(name.slice(part + 1) || name);
  while (
    words.length > 1 &&
    /^\d+$|^(?:prod|production|dev|staging|local|live|old|new|value|base64|b64|plain|raw|encoded|default|env|str|string|here|main)$/.test(
      words.at(-1) ?? "",
    )
  )
    words.pop();
  const last = words.at(-1);
  if (last === undefined || words.some((word, at) => at < words.length - 1 && NOT_SECRET.test(word)))
    return undefined;
  if (/^(?:authorization)$/.test(last)) return "header";
  if (last === "cookie" || last === "cookies") return "cookie";
  if (PASSWORD.test(last) || PASSWORD_END.test(last)) return "password";
  if (TOKEN.test(last) || TOKEN_END.test(last)) return "token";
  const before = words.slice(0, -1);
  if (last === "phrase" && /^(?:pass|seed|secret|recovery)$/.test(before.at(-1) ?? "")) return "password";
  if (/^(?:key|keys)$/.test(last)) {
    const own = before.at(-1) ?? "";
    return OF_KEY.test(own) || TOKEN.test(own) || PASSWORD.test(own) ? "token" : undefined;
  }
  if (/^(?:signature|sig)$/.test(last))
    return words.length > 1 && /^(?:amz|goog|access|shared)$/.test(before.at(-1) ?? "") ? "token" : undefined;
  if (last === "base" && before.at(-1) === "key") return "token";
  if (ABOUT.test(last)) return undefined;
  // SECRET_FOR_BILLING, DB_PASSWORD_READER: the telling word is inside the name.
  if (!/[_-]/.test(name) || name !== name.toUpperCase()) return undefined;
  return before.some((word) => PASSWORD.test(word))
    ? "password"
    : before.some((word) => TOKEN.test(word))
      ? "token"
      : undefined;
}
