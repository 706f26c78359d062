import { oneLine } from "../../base/for-terminal.ts";
import { shellWord } from "../../base/text.ts";

const PLAIN = /^[A-Za-z0-9._/][A-Za-z0-9._/-]*$/;
const MAX_NAME = 100;
const MAX_KEY = 300;

/**
 * A rule as an argument in a suggested command, which the user may paste: nothing in a name that others chose may be
 * executed. A plain name as it is; otherwise the file's path in quotes, or a placeholder if the path is long or
 * contains invisible characters.
 */
export function ruleArgument({ name, key }: { readonly name: string; readonly key: string }): string {
  if (PLAIN.test(name) && name.length <= MAX_NAME) return name;
  return key.length > MAX_KEY || key.startsWith("-") || oneLine(key) !== key ? "RULE" : shellWord(key);
}
