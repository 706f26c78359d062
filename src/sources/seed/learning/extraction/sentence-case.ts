import { TOOL_NAMES } from "./family.ts";

/** Names of tools that are words too: "make sure", "just ask". */
const WORDS = new Set([
  "make",
  "just",
  "black",
  "express",
  "solid",
  "spaces",
  "tabs",
  "react",
  "rebase",
  "squash",
]);
/** A plain word, followed by more of the same language: `main ブランチ` and `getUser` begin with a name. */
const WORD = /^[\p{Ll}'’]+(?=[\s,;:–—-]+(?![\u3040-\u9fff])|$)/u;

/** As a sentence begins, but a name that is written in small letters keeps them: npm, getUser, src/api. */
export function sentenceCase(text: string): string {
  const [first] = WORD.exec(text) ?? [];
  const isWord = first !== undefined && (WORDS.has(first) || !TOOL_NAMES.has(first));
  return isWord ? text.charAt(0).toUpperCase() + text.slice(1) : text;
}
