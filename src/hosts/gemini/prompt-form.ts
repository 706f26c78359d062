import type { PromptForm } from "../port/prompt-form.ts";
import { mentionsIn } from "../shared/mentions/parse-mentions.ts";

/** Gemini CLI has read the mentioned files already when it calls the hook. */
const CONTENT = "\n--- Content from referenced files ---";

/** Without a limit, one long line of a file could take minutes. */
const HEADING = /^Content from @([^\r\n]{1,4096}):$/gm;

/** Headings that are looked at: a file may have any number of lines that look like one. */
const MAX_HEADINGS = 200;

/** It puts a space before every mention, and takes the backslashes out of `@a\ path`: only the heading shows its end. */
export const promptForm: PromptForm = {
  typedIn: (prompt) => parts(prompt).typed,
  *mentionsIn(prompt) {
    const { typed, content } = parts(prompt);
    yield* mentionsIn(typed);
    let headings = 0;
    for (const [, path = ""] of content.matchAll(HEADING)) {
      if (!/\s/.test(path)) continue; // `mentionsIn` has found it
      if (++headings > MAX_HEADINGS) return;
      if (typed.includes(`@${path}`)) yield [path];
    }
  },
};

function parts(prompt: string): { typed: string; content: string } {
  const at = prompt.indexOf(CONTENT);
  return at === -1
    ? { typed: prompt, content: "" }
    : { typed: prompt.slice(0, at), content: prompt.slice(at + CONTENT.length) };
}
