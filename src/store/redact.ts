import { findSecrets } from "./secrets/find.ts";
import { whatNameSays } from "./secrets/names.ts";
import { plainView } from "./secrets/plain-view.ts";
import { replaceSpans, type Span, withoutMarks } from "./secrets/spans.ts";
import { isSecretValue } from "./secrets/values.ts";
import { workFor } from "./secrets/work.ts";

/** Increment it whenever more is redacted: everything that was derived before is then rebuilt. */
export const REDACTION = 3;

/** No secret is shorter than this, including the context that identifies it. */
const MIN_LENGTH = 8;

/**
 * Keeps secrets out of everything derived: tokens of known formats, private keys, passwords in addresses and commands, and
 * values whose name says that they are secret. Takes linear time for any text. See docs/design/state.md.
 */
export function redact(text: string): string {
  const spans = secretsIn(text);
  return spans.length === 0 ? text : replaceSpans(text, spans, (_, kind) => `[redacted:${kind}]`);
}

/** Replaces secrets without changing the text's length or lines, for texts in which positions matter. */
export function maskSecrets(text: string): string {
  const spans = secretsIn(text);
  return spans.length === 0 ? text : replaceSpans(text, spans, (secret) => secret.replace(/[^\r\n]/g, "_"));
}

/** Matches keys that may mark their value as secret. */
const HINT = /pass|pwd|psw|psk|pw|secret|token|key|cred|auth|cookie|salt|mnemonic|jwt|pat|sas/i;

function secretsIn(text: string): Span[] {
  if (text.length < MIN_LENGTH) return [];
  const spans = findSecrets(text, workFor(text));
  const view = plainView(text);
  if (view !== undefined)
    for (const span of findSecrets(view.text, workFor(view.text))) spans.push(view.place(span));
  return withoutMarks(text, spans);
}

/** Redacts every string in a JSON value. A string also counts as secret if its key says so. */
export function redactDeep<T>(value: T): T {
  return deep(value, "") as T;
}

function deep(value: unknown, key: string): unknown {
  if (typeof value === "string") {
    const says = HINT.test(key) ? whatNameSays(key) : undefined;
    const isSecret = says !== undefined && isSecretValue(value, "quoted", says === "password");
    return isSecret ? "[redacted:value]" : redact(value);
  }
  if (Array.isArray(value)) return value.map((one) => deep(one, key));
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, deep(inner, name)]));
  }
  return value;
}
