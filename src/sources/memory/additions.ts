import { collapse } from "../../base/text.ts";
import type { Item } from "../../compose/section.ts";
import { countTokens } from "../../compose/tokens.ts";
import { queryTerms } from "../../search/query.ts";
import { redact } from "../../store/redact.ts";
import type { Memory } from "./memory.ts";
import type { Hit } from "./search/search.ts";

/**
 * Measured by `npm run bench -- additions`: of steps of 0.02 the lowest at which, on the even half of the prompts, at most
 * 10 % of other projects' prompts got an addition in each of three stores. docs/session-start.md has the figures.
 */
export const ADDITION_SCORE = 0.28;
/** "go on", "yes, do it": too little to be about something. */
export const FEWEST_TERMS = 3;
export const MOST_NOTES = 3;
const LEAD_LENGTH = 240;
/** Of a note that may have megabytes. */
const MOST_READ = 20 * LEAD_LENGTH;

/** The notes that a prompt is about, if there are any; most prompts get none. */
export async function notesFor(memory: Memory, prompt: string, minScore = ADDITION_SCORE): Promise<Hit[]> {
  if (queryTerms(prompt).length < FEWEST_TERMS) return [];
  const { hits } = await memory.search({ query: prompt, mode: "FullText", pageSize: MOST_NOTES, minScore });
  return [...hits];
}

/**
 * How a note begins, not where the prompt's words stand in it: the text must be the same for every prompt, for the same
 * note is told only once as long as its text is the same.
 */
export function additionOf({ uri, title: given, score }: Hit, lead: string): Item {
  const title = redact(given);
  const text = `${title} (${uri})\n${lead}`.trim();
  return {
    key: uri,
    name: title,
    text,
    tokens: countTokens(text),
    reason: `its words are the prompt's (${score.toFixed(2)})`,
    priority: score,
  };
}

/** The beginning of a note's text without its title, as one line; nobody asked for it, so no secret goes with it. */
export function leadOf(body: string, title: string): string {
  const text = body.replace(/^[ \t]*# .*$/m, (heading) => (heading.includes(title) ? "" : heading));
  // Before it is cut: of half a secret nobody could tell that it is one.
  const line = collapse(redact(text.slice(0, MOST_READ)));
  if (line.length <= LEAD_LENGTH) return line;
  const cut = line.slice(0, LEAD_LENGTH).toWellFormed();
  return `${cut.slice(0, Math.max(cut.lastIndexOf(" "), LEAD_LENGTH / 2))} …`;
}
