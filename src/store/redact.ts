/**
 * Secrets stay out of everything derived. These are the shapes of keys that providers document, and assignments
 * whose name says that the value is secret. Every pattern is linear: no nested repetition.
 */
const SHAPES: readonly (readonly [kind: string, pattern: RegExp])[] = [
  ["private-key", /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g],
  ["anthropic-key", /\bsk-ant-[A-Za-z0-9_-]{8,}/g],
  ["openai-key", /\bsk-(?:proj-|svcacct-)?[A-Za-z0-9_-]{20,}/g],
  ["github-token", /\b(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,})/g],
  ["gitlab-token", /\bglpat-[A-Za-z0-9_-]{16,}/g],
  ["aws-key", /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g],
  ["google-key", /\bAIza[A-Za-z0-9_-]{30,}/g],
  ["slack-token", /\bxox[abeoprs]-[A-Za-z0-9-]{10,}/g],
  ["stripe-key", /\b[rs]k_(?:live|test)_[A-Za-z0-9]{16,}/g],
  ["npm-token", /\bnpm_[A-Za-z0-9]{30,}/g],
  ["hf-token", /\bhf_[A-Za-z0-9]{20,}/g],
  ["jwt", /\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{4,}/g],
];

const URL_PASSWORD = /(\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:@/]{1,100}):[^\s:@/]{1,200}@/gi;
const BEARER = /(\b(?:bearer|basic)\s+)[A-Za-z0-9._~+/=-]{12,}/gi;
const ASSIGNED =
  /(\b[\w.-]{0,40}(?:api[_-]?key|secret|token|passw(?:or)?d|passphrase|private[_-]?key|credentials?)["']?\s{0,4}[:=]\s{0,4})(["']?)([^\s"',;]{8,})/gi;

/** The two above are slow to look for, and few texts have what each of them must have. */
const SCHEME = /bearer|basic/i;
const ASSIGNMENT =
  /(?:api[_-]?key|secret|token|passw(?:or)?d|passphrase|private[_-]?key|credentials?)["']?\s{0,4}[:=]/i;

/** What every secret above has in some form: most texts have none of it, and need no second look. */
const HINTS =
  /sk-|gh[pousr]_|github_pat_|glpat-|A[KS]IA|AIza|xox|k_live_|k_test_|npm_|hf_|eyJ|BEGIN|:\/\/|bearer|basic|key|secret|token|passw|passphrase|credential/i;

export function redact(text: string): string {
  if (!HINTS.test(text)) return text;
  let clean = text;
  for (const [kind, pattern] of SHAPES) clean = clean.replace(pattern, `[redacted:${kind}]`);
  if (clean.includes("://")) clean = clean.replace(URL_PASSWORD, "$1:[redacted:password]@");
  if (SCHEME.test(clean)) clean = clean.replace(BEARER, "$1[redacted:token]");
  if (!ASSIGNMENT.test(clean)) return clean;
  return clean.replace(ASSIGNED, (whole, name: string, quoted: string, value: string) =>
    value.startsWith("[redacted:") ? whole : `${name}${quoted}[redacted:value]`,
  );
}

/** Redacts every string in a JSON value. */
export function redactDeep<T>(value: T): T {
  if (typeof value === "string") return redact(value) as T;
  if (Array.isArray(value)) return value.map(redactDeep) as T;
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, redactDeep(inner)])) as T;
  }
  return value;
}
