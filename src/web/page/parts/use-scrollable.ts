import type { RefObject } from "preact";
import { useLayoutEffect } from "preact/hooks";

/** Code and tables that are wider than their place can be scrolled with the keyboard. */
export function useScrollable(block: RefObject<HTMLElement | null>, content: unknown): void {
  useLayoutEffect(() => {
    const inner = block.current?.querySelectorAll<HTMLElement>("pre, .md-table") ?? [];
    for (const one of [block.current, ...inner]) {
      if (one === null || !one.matches("pre, .md-table, .diff-lines")) continue;
      if (one.scrollWidth > one.clientWidth || one.scrollHeight > one.clientHeight) {
        one.tabIndex = 0;
        one.setAttribute("role", "region");
        one.setAttribute("aria-label", one.matches("pre, .diff-lines") ? "Code" : "Table");
      }
    }
  }, [block, content]);
}
