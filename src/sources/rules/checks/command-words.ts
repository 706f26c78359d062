/** Characters by which a shell does more than start one program. */
const SHELL = /[|;&<>$`()\n\r]/;

/** The words of a command that is started without a shell; undefined if it needs one or a quotation mark is not closed. */
export function commandWords(command: string): string[] | undefined {
  if (SHELL.test(command)) return undefined;
  const words: string[] = [];
  let word: string | undefined;
  let quote = "";
  for (const character of command.trim()) {
    if (quote !== "") {
      if (character === quote) quote = "";
      else word = (word ?? "") + character;
    } else if (character === '"' || character === "'") {
      quote = character;
      word ??= "";
    } else if (/\s/.test(character)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = (word ?? "") + character;
  }
  if (word !== undefined) words.push(word);
  return quote === "" && words[0] !== undefined && words[0] !== "" ? words : undefined;
}
