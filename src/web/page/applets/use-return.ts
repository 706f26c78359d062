import { useEffect, useRef } from "preact/hooks";

/** Calls back when the person comes back to the page: what is on the disk or listens on a port sends no event. */
export function useReturn(run: () => void): void {
  const latest = useRef(run);
  latest.current = run;
  useEffect(() => {
    const back = () => {
      if (document.visibilityState === "visible") latest.current();
    };
    addEventListener("focus", back);
    document.addEventListener("visibilitychange", back);
    return () => {
      removeEventListener("focus", back);
      document.removeEventListener("visibilitychange", back);
    };
  }, []);
}
