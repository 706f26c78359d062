import type { Finder } from "./linear-regex.ts";

/**
 * Caches compiled patterns in a long-running process. Limited by size rather than number, because one pattern of a
 * hostile rule can be larger than a thousand ordinary ones.
 */
export function keepFinders(maxBytes: number) {
  const kept = new Map<string, { readonly finder: Finder; readonly bytes: number }>();
  let total = 0;
  const remove = (key: string): void => {
    total -= kept.get(key)?.bytes ?? 0;
    kept.delete(key);
  };
  return {
    get: (key: string): Finder | undefined => kept.get(key)?.finder,
    /** Call it after each use, because a finder grows. The least recently used ones are removed first. */
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
    /** Their approximate total size. */
    bytes: (): number => total,
  };
}
