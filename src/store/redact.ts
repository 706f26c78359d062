import { findInAddresses, findLogins } from "./secrets/addresses.ts";
import { findAssigned } from "./secrets/assignments.ts";
import { findBlocks } from "./secrets/blocks.ts";
import { findInOtherScripts, findShapes, HINTS } from "./secrets/commands.ts";
import { type Work, workFor } from "./secrets/extent.ts";
import { findInManifests } from "./secrets/manifests.ts";
import { KEYWORD_BEGINNINGS, meaningOfName } from "./secrets/names.ts";
import { plainView } from "./secrets/plain-view.ts";
import { type Scan, scanner } from "./secrets/scan.ts";
import { replaceSpans, type Span, withoutMarks } from "./secrets/spans.ts";
import { findTokens, tokenStarts } from "./secrets/tokens.ts";
import { isSecretValue } from "./secrets/values.ts";

/**
 * Increase it whenever more is redacted: everything derived earlier is then rebuilt (`store/derived-index/shape.ts`).
 */
export const REDACTION = 5;

/** No secret is shorter than this, including the text around it that identifies it. */
const MIN_LENGTH = 8;

/**
 * Keeps secrets out of everything derived: tokens of known formats, private keys, passwords in URLs and commands, and
 * values of names such as `password`. Takes linear time for any text. See docs/design/state.md.
 */
export function redact(text: string): string {
  const spans = secretsIn(text);
  return spans.length === 0 ? text : replaceSpans(text, spans, (_, kind) => `[redacted:${kind}]`);
}

/** Masks the secrets and keeps the length and the lines of the text, so that positions in it stay valid. */
export function maskSecrets(text: string): string {
  const spans = secretsIn(text);
  return spans.length === 0 ? text : replaceSpans(text, spans, (secret) => secret.replace(/[^\r\n]/g, "_"));
}

/** A name whose value may be secret. */
const HINT = /pass|pwd|psw|psk|pw|secret|token|key|cred|auth|cookie|salt|mnemonic|jwt|pat|sas/i;

function secretsIn(text: string): Span[] {
  if (text.length < MIN_LENGTH) return [];
  const spans = findSecrets(text, workFor(text));
  const view = plainView(text);
  if (view !== undefined)
    for (const span of findSecrets(view.text, workFor(view.text))) spans.push(view.place(span));
  return withoutMarks(text, spans);
}

let scan: ((text: string) => Scan) | undefined;

/** All secrets of a text. The characters that were examined closely are added to `work`. */
export function findSecrets(text: string, work: Work): Span[] {
  scan ??= scanner({ starts: tokenStarts(), keywords: KEYWORD_BEGINNINGS, texts: HINTS });
  const { starts, keywords, seen } = scan(text);
  const spans: Span[] = [];
  findTokens(text, starts, spans, work);
  findAssigned(text, keywords, spans, work);
  findShapes(text, seen, spans);
  findInOtherScripts(text, spans);
  findBlocks(text, spans);
  findInAddresses(text, spans);
  findLogins(text, spans);
  if (text.includes("Secret")) findInManifests(text, spans);
  return spans;
}

/** Redacts every string in a JSON value. If a key's name indicates a secret, its whole value is redacted. */
export function redactDeep<T>(value: T): T {
  return deep(value, "") as T;
}

function deep(value: unknown, key: string): unknown {
  if (typeof value === "string") {
    const meaning = HINT.test(key) ? meaningOfName(key) : undefined;
    const isSecret = meaning !== undefined && isSecretValue(value, "quoted", meaning === "password");
    return isSecret ? "[redacted:value]" : redact(value);
  }
  if (Array.isArray(value)) return value.map((one) => deep(one, key));
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, deep(inner, name)]));
  }
  return value;
}
