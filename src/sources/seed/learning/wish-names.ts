import { stem } from "../../../search/stem.ts";
import { TOOL_NAMES } from "./extraction/family.ts";
import { splitWords } from "./wish-words.ts";

/** What a wish names: tools, languages, files, identifiers. Two wishes with different names are never the same. */
export function namesIn(text: string): Set<string> {
  const names = new Set<string>();
  for (const [, code = ""] of text.matchAll(/`([^`]+)`/g))
    for (const word of splitWords(code)) names.add(key(word));
  // The first word of a sentence is written with a capital whatever it is.
  const inside = text.replace(/(?:^|[.!?:]\s+)["'(`]*\p{Lu}\p{Ll}*(?![\p{L}\p{N}])/gu, " ");
  for (const word of splitWords(inside)) if (looksLikeName(word)) names.add(key(word));
  for (const tool of toolsIn(text)) names.add(tool);
  return names;
}

/** The names among them that are known to be of tools. */
export function toolsIn(text: string): Set<string> {
  return new Set(splitWords(text.toLowerCase()).flatMap((word) => (TOOL_NAMES.has(word) ? [key(word)] : [])));
}

function looksLikeName(word: string): boolean {
  if (/^I$/.test(word)) return false;
  return /[_/\\@.]|^-|^\p{Lu}|\p{Ll}\p{Lu}|\p{L}\p{N}/u.test(word);
}

function key(word: string): string {
  return stem(word.toLowerCase().replace(/\.(?:md|json|ya?ml|toml|txt)$/, ""));
}
