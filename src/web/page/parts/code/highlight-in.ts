import { loadPart } from "../../core/page-key.ts";

/** Longer code stays without colours: highlighting it would stop the page. */
export const MOST_CHARACTERS = 20_000;

/** Names of languages in Markdown and endings of files, by highlight.js's name. Others are shown without colours. */
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

/** Colours the code blocks of an element, once the highlighter is loaded. Returns what stops it. */
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
      () => undefined, // without colours
    );
  }
  return () => {
    isOver = true;
  };
}
