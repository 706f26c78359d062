import { loadPart } from "../../core/page-key.ts";
import { languageOf } from "./languages.ts";

/** Longer code stays without colours: highlighting it would stop the page. */
export const MOST_CHARACTERS = 20_000;

/** Colours the code blocks of an element, once the highlighter is loaded. Returns what stops it. */
export function highlightIn(element: HTMLElement | null): () => void {
  let isOver = false;
  const blocks = [...(element?.querySelectorAll<HTMLElement>("code[data-language]") ?? [])].flatMap(
    (code) => {
      const language = languageOf(code.dataset["language"] ?? "");
      const isShort = (code.textContent?.length ?? 0) <= MOST_CHARACTERS;
      return language === undefined || !isShort ? [] : [{ code, language }];
    },
  );
  if (blocks.length > 0) {
    loadPart(() => import("./highlight.ts")).then(
      ({ highlighted }) => {
        if (isOver) return;
        for (const { code, language } of blocks) {
          code.innerHTML = highlighted(code.textContent ?? "", language);
        }
      },
      () => undefined, // without colours
    );
  }
  return () => {
    isOver = true;
  };
}
