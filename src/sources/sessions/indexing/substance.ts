import { collapse } from "../../../base/text.ts";
import { wordsOf } from "../../../moments/own-words.ts";
import type { PastSession } from "../session.ts";

/** Whether nobody asked anything in it: it was opened and closed, or only the host's own commands were used. */
export function isSilent({ counts }: Pick<PastSession, "counts">): boolean {
  return counts.prompts === 0 || counts.passages === 0;
}

/** Words of requests that do not begin any work, alone or combined. */
const IDLE_WORDS: ReadonlySet<string> = new Set(
  `hi hello hey hallo hola salut bonjour moin yo there test testing tests ping foo bar asdf ok okay k y n yes yeah yep no nope sure
  please thanks thank you thx danke merci gracias good great nice cool perfect awesome lgtm done continue go on ahead proceed exit quit
  bye stop help what can do who are how again and`.split(/\s+/),
);
const MOST_CHARACTERS = 60;
/** A command of the host, not followed by the user's own words. */
const COMMAND_ALONE = /^[/!]\S*$/;

/** Whether a request says nothing about the work: a greeting, a confirmation, a test, a command alone. */
export function saysNothing(request: string): boolean {
  const text = collapse(wordsOf(request.slice(0, 2000)).own);
  // A paste alone is something to work on.
  if (text === "") return request.trim() === "";
  if (text.length > MOST_CHARACTERS) return false;
  const words = text.toLowerCase().match(/[\p{L}\p{M}]+/gu) ?? [];
  return COMMAND_ALONE.test(text) || words.every((word) => IDLE_WORDS.has(word));
}
