/** Until src/moments/shell.ts is here. */
export function simpleCommands(command: string): { text: string; words: string[] }[] {
  return command
    .split(/&&|\|\||[;|\n]/)
    .map((one) => one.trim().replace(/\s+/g, " "))
    .filter((one) => one !== "")
    .map((text) => ({ text, words: text.split(" ") }));
}
