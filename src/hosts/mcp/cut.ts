/** Claude Code puts about 48,000 characters before the model and keeps the rest in a file; others cut without a word. */
const MAX_TEXT = 40_000;

export function cut(text: string, max = MAX_TEXT): string {
  if (text.length <= max) return text;
  // Not through the middle of a character that takes two units.
  const end = /[\ud800-\udbff]/.test(text[max - 1] ?? "") ? max - 1 : max;
  return `${text.slice(0, end)}\n\n(cut here: ${text.length - end} of ${text.length} characters are left out)`;
}
