import { signal } from "@preact/signals";
import { loadPart } from "../core/page-key.ts";

/** Code that is loaded on first use. Undefined until then; the view that asked is rendered again when it is loaded. */
export function loadedLater<T>(load: () => Promise<T>): () => T | undefined {
  const loaded = signal<T | undefined>(undefined);
  let isAsked = false;
  return () => {
    if (!isAsked) {
      isAsked = true;
      loadPart(load).then(
        (code) => {
          loaded.value = code;
        },
        () => {
          isAsked = false; // requested again by the next view; until then the plain text is shown
        },
      );
    }
    return loaded.value;
  };
}
