/**
 * Sets a key in an object that a program with a fixed order of keys also writes: a key that is there keeps its place, a
 * new one goes to where that program would put it, so that it finds nothing to rewrite.
 */
export function setKey<T extends object, K extends keyof T & string>(
  object: T,
  key: K,
  value: NonNullable<T[K]>,
  order: readonly string[],
): T {
  if (Object.hasOwn(object, key)) return { ...object, [key]: value };
  const later = new Set(order.slice(order.indexOf(key) + 1));
  const entries = Object.entries(object);
  const before = entries.findIndex(([name]) => later.has(name));
  entries.splice(before === -1 ? entries.length : before, 0, [key, value]);
  return Object.fromEntries(entries) as T;
}

export const STATE_KEYS = [
  "lastSessionId",
  "lastSessionAt",
  "proposals",
  "activeProjects",
  "checkpointRef",
  "extractionStats",
];
export const LEARNING_KEYS = ["id", "content", "source", "extractedAt", "confirmedAt", "confirmed", "tags"];
export const PROPOSAL_KEYS = [
  "id",
  "type",
  "content",
  "source",
  "extractedAt",
  "status",
  "method",
  "confidence",
  "decidedAt",
];
