import type { RefObject } from "preact";
import { useLayoutEffect } from "preact/hooks";

/** Makes code and tables that are too wide scrollable with the keyboard, even after their space became narrower. */
export function useScrollable(block: RefObject<HTMLElement | null>, content: unknown): void {
  useLayoutEffect(() => {
    const inner = block.current?.querySelectorAll<HTMLElement>("pre, .md-table") ?? [];
    const all = [block.current, ...inner].filter(
      (one) => one?.matches("pre, .md-table, .diff-lines") === true,
    );
    const resized = new ResizeObserver((entries) => {
      for (const { target } of entries) if (target instanceof HTMLElement) mark(target);
    });
    for (const one of all) {
      if (one === null) continue;
      mark(one);
      resized.observe(one);
    }
    return () => resized.disconnect();
  }, [block, content]);
}

function mark(one: HTMLElement): void {
  if (one.scrollWidth <= one.clientWidth && one.scrollHeight <= one.clientHeight) {
    for (const name of ["tabindex", "role", "aria-label"]) one.removeAttribute(name);
    return;
  }
  one.tabIndex = 0;
  one.setAttribute("role", "region");
  one.setAttribute("aria-label", one.matches("pre, .diff-lines") ? "Code" : "Table");
}
