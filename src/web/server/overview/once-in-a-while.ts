import type { WebEvent } from "../../api/events.ts";
import type { Web } from "../web.ts";

/**
 * Caches something that takes a while to compute and changes rarely. It is computed again after an event, or when it is
 * old.
 */
export function onceInAWhile<T>(
  web: Pick<Web, "subscribe" | "now" | "onClose">,
  maxAgeMs: number,
  isChanged: (event: WebEvent) => boolean,
  find: () => Promise<T>,
): () => Promise<T> {
  let known: { readonly at: number; readonly value: Promise<T> } | undefined;
  web.onClose(
    web.subscribe((event) => {
      if (event.type === "reset" || isChanged(event)) known = undefined;
    }),
  );
  return () => {
    const age = known === undefined ? Number.POSITIVE_INFINITY : web.now() - known.at;
    if (known !== undefined && age >= 0 && age < maxAgeMs) return known.value;
    const found = { at: web.now(), value: find() };
    known = found;
    // A failure is not cached.
    found.value.catch(() => {
      if (known === found) known = undefined;
    });
    return found.value;
  };
}
