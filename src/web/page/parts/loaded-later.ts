import { signal } from "@preact/signals";
import { loadPart } from "../core/page-key.ts";

/** Code that is loaded when it is first needed. Undefined until then; the view that asked is shown again when it is there. */
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
          isAsked = false; // asked again with the next view; until then there is the plain text
        },
      );
    }
    return loaded.value;
  };
}
