import type { PromptForm } from "../port/prompt-form.ts";
import { mentionsIn } from "../shared/mentions/parse-mentions.ts";

/** `pi @src/cart.ts "explain it"` puts the file's content before the user's words. */
const OPENING = /^<file name="([^"\r\n]{1,4096})">/gm;
const CLOSING = "</file>\n";

export const promptForm: PromptForm = {
  typedIn: (prompt) => parts(prompt).typed,
  *mentionsIn(prompt) {
    const { typed, content } = parts(prompt);
    yield* mentionsIn(typed);
    for (const [, path = ""] of content.matchAll(OPENING)) yield [path];
  },
};

/** A file may contain these tags too, so only the first and the last one are reliable. */
function parts(prompt: string): { typed: string; content: string } {
  const from = prompt.search(OPENING);
  const last = prompt.lastIndexOf(CLOSING);
  if (from === -1 || last < from) return { typed: prompt, content: "" };
  const to = last + CLOSING.length;
  return { typed: prompt.slice(0, from) + prompt.slice(to), content: prompt.slice(from, to) };
}
