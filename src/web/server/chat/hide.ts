/** A shorter key may be an ordinary word, as for a local server that wants any: texts would lose words. */
const MIN_LENGTH = 8;
const HIDDEN = "[key]";
/** Their values are words of Continuo and ids, by which the page works. */
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

/** A copy without any of the secrets in its texts: what goes to the page passes through here. */
export function hideSecrets<T>(value: T, secrets: readonly string[]): T {
  if (secrets.length === 0) return value;
  // Of two keys, one may be a part of the other.
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
