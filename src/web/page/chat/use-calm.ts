import { useEffect, useState } from "preact/hooks";

const CALM_MS = 600;

/**
 * True once nobody has clicked or typed for a moment since this was shown: a double click, or what somebody was just
 * typing, must not answer a request that they have not seen.
 */
export function useCalm(): boolean {
  const [isCalm, setCalm] = useState(false);
  useEffect(() => {
    if (isCalm) return;
    const start = () => setTimeout(() => setCalm(true), CALM_MS);
    let timer = start();
    const again = () => {
      clearTimeout(timer);
      timer = start();
    };
    const kinds = ["keydown", "pointerdown"] as const;
    for (const kind of kinds) addEventListener(kind, again, true);
    return () => {
      clearTimeout(timer);
      for (const kind of kinds) removeEventListener(kind, again, true);
    };
  }, [isCalm]);
  return isCalm;
}
