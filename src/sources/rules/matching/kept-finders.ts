import type { Finder } from "./linear-regex.ts";

/** Compiled patterns that a living process keeps for its next moments. Bounded by size, not by number: one pattern of a hostile rule can hold more than a thousand ordinary ones. */
export function keepFinders(maxBytes: number) {
  const kept = new Map<string, { readonly finder: Finder; readonly bytes: number }>();
  let total = 0;
  const remove = (key: string): void => {
    total -= kept.get(key)?.bytes ?? 0;
    kept.delete(key);
  };
  return {
    get: (key: string): Finder | undefined => kept.get(key)?.finder,
    /** To be called after each use, because a finder grows. The least recently used ones are removed first. */
    keep(key: string, finder: Finder): void {
      remove(key);
      const bytes = finder.bytes() + key.length * 2;
      kept.set(key, { finder, bytes });
      total += bytes;
      for (const oldest of kept.keys()) {
        if (total <= maxBytes) break;
        remove(oldest);
      }
    },
    /** What all of them hold, about. */
    bytes: (): number => total,
  };
}
