import { useEffect, useState } from "preact/hooks";

const PAUSE_MS = 150;

/** A value once it has not changed for a moment: a preview is not made for every letter. */
export function useDeferred<T>(value: T): T {
  const [shown, setShown] = useState(value);
  useEffect(() => {
    if (value === shown) return;
    const timer = setTimeout(() => setShown(value), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return shown;
}
