import { loadPart } from "../../core/page-key.ts";

/** Longer code gets no colours: highlighting it would block the page. */
export const MOST_CHARACTERS = 20_000;

/** Languages' names in Markdown and file extensions, mapped to highlight.js's names. Others get no colours. */
const NAMES: Readonly<Record<string, string>> = {
  bash: "bash sh zsh shell console",
  css: "css scss",
  diff: "diff patch",
  go: "go golang",
  javascript: "js javascript mjs cjs jsx",
  json: "json jsonc jsonl json5",
  markdown: "md markdown",
  python: "py python pyi",
  rust: "rs rust",
  sql: "sql",
  typescript: "ts typescript tsx mts cts",
  xml: "html xml svg vue",
  yaml: "yaml yml toml",
};

const BY_NAME = new Map(
  Object.entries(NAMES).flatMap(([to, names]) => names.split(" ").map((name) => [name, to])),
);

/** Colours the code blocks of an element once the highlighter is loaded. Returns a function that cancels it. */
export function highlightIn(element: HTMLElement | null): () => void {
  let isOver = false;
  const blocks = [...(element?.querySelectorAll<HTMLElement>("code[data-language]") ?? [])].flatMap(
    (code) => {
      const language = BY_NAME.get((code.dataset["language"] ?? "").toLowerCase());
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
      () => undefined, // shown without colours
    );
  }
  return () => {
    isOver = true;
  };
}
