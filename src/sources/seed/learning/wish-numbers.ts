/** The numbers in a wish, in digits. Two wishes with different numbers are never the same. */

const NUMBER_WORDS = new Map(
  "two three four five six seven eight nine ten eleven twelve"
    .split(" ")
    .map((word, at): [string, string] => [word, String(at + 2)]),
);
for (const [at, word] of "twenty thirty forty fifty sixty seventy eighty ninety".split(" ").entries())
  NUMBER_WORDS.set(word, String(10 * (at + 2)));

/** "One" is not among them: it seldom counts anything. */
export function numbersIn(text: string): Set<string> {
  const numbers = new Set<string>();
  for (const [word] of text.toLowerCase().matchAll(/\d+(?:\.\d+)*|\p{L}+/gu)) {
    const number = /^\d/.test(word) ? word : NUMBER_WORDS.get(word);
    if (number !== undefined) numbers.add(number);
  }
  return numbers;
}
