/** A longer command is a script: what it is about stands at its beginning. */
const MOST = 2_000;

/** The programs that a shell command starts, one after the other, without what stands in quotes: messages and patterns. */
export function partsOf(command: string): string[] {
  const text = command.slice(0, MOST).trim();
  const inner = /^(?:bash|sh|zsh) -\w*c (['"])([\s\S]*)\1$/.exec(text)?.[2] ?? text;
  return inner
    .replace(/<<-?\s*['"]?(\w+)['"]?[\s\S]*?(?:\n\1\b|$)/g, "")
    .replace(/"(?:[^"\\]|\\[\s\S])*"|'[^']*'/g, "''")
    .split(/&&|\|\|?|;|\n/)
    .map((part) => part.trim().replace(/^(?:\w+=\S*\s+|(?:time|env|sudo|timeout \S+)\s+)+/, ""));
}

/** The command of git and what follows it, of the parts that start git: `push origin main`. */
export function gitIn(command: string): string[] {
  return partsOf(command).flatMap((part) => {
    const words = part.split(/\s+/);
    if (words.shift() !== "git") return [];
    while (words[0]?.startsWith("-") === true) words.splice(0, /^-[cC]$/.test(words[0]) ? 2 : 1);
    return words.length === 0 ? [] : [words.join(" ")];
  });
}
