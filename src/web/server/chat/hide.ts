/**
 * A shorter key may be an ordinary word, for example for a local server that accepts any key: hiding it would remove
 * words from texts.
 */
const MIN_LENGTH = 8;
const HIDDEN = "[key]";
/** Fields whose values are Continuo's own words and ids, which the page needs. */
const OURS = new Set([
  "kind",
  "type",
  "status",
  "role",
  "marks",
  "wireApi",
  "host",
  "id",
  "call",
  "run",
  "key",
]);

/** A copy with the secrets removed from its texts. Everything for the page passes through here. */
export function hideSecrets<T>(value: T, secrets: readonly string[]): T {
  if (secrets.length === 0) return value;
  // One key may be a part of another.
  const longestFirst = secrets.toSorted((a, b) => b.length - a.length);
  return hideIn(value, longestFirst) as T;
}

function hideIn(value: unknown, secrets: readonly string[]): unknown {
  if (typeof value === "string") return secrets.reduce(hideOne, value);
  if (Array.isArray(value)) return value.map((one) => hideIn(one, secrets));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [
      name,
      OURS.has(name) && (typeof one === "string" || name === "marks") ? one : hideIn(one, secrets),
    ]),
  );
}

function hideOne(text: string, secret: string): string {
  if (secret.length >= MIN_LENGTH) return text.replaceAll(secret, HIDDEN);
  return text.trim() === secret ? HIDDEN : text.replaceAll(`Bearer ${secret}`, `Bearer ${HIDDEN}`);
}
